// exec/cuda/cuda_executor.cu -- solves on the GPU behind the one interface: vectors of the host or
// of the device, on the caller's stream.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The vectors a solve works in are there once.  Calls from several threads follow each
// other; with vectors of the device they return before the solve is done, so those must be put into
// one stream, or be ordered by the caller.
#include <mutex>

#include "base/instantiate.hpp"
#include "exec/cuda/cublas.hpp"
#include "exec/cuda/cuda_solve.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/cuda/device_status.cuh"
#include "exec/executors.hpp"

namespace echelon {
namespace {

// Memory of the device, or of both.
bool on_device(const void* p) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, p), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

// Values from b's first to its last.
template <class T>
std::size_t extent(const Vectors<T>& v) {
  return static_cast<std::size_t>((v.n - 1) * v.step() + (v.count - 1) * v.stride() + 1);
}

// The device's copies of vectors that lie with the host.
template <class T>
struct CudaWorkspace final : Workspace {
  Offset bytes() const override { return static_cast<Offset>(b.bytes() + x.bytes()); }
  DeviceArray<T> b, x;
};

template <class T>
class CudaExecutor final : public Executor<T> {
 public:
  std::unique_ptr<Workspace> make_workspace(const Plan&) const override {
    return std::make_unique<CudaWorkspace<T>>();
  }

  void setup(const Plan& plan, const FillPanel<T>& fill, Passes passes, const NumericOptions& o,
             BlockValues<T>& out, Index threads) override {
    pack_plan(plan, fill, passes, o, out, threads);
    if (!solve_) solve_ = make_cuda_solve<T>(plan);
    solve_->load(out);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const override {
    if (job.x.n == 0 || job.x.count == 0) return true;
    const bool device = on_device(job.x.data);
    if (device != on_device(job.b.data))
      throw Error(ErrorCode::bad_argument,
                  "one of b and x lies on the device, the other with the host");
    const std::lock_guard one_at_a_time(solving_);
    const DeviceJob<T> on{job.op, job.alpha, job.b, job.x, job.stream, status_.device()};
    if (device)
      solve_->solve(on);
    else
      solve_with_copies(on, static_cast<CudaWorkspace<T>&>(workspace));
    return read_status();
  }

 private:
  // Returns when all is done.
  void solve_with_copies(DeviceJob<T> job, CudaWorkspace<T>& space) const {
    const std::size_t given = extent(job.b), size = extent(job.x);
    if (space.b.size() < given) space.b = DeviceArray<T>(given);
    if (space.x.size() < size) space.x = DeviceArray<T>(size);
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const auto copy = [&](void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
      check_cuda(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream), "cudaMemcpyAsync");
    };
    T* const x = job.x.data;
    copy(space.b.data(), job.b.data, given, cudaMemcpyHostToDevice);
    // What lies between the vectors of x is the caller's and must come back as it was.
    copy(space.x.data(), x, size, cudaMemcpyHostToDevice);
    job.b.data = space.b.data();
    job.x.data = space.x.data();
    solve_->solve(job);
    copy(x, space.x.data(), size, cudaMemcpyDeviceToHost);
    check_cuda(cudaStreamSynchronize(stream), "a triangular solve");
  }

  // What solves have told so far.
  bool read_status() const {
    const unsigned bits = status_.take();
    if (bits & status_watchdog)
      throw Error(ErrorCode::backend_failed,
                  "a triangular solve gave up on the device: a task it waited for was never done");
    return (bits & status_not_finite) == 0;
  }

  std::unique_ptr<CudaSolve<T>> solve_;
  DeviceStatus status_;
  mutable std::mutex solving_;  // whose vectors are those of solve_
};

constexpr Index side_by_side = 8;  // streams of method stream

[[noreturn]] void refuse_method() {
  throw Error(ErrorCode::bad_argument, "this method does not run on CUDA: those on supernodes do");
}

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan& plan) {
  switch (plan.method) {
    case Method::plain:
      return make_cuda_blas<T>(plan, 1);
    case Method::stream:
      return make_cuda_blas<T>(plan, side_by_side);
    case Method::team:
    case Method::merge:
    case Method::invert_diag:
    case Method::invert_off:
      return make_cuda_blocks<T>(plan);
    case Method::tree:  // the place of a class of its own
      return make_cuda_blocks<T>(plan);
    case Method::dynamic:
      return make_cuda_queue<T>(plan);
    case Method::spmv:
    case Method::invert_full:
      return make_cuda_spmv<T>(plan);
    default:
      refuse_method();
  }
}

template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method method) {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
  if (!is_supernodal(method)) refuse_method();
  if (method == Method::plain || method == Method::stream) load_cublas();
  return std::make_unique<CudaExecutor<T>>();
}

#define ECHELON_INSTANTIATE(T)                                         \
  template std::unique_ptr<CudaSolve<T>> make_cuda_solve(const Plan&); \
  template std::unique_ptr<Executor<T>> make_cuda_executor(Method);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
