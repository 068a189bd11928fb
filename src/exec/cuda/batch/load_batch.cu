// exec/cuda/batch/load_batch.cu -- copies values of systems on the device into groups.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A thread block reads a piece of the values of a group system by system and writes it
// entry by entry, through shared memory, so that both are contiguous.  It notes what it finds: a
// system that cannot be solved, a group whose diagonal has an entry without a good reciprocal.  A
// second kernel then replaces the diagonals of all other groups by their reciprocals.
#include <limits>

#include "exec/cuda/batch/load_batch.hpp"
#include "exec/cuda/runtime/check.cuh"

namespace echelon {
namespace {

constexpr int piece = 64;  // entries of a thread block
constexpr int load_threads = 256;
// As SystemState numbers them.
constexpr unsigned zero_on_diagonal = 1, value_not_finite = 2;

template <class R>
__device__ R size_of(R a) {
  return fabs(a);
}
template <class R>
__device__ R size_of(DeviceComplex<R> a) {
  return fmax(fabs(a.re), fabs(a.im));
}
template <class T>
__device__ bool has_reciprocal(T d) {
  const auto size = size_of(d);
  const auto low = 4 * std::numeric_limits<decltype(size_of(d))>::min();
  return size > low && size < 1 / low;
}

template <class T>
__device__ T value_of(const BatchStore<T>& m, const T* stored, typename BatchStore<T>::Source from,
                      Offset place) {
  T v = stored[place];
  while (from.next >= 0) {
    from = m.more[from.next];
    v = v + stored[from.place];
  }
  return conjugate_if(m.conjugated, v);
}

// Entry p of system k, which is number `there` of those that are given; checked.
template <class T>
__device__ T checked_value(const BatchStore<T>& m, Index p, Index k, int width, const T* stored) {
  const auto from = m.source[p];
  const bool diagonal = from.place < 0;
  const T v = value_of(m, stored, from, diagonal ? ~from.place : from.place);
  const bool finite = is_finite(v), zero = diagonal && size_of(v) == 0;
  if (!finite) atomicMax(m.refused + k, value_not_finite);
  if (zero) atomicMax(m.refused + k, zero_on_diagonal);
  if (!diagonal) return v;
  if (!finite || zero) return one_of(v);  // this system's answers are not used
  if (!has_reciprocal(v)) m.divides[k / width] = 1;
  return v;
}

template <class T>
__global__ void __launch_bounds__(load_threads)
    load_kernel(BatchStore<T> m, int width, Index first, Index systems, const T* values,
                Offset stride) {
  extern __shared__ __align__(16) char load_memory[];
  T* const tile = reinterpret_cast<T*>(load_memory);
  const Index group = static_cast<Index>(blockIdx.x),
              begin = static_cast<Index>(blockIdx.y) * piece;
  for (int at = static_cast<int>(threadIdx.x); at < piece * width; at += load_threads) {
    const int w = at / piece;
    const Index p = begin + at % piece, there = group * width + w;
    if (p >= m.entries) continue;
    T v = zero_of(T());
    if (there < systems)
      v = checked_value(m, p, first + there, width, values + there * stride);
    else if (m.source[p].place < 0)
      v = one_of(v);
    tile[at % piece * width + w] = v;
  }
  __syncthreads();
  T* const to = m.value + (first / width + group) * m.group_size + Offset{begin} * width;
  const Index count = min(piece, m.entries - begin) * width;
  for (Index at = static_cast<Index>(threadIdx.x); at < count; at += load_threads)
    to[at] = tile[at];
}

template <class T>
__global__ void __launch_bounds__(load_threads) invert_kernel(BatchStore<T> m, int width) {
  if (m.divides[blockIdx.x] != 0) return;
  T* const value = m.value + blockIdx.x * m.group_size;
  const Index k = static_cast<Index>(blockIdx.y) * (load_threads / width) +
                  static_cast<Index>(threadIdx.x) / width;
  if (k >= m.n) return;
  T& d = value[Offset{m.start[k + 1] - 1} * width + threadIdx.x % width];
  d = one_of(d) / d;
}

unsigned pieces_of(Index items, Index each) {
  return static_cast<unsigned>((items + each - 1) / each);
}

}  // namespace

template <class T>
void load_groups(const BatchStore<T>& store, int width, Index first, Index systems, const T* values,
                 Offset stride, cudaStream_t stream) {
  const unsigned groups = pieces_of(systems, width);
  if (groups == 0 || store.entries == 0) return;
  const auto shared = static_cast<std::size_t>(piece * width) * sizeof(T);
  load_kernel<<<dim3(groups, pieces_of(store.entries, piece)), load_threads, shared, stream>>>(
      store, width, first, systems, values, stride);
  check_cuda(cudaGetLastError(), "a launch to load a batch");
  if (store.unit) return;
  BatchStore<T> part = store;
  part.value += first / width * store.group_size;
  part.divides += first / width;
  invert_kernel<<<dim3(groups, pieces_of(store.n, load_threads / width)), load_threads, 0,
                  stream>>>(part, width);
  check_cuda(cudaGetLastError(), "a launch to load a batch");
}

#define ECHELON_INSTANTIATE(T)                                                         \
  template void load_groups(const BatchStore<T>&, int, Index, Index, const T*, Offset, \
                            cudaStream_t);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(DeviceComplex<float>)
ECHELON_INSTANTIATE(DeviceComplex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
