// exec/cuda/frame/cuda_device_spmv.cu -- sparse matrix-vector products with a whole matrix by rows,
// and norms, on the device.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The entries below and above the diagonal are two separate lists, because a sweep reads
// only one of them; with short rows in one common list it would fetch the other entries as well.  A
// fixed number of warps sums up the squares for a norm, and the host adds the sums of the warps.
#include <algorithm>
#include <mutex>

#include "base/instantiate.hpp"
#include "exec/cuda/frame/scaled_squares.cuh"
#include "exec/cuda/frame/spmv_pass.cuh"
#include "exec/cuda/panels/device_rows.cuh"
#include "exec/cuda/rows/device_lists.cuh"
#include "exec/cuda/runtime/copy_vectors.cuh"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/executors.hpp"

namespace echelon {
namespace {

constexpr unsigned threads = 256;
constexpr unsigned norm_blocks = 256;
constexpr Index norm_sums = norm_blocks * threads / 32;  // per vector
constexpr int several = 4;  // right-hand sides per lane, where there is more than one
constexpr Index most_rows_of_blocks = 1024;

template <class T>
using RowPass = ProductPass<DeviceScalar<T>, Real<T>, ListsView<DeviceScalar<T>>>;

template <int V, class T, class Pass>
__global__ void subtract_rows(Pass pass, int lanes, Index count, FrameVectors<const T> b,
                              FrameVectors<const T> x, FrameVectors<T> r) {
  const Offset row = (Offset{blockIdx.x} * blockDim.x + threadIdx.x) / lanes;
  const Index i = static_cast<Index>(min(row, Offset{pass.n}));
  for (Index first = static_cast<Index>(blockIdx.y) * V; first < count;
       first += static_cast<Index>(gridDim.y) * V)
    pass.template subtract<V>(i, lanes, first, count, b, x, r);
}

template <class T, class Pass>
__global__ void follow_rows(Pass pass, Index count, FrameVectors<const T> b,
                            FrameVectors<const T> used, FrameVectors<const T> x,
                            FrameVectors<T> r) {
  const Offset i = Offset{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= pass.n) return;
  for (Index k = static_cast<Index>(blockIdx.y); k < count; k += static_cast<Index>(gridDim.y))
    pass.follow(static_cast<Index>(i), k, b, used, x, r);
}

template <class T>
__global__ void sum_squares(FrameVectors<const T> r, Index n, Index count, ScaledSquares* sums) {
  const Offset thread = Offset{blockIdx.x} * blockDim.x + threadIdx.x;
  for (Index k = static_cast<Index>(blockIdx.y); k < count; k += static_cast<Index>(gridDim.y)) {
    const ScaledSquares mine = find_squares(r, n, k, thread, Offset{gridDim.x} * blockDim.x);
    if (threadIdx.x % 32 == 0) sums[Offset{k} * norm_sums + thread / 32] = mine;
  }
}

dim3 grid_of(Offset items, Index columns) {
  return {static_cast<unsigned>((items + threads - 1) / threads),
          static_cast<unsigned>(std::min(columns, most_rows_of_blocks))};
}

template <class T>
bool is_empty(const Vectors<T>& v) {
  return v.n == 0 || v.count == 0;
}

template <Scalar T>
class CudaDeviceSpmv final : public DeviceSpmv<T> {
 public:
  void load(const SplitMatrix<T>& a) override {
    n_ = a.near.n;
    lower_.load(a.near, a.near_values);
    upper_.load(a.across, a.across_values);
  }

