// exec/cuda/cuda_executor.cu -- solves on the GPU behind the one interface: vectors of the host or
// of the device, on the caller's stream.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "exec/cuda/cuda_blocks.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/executors.hpp"

namespace echelon {
namespace {

// True for memory of the device (or of both).
bool on_device(const void* p) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, p), "cudaPointerGetAttributes");
  return attributes.type == cudaMemoryTypeDevice || attributes.type == cudaMemoryTypeManaged;
}

// Values from b's first to its last.
template <class T>
std::size_t extent(const Vectors<T>& v) {
  if (v.n == 0 || v.count == 0) return 0;
  return static_cast<std::size_t>((v.n - 1) * v.step() + (v.count - 1) * v.stride() + 1);
}

// The device's copies of vectors that lie with the host.
template <class T>
struct HostVectors {
  DeviceArray<T> b, x;
};

template <class T>
struct CudaWorkspace final : Workspace {
  HostVectors<T> host;
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
    if (blocks_)
      blocks_->load(out);
    else
      blocks_ = std::make_unique<CudaBlocks<T>>(plan.blocks, out);
  }

  bool solve(const SolveJob<T>& job, Workspace& workspace) const override {
    if (job.x.n == 0 || job.x.count == 0) return true;
    const bool device = on_device(job.x.data);
    if (device != on_device(job.b.data))
      throw Error(ErrorCode::bad_argument,
                  "one of b and x lies on the device, the other with the host");
    DeviceJob<T> on{job.op, job.alpha, job.b, job.x, job.stream};
    if (device) {
      blocks_->solve(on);
      return true;
    }
    HostVectors<T>& host = static_cast<CudaWorkspace<T>&>(workspace).host;
    const std::size_t size = extent(job.x), given = extent(job.b);
    if (host.b.size() < given) host.b = DeviceArray<T>(given);
    if (host.x.size() < size) host.x = DeviceArray<T>(size);
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const auto copy = [&](void* to, const void* from, std::size_t count, cudaMemcpyKind kind) {
      check_cuda(cudaMemcpyAsync(to, from, count * sizeof(T), kind, stream), "cudaMemcpyAsync");
    };
    copy(host.b.data(), job.b.data, given, cudaMemcpyHostToDevice);
    // What lies between the vectors of x is the caller's and must come back as it was.
    copy(host.x.data(), job.x.data, size, cudaMemcpyHostToDevice);
    on.b.data = host.b.data();
    on.x.data = host.x.data();
    blocks_->solve(on);
    copy(job.x.data, host.x.data(), size, cudaMemcpyDeviceToHost);
    check_cuda(cudaStreamSynchronize(stream), "a triangular solve");
    return blocks_->all_finite();
  }

 private:
  std::unique_ptr<CudaBlocks<T>> blocks_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<Executor<T>> make_cuda_executor(Method method) {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
  switch (method) {
    case Method::team:
    case Method::merge:
    case Method::invert_diag:
    case Method::invert_off:
    case Method::tree:
      return std::make_unique<CudaExecutor<T>>();
    default:
      throw Error(ErrorCode::bad_argument, "this method does not run on CUDA");
  }
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<Executor<T>> make_cuda_executor(Method);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
