// exec/cuda/frame/cuda_permute_scale.cu -- permutation, scaling and division by the D of a
// factorization, on the device.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/instantiate.hpp"
#include "echelon/device.hpp"
#include "exec/conjugate_vectors.hpp"
#include "exec/cuda/frame/permute_scale_pass.cuh"
#include "exec/cuda/runtime/copy_vectors.cuh"
#include "exec/cuda/runtime/device_status.cuh"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

__device__ FrameShare my_share() {
  return {static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x), static_cast<Index>(blockIdx.y),
          static_cast<Index>(gridDim.y)};
}

template <class T, class R>
__global__ void enter_frame(FramePass<T, R> pass, FrameVectors<const T> b, FrameVectors<T> y,
                            Index count) {
  my_share().for_each(pass.n, count, [&](Index i, Index k) { pass.enter(b, y, i, k); });
}

template <class T, class R>
__global__ void divide_by(FramePass<T, R> pass, FrameVectors<T> y, Index count) {
  my_share().for_each(pass.n, count, [&](Index i, Index k) { pass.divide(y, i, k); });
}

template <class T, class R>
__global__ void leave_frame(FramePass<T, R> pass, FrameVectors<const T> y, FrameVectors<T> x,
                            Index count, unsigned* status) {
  my_share().for_each(pass.n, count, [&](Index i, Index k) {
    if (!pass.leave(y, x, i, k)) raise_status(status, status_not_finite);
  });
}

template <class T>
__global__ void conjugate_all(FrameVectors<const T> from, FrameVectors<T> to, Index n,
                              Index count) {
  my_share().for_each(n, count,
                      [&](Index i, Index k) { to(i, k) = conjugate_if(true, from(i, k)); });
}

template <class T>
dim3 grid_of(const Vectors<T>& v) {
  const FrameGrid grid = frame_grid(v.n, v.count);
  return {grid.blocks, grid.rows};
}

template <class T>
bool is_empty(const Vectors<T>& v) {
  return v.n == 0 || v.count == 0;
}

template <class T>
void refill(DeviceVector<T>& to, const std::vector<T>& from) {
  if (to.size() != from.size()) to = DeviceVector<T>(from.size());
  to.load(from);
}

template <Scalar T>
struct PermuteScaleWorkspace final : Workspace {
  explicit PermuteScaleWorkspace(std::size_t size) : y(size), staged(size) {}
  Offset bytes() const override {
    return static_cast<Offset>((y.size() + staged.size()) * sizeof(T));
  }
  DeviceVector<T> y;
  DeviceVector<T> staged;  // device copy of b or x in host memory
  DeviceStatus status;
};

template <Scalar T>
class CudaPermuteScale final : public PermuteScale<T> {
 public:
  CudaPermuteScale(const Factors<T>& factors, Index rhs_per_pass)
      : n_(factors.n), rhs_per_pass_(rhs_per_pass) {
    load(factors);
  }

  void load(const Factors<T>& factors) override {
    refill(row_order_, factors.row_order);
    refill(col_order_, factors.col_order);
    refill(row_scale_, factors.row_scale);
    refill(col_scale_, factors.col_scale);
    refill(diagonal_, factors.diagonal);
  }

  std::unique_ptr<Workspace> make_workspace() const override {
    return std::make_unique<PermuteScaleWorkspace<T>>(static_cast<std::size_t>(n_) *
                                                      static_cast<std::size_t>(rhs_per_pass_));
  }

  Vectors<T> enter(Workspace& workspace, const Vectors<const T>& b, Op op, void* stream,
                   DeviceMarks* steps) const override {
    const auto& space = static_cast<PermuteScaleWorkspace<T>&>(workspace);
    const auto on = static_cast<cudaStream_t>(stream);
    const Vectors<T> y(space.y.data(), b.n, b.count);
    if (is_empty(b)) return y;
    Vectors<const T> given = b;
    if (!is_on_this_device(b.data)) {
      const Vectors<T> staged = vectors_like(b, space.staged.data());
      mark(steps, Step::copy_in, stream);
      copy_vectors(b, staged, cudaMemcpyHostToDevice, on);
      given = staged;
    }
    mark(steps, Step::permute_in, stream);
    enter_frame<<<grid_of(y), frame_threads, 0, on>>>(pass(op), frame_vectors(given),
                                                      frame_vectors(y), y.count);
    check_cuda(cudaGetLastError(), "the permutation of b");
    return y;
  }

