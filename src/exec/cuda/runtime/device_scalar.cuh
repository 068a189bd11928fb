// exec/cuda/runtime/device_scalar.cuh -- the four scalar types in device code, and how panels store
// them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// Same memory layout as std::complex, with plain arithmetic.
template <class R>
struct DeviceComplex {
  R re, im;
};
template <class R>
__device__ DeviceComplex<R> operator+(DeviceComplex<R> a, DeviceComplex<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
__device__ DeviceComplex<R> operator-(DeviceComplex<R> a, DeviceComplex<R> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
__device__ DeviceComplex<R> operator-(DeviceComplex<R> a) {
  return {-a.re, -a.im};
}
template <class R>
__device__ DeviceComplex<R> operator*(DeviceComplex<R> a, DeviceComplex<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// Smith's algorithm: no square overflows.
template <class R>
__device__ DeviceComplex<R> operator/(DeviceComplex<R> a, DeviceComplex<R> b) {
  if (fabs(b.re) >= fabs(b.im)) {
    const R q = b.im / b.re, d = b.re + b.im * q;
    return {(a.re + a.im * q) / d, (a.im - a.re * q) / d};
  }
  const R q = b.re / b.im, d = b.re * q + b.im;
  return {(a.re * q + a.im) / d, (a.im * q - a.re) / d};
}

// a b + c, with fused multiply-adds.
template <class R>
__device__ R multiply_add(R a, R b, R c) {
  return fma(a, b, c);
}
template <class R>
__device__ DeviceComplex<R> multiply_add(DeviceComplex<R> a, DeviceComplex<R> b,
                                         DeviceComplex<R> c) {
  return {fma(-a.im, b.im, fma(a.re, b.re, c.re)), fma(a.im, b.re, fma(a.re, b.im, c.im))};
}

template <Scalar T>
struct DeviceScalarOf {
  using type = T;
};
template <class R>
struct DeviceScalarOf<std::complex<R>> {
  using type = DeviceComplex<R>;
};
template <Scalar T>
using DeviceScalar = typename DeviceScalarOf<T>::type;

template <class R>
__device__ R zero_of(R) {
  return R(0);
}
template <class R>
__device__ DeviceComplex<R> zero_of(DeviceComplex<R>) {
  return {R(0), R(0)};
}
template <class R>
__device__ R one_of(R) {
  return R(1);
}
template <class R>
__device__ DeviceComplex<R> one_of(DeviceComplex<R>) {
  return {R(1), R(0)};
}
template <class R>
__device__ R conjugate_if(bool, R a) {
  return a;
}
template <class R>
__device__ DeviceComplex<R> conjugate_if(bool yes, DeviceComplex<R> a) {
  return {a.re, yes ? -a.im : a.im};
}
template <class R>
__device__ bool is_finite(R a) {
  return isfinite(a);
}
template <class R>
__device__ bool is_finite(DeviceComplex<R> a) {
  return isfinite(a.re) && isfinite(a.im);
}
// The value of lane `from`; each lane may ask for a different lane.
template <class R>
__device__ R broadcast(R a, int from) {
  return __shfl_sync(~0u, a, from);
}
template <class R>
__device__ DeviceComplex<R> broadcast(DeviceComplex<R> a, int from) {
  return {__shfl_sync(~0u, a.re, from), __shfl_sync(~0u, a.im, from)};
}
// The sum over all 32 lanes, or over each group of `lanes` neighbours (a power of two).  Every lane
// gets the sum; the order of additions is fixed.
template <class R>
__device__ R sum_over_lanes(R a, int lanes = 32) {
  for (int step = lanes / 2; step > 0; step /= 2) a += __shfl_xor_sync(~0u, a, step);
  return a;
}
template <class R>
__device__ DeviceComplex<R> sum_over_lanes(DeviceComplex<R> a, int lanes = 32) {
  return {sum_over_lanes(a.re, lanes), sum_over_lanes(a.im, lanes)};
}

// Converts a stored number to the precision of the computation.
template <class R, class S>
__device__ R widen(S a, R) {
  return static_cast<R>(a);
}
template <class R, class S>
__device__ DeviceComplex<R> widen(DeviceComplex<S> a, DeviceComplex<R>) {
  return {static_cast<R>(a.re), static_cast<R>(a.im)};
}

// Entry i of a stored column, counted from its first stored row.  Complex columns store groups of 8
// rows: 8 real parts, then 8 imaginary parts.
template <class R, class S>
__device__ R entry(const S* panel, Offset column, Index i, R) {
  return static_cast<R>(panel[column + i]);
}
template <class R, class S>
__device__ DeviceComplex<R> entry(const S* panel, Offset column, Index i, DeviceComplex<R>) {
  const S* const a = panel + 2 * column + i / 8 * 16 + i % 8;
  return {static_cast<R>(a[0]), static_cast<R>(a[8])};
}

}  // namespace echelon
