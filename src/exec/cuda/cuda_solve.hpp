// exec/cuda/cuda_solve.hpp -- a plan and its values on a GPU, one class a method.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <memory>

#include "echelon/executor.hpp"
#include "exec/cuda/device_values.cuh"
#include "exec/patience.hpp"

namespace echelon {

// What a solve on the device is asked for.  Pointers are the device's.
template <Scalar T>
struct DeviceJob {
  Op op = Op::none;
  T alpha = T(1);
  Vectors<const T> b;  // same n, count and layout as x; may be the same memory, entry for entry
  Vectors<T> x;
  void* stream = nullptr;      // a cudaStream_t
  unsigned* status = nullptr;  // DeviceStatus::device()
  bool and_back = false;       // as those of SolveJob
  const T* divisor = nullptr;
  DeviceMarks* levels = nullptr;  // of a profile: methods with launches of their own for each level
                                  // mark them in turn, from 0 on, and what comes after
  const Plan* plan = nullptr;     // the one it was made for
};

// Made for a plan and its panels on the current device.  The plan need not live on; the panels
// must, and stay in the precision they have.
template <Scalar T>
class CudaSolve {
 public:
  virtual ~CudaSolve() = default;

  // The panels hold other values, or the first; given is what is told of them, and what is kept
  // as sparse matrices.  Done when it returns; throws out_of_memory.
  virtual void load(const BlockValues<T>&) {}
  // Likewise of a plan by rows or columns, which has no panels.
  virtual void load(const Plan&, const PackedValues<T>&) {}

  // Puts the solve into the stream and returns.  Allocates nothing and waits for nothing, but for
  // the first one of more right-hand sides than setup prepared for (exec/cuda/by_width.cuh); so it
  // can be captured in a graph.  One solve at a time: its vectors are the object's.
  // The job has n > 0 and some vectors.
  virtual void solve(const DeviceJob<T>& job) const = 0;

  // As Executor's.
  virtual bool goes_back() const { return false; }

  // After a solve that gave up, so that the next one finds nothing of it.  Waits for the device.
  virtual void recover() {}

  // Kernels of one right-hand side, a call of cuBLAS counted as one.
  virtual Index launches(Op op) const = 0;

  // Memory of the device that it has besides the panels.
  virtual Offset bytes() const = 0;
};

// How long a kernel waits for itself: nanoseconds, 0 for ever.
inline unsigned long long patience_of(const CudaOptions& o) {
  return nanoseconds_of(o.watchdog_ms);
}

// One launch for all tiles of the panels, handing numbers to each other: tree.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_tiles(const Plan& plan, const DeviceValues<T>& panels);
// One launch a phase of exec/block_program.hpp: team, merge, invert_diag, invert_off.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blocks(const Plan& plan, const DeviceValues<T>& panels);
// One launch, tasks from a queue as they become ready: dynamic.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_queue(const Plan& plan, const DeviceValues<T>& panels);
// cuBLAS for each panel, those of a level on so many streams: default, stream.
// Throws backend_missing without cuBLAS.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blas(const Plan& plan, const DeviceValues<T>& panels,
                                             Index streams);
// One product with a sparse matrix a level: spmv, invert_full.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_spmv(const Plan& plan);
// One launch for all bands of a triangle: superstep.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_bands(const Plan& plan);

// One launch a level, or some small ones: level_row, level_column.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_levels(const Plan& plan);
// One launch whose rows or columns wait for each other: element_row, element_column.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_elements(const Plan& plan);

// The class of the plan's method.  Throws bad_argument if it has none.
template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan& plan, const DeviceValues<T>& panels);

}  // namespace echelon
