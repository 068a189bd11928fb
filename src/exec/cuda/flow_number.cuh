// exec/cuda/flow_number.cuh -- the four scalars on their way from block to block: numbers that tell
// whether they are there, and sums that several add to.
// SPDX-License-Identifier: BSD-3-Clause
//
// A number is one word or two; of two, each is there or not.  Needs the names of
// exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/device_scalar.cuh"

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

// There for all to see, whatever it is.
template <class R>
__device__ void hand_on(R* p, R a) {
  store_flow(p, not_empty_word(a));
}
template <class R>
__device__ void hand_on(DeviceComplex<R>* p, DeviceComplex<R> a) {
  store_flow(&p->re, not_empty_word(a.re));
  store_flow(&p->im, not_empty_word(a.im));
}

// In the order of arrival.  Atomic sums of float in global memory flush subnormal numbers to zero:
// each may lose up to the smallest normal number, 1.2e-38.
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
