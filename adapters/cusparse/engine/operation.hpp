// adapters/cusparse/engine/operation.hpp -- what a descriptor of SpSV or SpSM points to.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "plan_cache.hpp"
#include "vendor.hpp"

namespace echelon::dropin {

// One triangular solve, by a plan of ours or passed on to the vendor's library: what the
// descriptors show decides in buffer_size(), what the matrix shows in analysis().  The methods do
// not throw.
class Operation {
 public:
  explicit Operation(Kind kind) : kind_(kind), vendor_(kind) {}
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation();

  cusparseStatus_t buffer_size(const Call& call, size_t* bytes);
  cusparseStatus_t analysis(const Call& call, void* buffer);
  cusparseStatus_t solve(const Call& call);
  cusparseStatus_t update(cusparseHandle_t handle, void* values, int part);

 private:
  enum class Taken { undecided, ours, vendors };

  cusparseStatus_t pass_on(const Call& call, const std::string& reason);
  cusparseStatus_t pass_values_on(const Call& call);
  void analyze(const Call& call, const DeviceMatrix& a, void* buffer);
  void forget();
  void say(const std::string& text) const;

  Kind kind_;
  Taken taken_ = Taken::undecided;
  VendorDescriptor vendor_;
  std::unique_ptr<KeptPlan> plan_;
  cusparseOperation_t op_ = CUSPARSE_OPERATION_NON_TRANSPOSE;  // of the analysis
  void* vendor_buffer_ = nullptr;  // where the program's buffer was not made for the vendor
  // Values that an update brought and that no plan of ours takes: the next solve passes them on.
  bool has_new_values_ = false;
};

}  // namespace echelon::dropin
