// exec/cuda/runtime/cuda_solve.hpp -- the interface of a solve on a GPU, with one class per method.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>

#include "echelon/executor.hpp"
#include "exec/cuda/panels/device_values.cuh"
#include "exec/cuda/runtime/timeout.hpp"

namespace echelon {

// The parameters of one solve.  All pointers are device pointers.
template <Scalar T>
struct DeviceJob {
  Op op = Op::none;
  T alpha = T(1);
  Vectors<const T> b;  // same n, count and layout as x; may be the same memory, entry for entry
  Vectors<T> x;
  void* stream = nullptr;      // a cudaStream_t
  unsigned* status = nullptr;  // DeviceStatus::device()
  bool and_back = false;       // this and divisor: as in SolveJob
  const T* divisor = nullptr;
  DeviceMarks* levels = nullptr;  // for a profile: methods with one launch or more per level mark
                                  // level 0, 1, ... in turn, then the work after the last level
  const Plan* plan = nullptr;     // the plan that the CudaSolve was made for
};

// Made for a plan and its panels on the current device.  The plan may be destroyed afterwards; the
// panels must stay alive and keep their precision.
template <Scalar T>
class CudaSolve {
 public:
  virtual ~CudaSolve() = default;

  // The panels hold new values, at first setup or after an update.  BlockValues describes them and
  // holds the values that are kept as sparse matrices.  Complete on return; throws out_of_memory.
  virtual void load(const BlockValues<T>&) {}
  // The same for a plan by rows or columns, which has no panels.
  virtual void load(const Plan&, const PackedValues<T>&) {}

  // Enqueues the solve in the stream and returns.  Allocates nothing and does not wait, so that a
  // graph can capture it; exception: the first solve with more right-hand sides than setup prepared
  // for (exec/cuda/runtime/by_width.cuh).  One solve at a time, because all solves share the
  // object's work vectors.  The job has n > 0 and at least one vector.
  virtual void solve(const DeviceJob<T>& job) const = 0;

  // As Executor::goes_back().
  virtual bool goes_back() const { return false; }

  // Call it after a solve that hit its timeout: resets all state the solve left behind.  Waits for
  // the device.
  virtual void recover() {}

  // Launches per solve with one right-hand side; a cuBLAS call counts as one.
  virtual Index launches(Op op) const = 0;

  // Device memory of this object, without the panels.
  virtual Offset bytes() const = 0;
};

// The timeout of a wait inside a kernel in nanoseconds; 0: no timeout.
inline unsigned long long timeout_ns_of(const CudaOptions& o) {
  return nanoseconds_of(o.watchdog_ms);
}

// tree: one launch for all tiles of the panels; tiles publish numbers to each other.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_tiles(const Plan& plan, const DeviceValues<T>& panels);
// team, merge, invert_diag, invert_off: one launch per phase of exec/block_program.hpp.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blocks(const Plan& plan, const DeviceValues<T>& panels);
// dynamic: one launch; blocks pop tasks from a queue as the tasks become ready.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_queue(const Plan& plan, const DeviceValues<T>& panels);
// default, stream: cuBLAS calls per panel, those of one level on `streams` streams.  Throws
// backend_missing without cuBLAS.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blas(const Plan& plan, const DeviceValues<T>& panels,
                                             Index streams);
// spmv, invert_full: one sparse matrix-vector product per level.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_spmv(const Plan& plan);
// superstep: one launch for all bands of a triangle.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_bands(const Plan& plan);

// level_row, level_column: one launch per level or per run of small levels.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_levels(const Plan& plan);
// element_row, element_column: one launch whose rows or columns wait for each other.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_elements(const Plan& plan);

// The class for the plan's method.  Throws bad_argument for a method that does not run on a GPU.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan& plan, const DeviceValues<T>& panels);

}  // namespace echelon
