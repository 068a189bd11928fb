// adapters/cusparse/engine/kernels.cu -- digests of arrays, and right-hand sides copied with a
// factor.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A digest is two sums over the entries of a word mixed with its position.  Sums do not
// depend on the order of the additions, so that atomics give the same digest in every run.  For a
// fixed position the mix is a bijection: a change of one entry always changes the digest.
#include <algorithm>

#include "cuda_check.hpp"
#include "kernels.hpp"

namespace echelon::dropin {
namespace {

using Word = unsigned long long;
constexpr int block_threads = 256;
constexpr Offset most_blocks = 2048;

int blocks_for(Offset count) {
  const Offset blocks = (count + block_threads - 1) / block_threads;
  return static_cast<int>(std::clamp<Offset>(blocks, 1, most_blocks));
}

// The finalizer of MurmurHash3, a bijection of 64-bit words.
__device__ Word mix(Word x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

__device__ Word sum_of_warp(Word x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_down_sync(~0u, x, step);
  return x;
}

template <class Entry>
__global__ void add_digest(const Entry* entries, Offset count, Offset base, Word* sums) {
  Word low = 0, high = 0;
  const Offset stride = Offset{gridDim.x} * block_threads;
  for (Offset i = Offset{blockIdx.x} * block_threads + threadIdx.x; i < count; i += stride) {
    const Word word = static_cast<Word>(static_cast<Offset>(entries[i]) - base);
    const Word mixed = mix(word + mix(static_cast<Word>(i) + 0x9e3779b97f4a7c15ULL));
    low += mixed;
    high += mix(mixed ^ 0xd6e8feb86659fd93ULL);
  }
  low = sum_of_warp(low);
  high = sum_of_warp(high);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sums, low);
    atomicAdd(sums + 1, high);
  }
}

template <class Entry>
void launch_digest(const void* entries, Offset count, Offset base, Word* sums,
                   cudaStream_t stream) {
  if (count == 0) return;
  add_digest<<<blocks_for(count), block_threads, 0, stream>>>(static_cast<const Entry*>(entries),
                                                              count, base, sums);
}

void launch_digest(const DeviceIndices& a, Word* sums, cudaStream_t stream) {
  if (a.wide)
    launch_digest<std::int64_t>(a.data, a.count, a.base, sums, stream);
  else
    launch_digest<std::int32_t>(a.data, a.count, a.base, sums, stream);
}

template <class R>
struct Complex {
  R re, im;
};
__device__ float product(float a, float b) { return a * b; }
__device__ double product(double a, double b) { return a * b; }
template <class R>
__device__ Complex<R> product(Complex<R> a, Complex<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <class T>
struct KernelFactor {
  T number;
  const T* device;  // if not null, read instead of `number`
};

// `minor` is the direction in which x is contiguous.
template <class T>
__global__ void scale_entries(const T* from, Offset from_minor, Offset from_major, T* to,
                              Offset to_major, Index minor, Index major, KernelFactor<T> factor) {
  const T alpha = factor.device == nullptr ? factor.number : *factor.device;
  const Offset count = Offset{minor} * major;
  const Offset stride = Offset{gridDim.x} * block_threads;
  for (Offset e = Offset{blockIdx.x} * block_threads + threadIdx.x; e < count; e += stride) {
    const Offset k = e / minor, i = e % minor;
    to[i + k * to_major] = product(alpha, from[i * from_minor + k * from_major]);
  }
}

template <class T>
void scale_as(const Dense& from, const Dense& to, const Factor& factor, cudaStream_t stream) {
  KernelFactor<T> f{};
  if (factor.on_device)
    f.device = static_cast<const T*>(factor.number);
  else
    f.number = *static_cast<const T*>(factor.number);
  const bool by_columns = to.layout == Layout::column_major;
  const Vectors<T> source = from.as<T>();
  const Offset minor = by_columns ? source.step() : source.stride();
  const Offset major = by_columns ? source.stride() : source.step();
  scale_entries<<<blocks_for(Offset{to.n} * to.count), block_threads, 0, stream>>>(
      static_cast<const T*>(from.data), minor, major, static_cast<T*>(to.data), to.leading,
      by_columns ? to.n : to.count, by_columns ? to.count : to.n, f);
  check_cuda(cudaGetLastError(), "the kernel that scales right-hand sides");
}

}  // namespace

Digests digest(const DeviceMatrix& a, void* scratch, cudaStream_t stream) {
  Word* const sums = static_cast<Word*>(scratch);
  check_cuda(cudaMemsetAsync(sums, 0, digest_bytes, stream), "cudaMemsetAsync");
  launch_digest(a.start, sums, stream);
  launch_digest(a.index, sums + 2, stream);
  const auto words = static_cast<Offset>(size_of(a.type)) * a.nnz;
  if (size_of(a.type) % 8 == 0)
    launch_digest<std::int64_t>(a.value, words / 8, 0, sums + 4, stream);
  else
    launch_digest<std::int32_t>(a.value, words / 4, 0, sums + 4, stream);
  check_cuda(cudaGetLastError(), "the kernel that compares matrices");
  Digests found;
  download(sums, &found, digest_bytes, stream);
  return found;
}

void scale(const Dense& from, const Dense& to, const Factor& factor, cudaDataType type,
           cudaStream_t stream) {
  switch (type) {
    case CUDA_R_32F:
      return scale_as<float>(from, to, factor, stream);
    case CUDA_R_64F:
      return scale_as<double>(from, to, factor, stream);
    case CUDA_C_32F:
      return scale_as<Complex<float>>(from, to, factor, stream);
    default:
      return scale_as<Complex<double>>(from, to, factor, stream);
  }
}

}  // namespace echelon::dropin
