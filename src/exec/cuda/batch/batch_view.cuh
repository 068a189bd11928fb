// exec/cuda/batch/batch_view.cuh -- a batch and one solve with it, as its kernels see them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/batch/batch_steps.hpp"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

template <class R>
__device__ R real_part(R a) {
  return a;
}
template <class R>
__device__ R real_part(DeviceComplex<R> a) {
  return a.re;
}
template <class R>
__device__ R none_of(R) {
  return R(nan(""));
}
template <class R>
__device__ DeviceComplex<R> none_of(DeviceComplex<R>) {
  return {R(nan("")), R(nan(""))};
}
// The value of the lane whose number differs in the bit `apart`.
template <class R>
__device__ R from_lane(R a, int apart) {
  return __shfl_xor_sync(~0u, a, apart);
}
template <class R>
__device__ DeviceComplex<R> from_lane(DeviceComplex<R> a, int apart) {
  return {__shfl_xor_sync(~0u, a.re, apart), __shfl_xor_sync(~0u, a.im, apart)};
}

// W neighbouring systems are a group; entry p of the system in lane w is
// value[group * group_size + p * W + w].
template <class T>
struct BatchView {
  Index n, entries, count;
  bool unit;              // else the diagonal is the last entry of each row
  const Index* row;       // unknown of each row
  const Index* start;     // size n+1: of the entries of each row
  const BatchStep* step;  // three more than `steps`: a kernel reads ahead
  Index steps;
  const Index* piece;  // of the entries, in the order of reading; see ValueRing
  const void* index;   // unknown of each entry: 16 bits if the vectors fit shared memory, else 32;
                       // whole units of 4 bytes
  const T* value;
  Offset group_size;
  const unsigned char* divides;  // by group: the diagonal is stored as it is
  const unsigned* refused;       // by system: 0 if it can be solved
};

// Right-hand side r of system k is vector k * nrhs + r.
template <class T>
struct BatchCall {
  T alpha;
  bool scales, conjugates;
  Index nrhs;
  const T* b;
  Offset b_step, b_stride;
  T* x;
  Offset x_step, x_stride;
  unsigned char* bad;  // by vector: whether an entry of x is not finite
};

// What the kernels that fill `value` read and write besides.
template <class T>
struct BatchStore {
  struct Source {
    Offset place;  // its complement: of a diagonal entry
    Index next;
  };
  Index n, entries, count;
  bool unit, conjugated;
  const Index* start;
  const Source* source;
  const Source* more;
  T* value;
  Offset group_size;
  unsigned char* divides;
  unsigned* refused;
};

}  // namespace echelon
