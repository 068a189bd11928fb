// adapters/cusparse/engine/plan.hpp -- an Echelon solver of any scalar, with the values it was
// given.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "dense.hpp"
#include "kernels.hpp"
#include "matrix.hpp"

namespace echelon::dropin {

class Plan {
 public:
  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  virtual ~Plan() = default;

  // New values from the device, in the order of the stored entries.  Solves must have finished.
  // Throws as Solver::update: the plan then has values() but cannot solve.
  virtual void update(const void* device_values, cudaStream_t stream) = 0;
  // The same for the diagonal alone, one number per unknown.
  virtual void update_diagonal(const void* device_diagonal, cudaStream_t stream) = 0;
  // Puts op(A) X = factor B into the stream.  Throws as Solver::solve, and backend_failed if an
  // earlier solve was aborted.
  virtual void solve(const Sides& sides, const Factor& factor, cudaStream_t stream) = 0;

  virtual const void* values() const = 0;  // on the host, as last given
  virtual std::size_t value_bytes() const = 0;
  virtual Offset device_bytes() const = 0;
  virtual std::string describe() const = 0;
};

// On the current device.  Throws as Analysis and Solver.
std::unique_ptr<Plan> make_plan(const DeviceMatrix& a, Index right_sides, cudaStream_t stream);

}  // namespace echelon::dropin
