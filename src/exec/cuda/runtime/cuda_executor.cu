// exec/cuda/runtime/cuda_executor.cu -- the Executor for GPUs: solves with vectors in host or
// device memory, on the caller's stream.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  All solves of an executor share one memory in which kernels publish numbers.  A mutex
// serializes threads while they enqueue work, and an event serializes the solves themselves, in
// whatever streams they run.  Everything else that a solve writes belongs to its workspace: device
// copies of host vectors, and the status bits.
#include <mutex>

#include "base/instantiate.hpp"
#include "echelon/device.hpp"
#include "exec/cuda/panels/cublas.hpp"
#include "exec/cuda/panels/cuda_invert.hpp"
#include "exec/cuda/runtime/copy_vectors.cuh"
#include "exec/cuda/runtime/cuda_solve.hpp"
#include "exec/cuda/runtime/device_status.cuh"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

template <class T>
struct CudaWorkspace final : Workspace {
  Offset bytes() const override { return static_cast<Offset>(b.bytes() + x.bytes()); }
  DeviceArray<T> b, x;  // device copies of vectors in host memory
  DeviceStatus status;
};

template <class T>
class CudaExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan&) const override {
    return std::make_unique<CudaWorkspace<T>>();
  }

  void setup(const Plan& plan, const FillPanel<T>& fill, Sweep passes, const NumericOptions& o,
             BlockValues<T>& out, Index threads) override {
    if (inverts_here(plan)) {
      invert(plan, fill, o, out, threads);
    } else {
      pack_plan(plan, fill, passes, o, out, threads);
      panels_.assign(out);
    }
    if (!solve_) solve_ = make_cuda_solve(plan, panels_);
    solve_->load(out);
  }

  void load(const Plan& plan, const PackedValues<T>& values) override {
    if (!solve_) solve_ = make_cuda_solve(plan, panels_);
    solve_->load(plan, values);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const override {
    if (job.x.n == 0 || job.x.count == 0) return true;
    const bool device = is_on_this_device(job.x.data);
    if (device != is_on_this_device(job.b.data))
      throw Error(ErrorCode::bad_argument,
                  "b and x must both be in device memory or both in host memory");
    auto& space = static_cast<CudaWorkspace<T>&>(workspace);
    const DeviceJob<T> on{
        job.op,       job.alpha,   job.b,      job.x,    job.stream, space.status.device(),
        job.and_back, job.divisor, job.levels, &job.plan};
    if (!device) return solve_with_copies(on, space, job.steps);
    put(on, job.steps);
    mark(job.steps, no_step, job.stream);
    return true;
  }

  bool check(Workspace& workspace) const override {
    return read_status(static_cast<CudaWorkspace<T>&>(workspace));
  }

  bool goes_back() const override { return solve_->goes_back(); }
  Index launches(Op op) const override { return solve_->launches(op); }
  Offset device_bytes() const override { return panels_.bytes() + solve_->bytes(); }

 private:
  // Whether the device converts the panels into the form that the method needs.  It does not where
  // the panels are copied unchanged, or where the host builds sparse matrices from them.
  static bool inverts_here(const Plan& plan) {
    return recipe_of(plan.method).form != BlockForm::triangle && plan.method != Method::spmv;
  }

  void invert(const Plan& plan, const FillPanel<T>& fill, const NumericOptions& o,
              BlockValues<T>& out, Index threads) {
    if (!inverter_) inverter_ = std::make_unique<CudaInverter<T>>(plan.blocks);
    inverter_->load(plan.blocks, fill, threads, nullptr);
    inverter_->run(recipe_of(plan.method).form, o, panels_, out, nullptr);
    out.on_device = panels_.bytes();
  }

  // Enqueues the solve in its stream, after all earlier solves.
  void put(const DeviceJob<T>& job, DeviceMarks* steps) const {
    const std::lock_guard one_at_a_time(solving_);
    const StreamTurn turn(&order_, job.stream);
    mark(steps, Step::solve, job.stream);
    solve_->solve(job);
  }

  // Returns when the solve and both copies are complete.
  bool solve_with_copies(DeviceJob<T> job, CudaWorkspace<T>& space, DeviceMarks* steps) const {
    const auto size = static_cast<std::size_t>(job.x.n) * static_cast<std::size_t>(job.x.count);
    for (DeviceArray<T>* array : {&space.b, &space.x})
      if (array->size() < size) *array = DeviceArray<T>(size);
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const Vectors<T> b = vectors_like(job.b, space.b.data()), x = job.x;
    mark(steps, Step::copy_in, job.stream);
    copy_vectors(job.b, b, cudaMemcpyHostToDevice, stream);
    job.b = b;
    job.x = vectors_like<T>(x, space.x.data());
    put(job, steps);
    mark(steps, Step::copy_out, job.stream);
    copy_vectors<T>(job.x, x, cudaMemcpyDeviceToHost, stream);
    mark(steps, no_step, job.stream);
    check_cuda(cudaStreamSynchronize(stream), "a triangular solve");
    return read_status(space);
  }

  // The status of the solves of a workspace so far; false: an answer was not finite.
  bool read_status(const CudaWorkspace<T>& space) const {
    const unsigned bits = space.status.take();
    if (bits & status_gave_up) {
      const std::lock_guard none_meanwhile(solving_);
      solve_->recover();
      throw Error(ErrorCode::backend_failed,
                  "a triangular solve gave up on the device: a task it waited for was never done");
    }
    return (bits & status_not_finite) == 0;
  }

  DeviceValues<T> panels_;
  std::unique_ptr<CudaInverter<T>> inverter_;
  std::unique_ptr<CudaSolve<T>> solve_;
  StreamOrder order_;           // of the solves
  mutable std::mutex solving_;  // held while a solve is enqueued
};

constexpr Index side_by_side = 8;  // number of streams of method stream

[[noreturn]] void refuse_method() {
  throw Error(ErrorCode::bad_argument,
              "this method does not run on CUDA: those by rows and columns and on supernodes do");
}

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan& plan, const DeviceValues<T>& panels) {
  switch (plan.method) {
    case Method::plain:
      return make_cuda_blas(plan, panels, 1);
    case Method::stream:
      return make_cuda_blas(plan, panels, side_by_side);
    case Method::team:
    case Method::merge:
    case Method::invert_diag:
    case Method::invert_off:
      return make_cuda_blocks(plan, panels);
    case Method::dynamic:
      return make_cuda_queue(plan, panels);
    case Method::spmv:
    case Method::invert_full:
      return make_cuda_spmv<T>(plan);
    case Method::tree:
      return make_cuda_tiles(plan, panels);
    case Method::superstep:
      return make_cuda_bands<T>(plan);
    case Method::level_row:
    case Method::level_column:
      return make_cuda_levels<T>(plan);
    case Method::element_row:
    case Method::element_column:
      return make_cuda_elements<T>(plan);
    default:
      refuse_method();
  }
}

template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method method) {
  require_device();
  if (method == Method::automatic || method == Method::serial) refuse_method();
  if (method == Method::plain || method == Method::stream) load_cublas();
  return std::make_unique<CudaExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T)                                                                 \
  template std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan&, const DeviceValues<T>&); \
  template std::unique_ptr<Executor<T>> make_cuda_executor(Method);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
