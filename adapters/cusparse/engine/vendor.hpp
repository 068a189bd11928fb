// adapters/cusparse/engine/vendor.hpp -- the vendor's library, for queries and for what is passed
// on.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"

namespace echelon::dropin {

const Vendor& vendor();
void set_vendor(const Vendor* found);

// The vendor's descriptor of one operation, created when first needed.  A function that this
// version of cuSPARSE does not have returns CUSPARSE_STATUS_NOT_SUPPORTED.
class VendorDescriptor {
 public:
  explicit VendorDescriptor(Kind kind) : kind_(kind) {}
  VendorDescriptor(const VendorDescriptor&) = delete;
  VendorDescriptor& operator=(const VendorDescriptor&) = delete;
  ~VendorDescriptor();

  cusparseStatus_t buffer_size(const Call& call, size_t* bytes);
  cusparseStatus_t analysis(const Call& call, void* buffer);
  cusparseStatus_t solve(const Call& call);
  cusparseStatus_t update(cusparseHandle_t handle, void* values, int part);

 private:
  cusparseStatus_t create();
  Kind kind_;
  cusparseSpSVDescr_t vector_ = nullptr;
  cusparseSpSMDescr_t matrix_ = nullptr;
};

}  // namespace echelon::dropin