  void divide(const Vectors<T>& y, void* stream) const override {
    if (is_empty(y) || diagonal_.size() == 0) return;
    divide_by<<<grid_of(y), frame_threads, 0, static_cast<cudaStream_t>(stream)>>>(
        pass(Op::none), frame_vectors(y), y.count);
    check_cuda(cudaGetLastError(), "the division by D");
  }

  const T* divisor() const override { return diagonal_.size() == 0 ? nullptr : diagonal_.data(); }

  bool leave(Workspace& workspace, const Vectors<T>& y, const Vectors<T>& x, Op op, void* stream,
             DeviceMarks* steps) const override {
    if (is_empty(x)) return true;
    const auto& space = static_cast<PermuteScaleWorkspace<T>&>(workspace);
    const auto on = static_cast<cudaStream_t>(stream);
    const bool to_host = !is_on_this_device(x.data);
    const Vectors<T> wanted = to_host ? vectors_like<T>(x, space.staged.data()) : x;
    mark(steps, Step::permute_out, stream);
    leave_frame<<<grid_of(y), frame_threads, 0, on>>>(pass(op), frame_vectors(Vectors<const T>(y)),
                                                      frame_vectors(wanted), y.count,
                                                      space.status.device());
    check_cuda(cudaGetLastError(), "the permutation of x");
    if (to_host) {
      mark(steps, Step::copy_out, stream);
      copy_vectors<T>(wanted, x, cudaMemcpyDeviceToHost, on);
    }
    mark(steps, no_step, stream);
    if (!to_host) return false;
    check_cuda(cudaStreamSynchronize(on), "a solve on the device");
    return true;
  }

  void conjugate(const Vectors<const T>& from, const Vectors<T>& to, void* stream) const override {
    if (is_empty(to)) return;
    const bool on_device = is_on_this_device(to.data);
    if (on_device != is_on_this_device(from.data))
      throw Error(ErrorCode::bad_argument,
                  "b and x must both be in device memory or both in host memory");
    if (!on_device) return conjugate_vectors(from, to);
    conjugate_all<<<grid_of(to), frame_threads, 0, static_cast<cudaStream_t>(stream)>>>(
        frame_vectors(from), frame_vectors(to), to.n, to.count);
    check_cuda(cudaGetLastError(), "a conjugation");
  }

  bool check(Workspace& workspace) const override {
    return (static_cast<PermuteScaleWorkspace<T>&>(workspace).status.take() & status_not_finite) ==
           0;
  }

 private:
  FramePass<DeviceScalar<T>, Real<T>> pass(Op op) const {
    const auto* const diagonal = reinterpret_cast<const DeviceScalar<T>*>(diagonal_.data());
    if (op != Op::none)
      return {n_,      col_order_.data(), row_order_.data(), col_scale_.data(), row_scale_.data(),
              diagonal};
    return {n_,      row_order_.data(), col_order_.data(), row_scale_.data(), col_scale_.data(),
            diagonal};
  }
  Index n_, rhs_per_pass_;
  DeviceVector<Index> row_order_, col_order_;
  DeviceVector<Real<T>> row_scale_, col_scale_;
  DeviceVector<T> diagonal_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<PermuteScale<T>> make_cuda_permute_scale(const Factors<T>& factors,
                                                         Index rhs_per_pass) {
  require_device();
  return std::make_unique<CudaPermuteScale<T>>(factors, rhs_per_pass);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<PermuteScale<T>> make_cuda_permute_scale(const Factors<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
