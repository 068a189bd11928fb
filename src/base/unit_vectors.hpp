// base/unit_vectors.hpp -- SIMD vector types as wide as the vector unit that a file is compiled
// for.
// SPDX-License-Identifier: BSD-3-Clause
//
// These are the vector types of GCC and clang, never wider than a register: GCC splits wider ones
// through the stack.  Only for the files of echelon_vector_units.  Everything here is local to the
// including file and calls nothing of the standard library: otherwise the linker could pick an
// inline function compiled for a wide unit for the rest of the program.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// The name of a symbol that each unit defines: ECHELON_OF_UNIT(gemm) is gemm_avx2 if ECHELON_UNIT
// is avx2.
#define ECHELON_UNIT_NAME(stem, unit) stem##_##unit
#define ECHELON_UNIT_NAME_OF(stem, unit) ECHELON_UNIT_NAME(stem, unit)
#define ECHELON_OF_UNIT(stem) ECHELON_UNIT_NAME_OF(stem, ECHELON_UNIT)

namespace echelon {
namespace {

// Bytes per vector, and the number of vectors a loop keeps in registers: sums it accumulates into,
// or factors it multiplies with.  The other registers hold temporaries, also a product if it is not
// fused.
#if defined(__AVX512F__)
constexpr int unit_bytes = 64, unit_sums = 16, unit_factors = 16;
#elif defined(__AVX2__)
constexpr int unit_bytes = 32, unit_sums = 8, unit_factors = 8;
#elif defined(__aarch64__)
constexpr int unit_bytes = 16, unit_sums = 16, unit_factors = 16;
#else
constexpr int unit_bytes = 16, unit_sums = 8, unit_factors = 4;
#endif

// With sanitizers, kernels inlined into one function would take minutes to compile.
#ifdef ECHELON_SANITIZED
#define ECHELON_INLINE inline
#else
#define ECHELON_INLINE inline __attribute__((always_inline))
#endif

template <class R, int lanes>
struct VectorOf {
  typedef R type __attribute__((vector_size(lanes * sizeof(R))));
};
template <class R, int lanes>
using VectorWith = typename VectorOf<R, lanes>::type;

// x in every lane.  By a difference: a sum with zero loses the sign of -0.
template <class V, class R>
ECHELON_INLINE V all_lanes(R x) {
  return x - V{};
}

// c + a b and c - a b, rounded once if the unit has a fused instruction.  The intrinsic is
// explicit: compilers that fuse automatically fuse some sums and not others (GCC 13 leaves chains
// of sums unfused), and the same sum would have different bits in another loop.
#if defined(__AVX2__)
ECHELON_INLINE __m256d add_product(__m256d c, __m256d a, __m256d b) {
  return _mm256_fmadd_pd(a, b, c);
}
ECHELON_INLINE __m256 add_product(__m256 c, __m256 a, __m256 b) { return _mm256_fmadd_ps(a, b, c); }
ECHELON_INLINE __m256d subtract_product(__m256d c, __m256d a, __m256d b) {
  return _mm256_fnmadd_pd(a, b, c);
}
ECHELON_INLINE __m256 subtract_product(__m256 c, __m256 a, __m256 b) {
  return _mm256_fnmadd_ps(a, b, c);
}
#ifdef __AVX512F__
ECHELON_INLINE __m512d add_product(__m512d c, __m512d a, __m512d b) {
  return _mm512_fmadd_pd(a, b, c);
}
ECHELON_INLINE __m512 add_product(__m512 c, __m512 a, __m512 b) { return _mm512_fmadd_ps(a, b, c); }
ECHELON_INLINE __m512d subtract_product(__m512d c, __m512d a, __m512d b) {
  return _mm512_fnmadd_pd(a, b, c);
}
ECHELON_INLINE __m512 subtract_product(__m512 c, __m512 a, __m512 b) {
  return _mm512_fnmadd_ps(a, b, c);
}
#endif
#elif defined(__aarch64__)
ECHELON_INLINE float64x2_t add_product(float64x2_t c, float64x2_t a, float64x2_t b) {
  return vfmaq_f64(c, a, b);
}
ECHELON_INLINE float32x4_t add_product(float32x4_t c, float32x4_t a, float32x4_t b) {
  return vfmaq_f32(c, a, b);
}
ECHELON_INLINE float64x2_t subtract_product(float64x2_t c, float64x2_t a, float64x2_t b) {
  return vfmsq_f64(c, a, b);
}
ECHELON_INLINE float32x4_t subtract_product(float32x4_t c, float32x4_t a, float32x4_t b) {
  return vfmsq_f32(c, a, b);
}
#else
template <class V>
ECHELON_INLINE V add_product(V c, V a, V b) {
  return c + a * b;
}
template <class V>
ECHELON_INLINE V subtract_product(V c, V a, V b) {
  return c - a * b;
}
#endif

// Converts floats to doubles.  Without the explicit instruction GCC converts one number at a time,
// or through the stack.
template <int lanes>
ECHELON_INLINE VectorWith<double, lanes> to_double(VectorWith<float, lanes> v) {
#ifndef __clang__
#ifdef __x86_64__
  if constexpr (lanes == 2) {
    double both;
    __builtin_memcpy(&both, &v, sizeof(v));
    return __builtin_ia32_cvtps2pd((VectorWith<float, 4>)VectorWith<double, 2>{both, 0});
  }
#endif
#ifdef __AVX2__
  if constexpr (lanes == 4) return __builtin_ia32_cvtps2pd256(v);
#endif
#ifdef __AVX512F__
  if constexpr (lanes == 8)
    return __builtin_ia32_cvtps2pd512_mask(v, VectorWith<double, lanes>{}, -1, 4);
#endif
#ifdef __aarch64__
  if constexpr (lanes == 2) return vcvt_f64_f32((float32x2_t)v);
#endif
#endif
  return __builtin_convertvector(v, VectorWith<double, lanes>);
}

// Loads `lanes` numbers stored as S from an unaligned address, converted to R.
template <class S, class R, int lanes>
ECHELON_INLINE VectorWith<R, lanes> load_vector(const S* p) {
  VectorWith<S, lanes> v;  // memcpy: through a cast, clang assumes that p is aligned
  __builtin_memcpy(&v, p, sizeof(v));
  if constexpr (sizeof(S) == sizeof(R))
    return v;
  else
    return to_double<lanes>(v);
}
template <class R, class V>
ECHELON_INLINE void store_vector(R* p, V v) {
  __builtin_memcpy(p, &v, sizeof(v));
}

}  // namespace
}  // namespace echelon
