// base/gemm.cpp -- picks the build of the matrix product, or BLAS.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm.hpp"

#include "base/blas.hpp"
#include "base/gemm_text.hpp"
#include "base/instantiate.hpp"
#include "base/vector_unit.hpp"

namespace echelon {

#define ECHELON_DECLARE_GEMM(unit)                \
  extern const GemmText<float> gemm_float_##unit; \
  extern const GemmText<double> gemm_double_##unit;
ECHELON_DECLARE_GEMM(plain)
#ifdef __x86_64__
ECHELON_DECLARE_GEMM(avx2)
ECHELON_DECLARE_GEMM(avx512)
#endif
#undef ECHELON_DECLARE_GEMM

namespace {

template <class R>
GemmText<R> pick() {
  constexpr bool single = sizeof(R) == sizeof(float);
#define ECHELON_PICK(unit)    \
  if constexpr (single)       \
    return gemm_float_##unit; \
  else                        \
    return gemm_double_##unit;
#ifdef __x86_64__
  switch (find_vector_unit()) {
    case VectorUnit::avx512:
      ECHELON_PICK(avx512)
    case VectorUnit::avx2:
      ECHELON_PICK(avx2)
    case VectorUnit::plain:
      break;
  }
#endif
  ECHELON_PICK(plain)
#undef ECHELON_PICK
}

}  // namespace

template <Scalar T>
void gemm(const Gemm<T>& g, GemmSpace<Real<T>>& space) {
  if (g.m <= 0 || g.n <= 0 || g.k <= 0) return;
  if constexpr (is_complex<T>) {
    blas_multiply<T>({false, g.m, g.k, g.n, g.alpha, g.a, static_cast<Index>(g.lda), g.b,
                      static_cast<Index>(g.ldb), T(1), g.c, static_cast<Index>(g.ldc)});
  } else {
    constexpr std::size_t most_tile = 64;  // rows or columns a tile may be padded by
    space.a.resize((GemmSizes::rows + most_tile) * GemmSizes::depth);
    space.b.resize((GemmSizes::columns + most_tile) * GemmSizes::depth);
    pick<T>()(g, space.a.data(), space.b.data());
  }
}

#define ECHELON_INSTANTIATE(T) template void gemm(const Gemm<T>&, GemmSpace<Real<T>>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
