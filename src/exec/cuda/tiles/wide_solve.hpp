// exec/cuda/tiles/wide_solve.hpp -- method tree for blocks of right-hand sides, as cuda_tiles.cu
// uses it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/panels/uploaded_plan.cuh"
#include "exec/cuda/runtime/cuda_solve.hpp"
#include "exec/cuda/tiles/tile_program.hpp"

namespace echelon {

class WideSolve {
 public:
  virtual ~WideSolve() = default;

  // Makes what a solve with so many right-hand sides needs.
  virtual void prepare(const Plan& plan, Index right_sides) = 0;
  // Whether the next pass should be a wide one when `left` right-hand sides are left.
  virtual bool takes(Index left, void* stream) const = 0;
  // Enqueues a pass for the first right-hand sides of the job; returns how many.
  virtual Index solve(const DeviceJob<double>& job) const = 0;

  virtual void load(const BlockValues<double>& values) = 0;  // as CudaSolve::load
  virtual void recover() = 0;                                // as CudaSolve::recover
  virtual Offset bytes() const = 0;
};

// Null where the device has no FP64 tensor cores, the plan has tasks of several panels, or
// cuda.rhs_per_pass asks for none.  All arguments must outlive the object, except for the plan.
std::unique_ptr<WideSolve> make_wide_solve(const Plan& plan, const DeviceValues<double>& panels,
                                           const UploadedPlan& uploaded, const TileSlots& slots,
                                           bool goes_back);

}  // namespace echelon
