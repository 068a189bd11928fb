// exec/cuda/runtime/flow_number.cuh -- publish, poll and atomically add the four scalar types
// between thread blocks of one launch.
// SPDX-License-Identifier: BSD-3-Clause
//
// A real number is one word, a complex number two.  A word with all bits set is empty: not yet
// published.  Each word of a complex number is published on its own; the number is there when
// neither word is empty.  Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's
// replacement for them.
#pragma once

#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

template <class R>
__device__ R look_for(const R* p) {
  return load_flow(p);
}
template <class R>
__device__ DeviceComplex<R> look_for(const DeviceComplex<R>* p) {
  DeviceComplex<R> a;
  load_flow(&p->re, a.re, a.im);
  return a;
}

template <class R>
__device__ DeviceComplex<R> load_with_neighbours(const DeviceComplex<R>* p) {
  return {load_with_neighbours(&p->re), load_with_neighbours(&p->im)};
}

template <class R>
__device__ bool is_there(R a) {
  return !is_empty_word(a);
}
template <class R>
__device__ bool is_there(DeviceComplex<R> a) {
  return !is_empty_word(a.re) && !is_empty_word(a.im);
}

template <class R>
__device__ R empty_number(R a) {
  return empty_word(a);
}
template <class R>
__device__ DeviceComplex<R> empty_number(DeviceComplex<R> a) {
  return {empty_word(a.re), empty_word(a.re)};
}

// Makes `a` visible to all blocks.  A result with the bits of the empty word is replaced by another
// NaN.
template <class R>
__device__ void publish(R* p, R a) {
  store_flow(p, not_empty_word(a));
}
template <class R>
__device__ void publish(DeviceComplex<R>* p, DeviceComplex<R> a) {
  store_flow(&p->re, not_empty_word(a.re));
  store_flow(&p->im, not_empty_word(a.im));
}

// Sums in order of arrival.  Atomic sums of float in global memory flush subnormal numbers to zero:
// each addition may lose up to the smallest normal number, 1.2e-38.
template <class R>
__device__ void add_atomic(R* p, R a) {
  atomicAdd(p, a);
}
template <class R>
__device__ void add_atomic(DeviceComplex<R>* p, DeviceComplex<R> a) {
  atomicAdd(&p->re, a.re);
  atomicAdd(&p->im, a.im);
}

}  // namespace echelon