  void subtract(const ProductTerms<T>& terms, const Vectors<const T>& b, const Vectors<const T>& x,
                const Vectors<T>& r, void* stream) const override {
    if (is_empty(r)) return;
    const Offset entries =
        (terms.below ? lower_.nonzeros() : 0) + (terms.above ? upper_.nonzeros() : 0);
    const int lanes = lanes_for(entries, n_);
    const auto on = static_cast<cudaStream_t>(stream);
    const RowPass<T> pass{n_,          lower_.view(), upper_.view(),
                          terms.below, terms.above,   terms.diagonal};
    const auto bs = frame_vectors(b), xs = frame_vectors(x);
    const auto rs = frame_vectors(r);
    if (r.count == 1)
      subtract_rows<1>
          <<<grid_of(Offset{n_} * lanes, 1), threads, 0, on>>>(pass, lanes, 1, bs, xs, rs);
    else
      subtract_rows<several>
          <<<grid_of(Offset{n_} * lanes, (r.count + several - 1) / several), threads, 0, on>>>(
              pass, lanes, r.count, bs, xs, rs);
    check_cuda(cudaGetLastError(), "a product on the device");
  }

  void follow(Real<T> diagonal, const Vectors<const T>& b, const Vectors<const T>& used,
              const Vectors<const T>& x, const Vectors<T>& r, void* stream) const override {
    if (is_empty(r)) return;
    const RowPass<T> pass{n_, lower_.view(), upper_.view(), false, false, diagonal};
    follow_rows<<<grid_of(n_, r.count), threads, 0, static_cast<cudaStream_t>(stream)>>>(
        pass, r.count, frame_vectors(b), frame_vectors(used), frame_vectors(x), frame_vectors(r));
    check_cuda(cudaGetLastError(), "the second half of a sweep");
  }

  std::vector<double> norms(const Vectors<const T>& r, void* stream) const override {
    if (is_empty(r)) return std::vector<double>(static_cast<std::size_t>(r.count), 0.0);
    const auto on = static_cast<cudaStream_t>(stream);
    const auto size = static_cast<std::size_t>(r.count) * norm_sums;
    const std::lock_guard one_at_a_time(summing_);
    if (sums_.size() < size) sums_ = DeviceArray<ScaledSquares>(size);
    const dim3 grid(norm_blocks, static_cast<unsigned>(std::min(r.count, most_rows_of_blocks)));
    sum_squares<<<grid, threads, 0, on>>>(frame_vectors(r), r.n, r.count, sums_.data());
    check_cuda(cudaGetLastError(), "a norm on the device");
    std::vector<ScaledSquares> sums(size);
    check_cuda(cudaMemcpyAsync(sums.data(), sums_.data(), size * sizeof(ScaledSquares),
                               cudaMemcpyDeviceToHost, on),
               "cudaMemcpyAsync");
    wait(stream);
    std::vector<double> norms;
    for (Index k = 0; k < r.count; ++k) norms.push_back(norm_of(&sums[Offset{k} * norm_sums]));
    return norms;
  }

  void clear(const Vectors<T>& x, void* stream) const override {
    if (is_empty(x)) return;
    clear_vectors(x, static_cast<cudaStream_t>(stream));
  }

  void copy(const Vectors<const T>& from, const Vectors<T>& to, void* stream) const override {
    if (is_empty(to)) return;
    copy_vectors(from, to, cudaMemcpyDefault, static_cast<cudaStream_t>(stream));
  }

  void wait(void* stream) const override {
    check_cuda(cudaStreamSynchronize(static_cast<cudaStream_t>(stream)), "a sweep on the device");
  }

 private:
  static double norm_of(const ScaledSquares* sums) {
    ScaledSquares all;
    for (Index w = 0; w < norm_sums; ++w) all.join(sums[w]);
    return all.most == 0 || std::isinf(all.most) ? all.most : all.most * std::sqrt(all.sum);
  }

  Index n_ = 0;
  DeviceLists<T> lower_, upper_;
  mutable DeviceArray<ScaledSquares> sums_;  // one per warp and vector
  mutable std::mutex summing_;               // held until the host has read the sums
};

}  // namespace

template <Scalar T>
std::unique_ptr<DeviceSpmv<T>> make_cuda_device_spmv() {
  require_device();
  return std::make_unique<CudaDeviceSpmv<T>>();
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<DeviceSpmv<T>> make_cuda_device_spmv();
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
