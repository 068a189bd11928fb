// base/gemm.cpp -- selects the GEMM kernel of a vector unit; a complex product is four real ones.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/gemm.hpp"

#include <algorithm>
#include <complex>

#include "base/gemm_text.hpp"
#include "base/instantiate.hpp"
#include "base/vector_unit.hpp"

namespace echelon {

#define ECHELON_DECLARE(unit) extern const GemmKernels gemm_##unit;
ECHELON_FOR_EACH_UNIT(ECHELON_DECLARE)
#undef ECHELON_DECLARE

namespace {

const GemmKernels& kernels_of(VectorUnit unit) {
  switch (find_vector_unit(unit)) {
#define ECHELON_CASE(unit) \
  case VectorUnit::unit:   \
    return gemm_##unit;
    ECHELON_FOR_EACH_UNIT(ECHELON_CASE)
#undef ECHELON_CASE
    default:
      __builtin_unreachable();
  }
}

template <class R>
void multiply_real(const Gemm<R>& g, GemmSpace<R>& space) {
  constexpr std::size_t most_tile = 64;  // padding: most rows or columns of a tile
  space.a.resize((GemmSizes::rows + most_tile) * GemmSizes::depth);
  space.b.resize((GemmSizes::columns + most_tile) * GemmSizes::depth);
  const GemmKernels& kernels = kernels_of(space.unit);
  if constexpr (sizeof(R) == sizeof(float))
    kernels.in_float(g, space.a.data(), space.b.data());
  else
    kernels.in_double(g, space.a.data(), space.b.data());
}

// Real and imaginary parts of an m by n block, each with leading dimension m.
template <class R>
void split(const std::complex<R>* a, Offset lda, Index m, Index n, Buffer<R>& re, Buffer<R>& im) {
  re.resize(static_cast<std::size_t>(m) * n);
  im.resize(re.size());
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      re[Offset{j} * m + i] = a[j * lda + i].real();
      im[Offset{j} * m + i] = a[j * lda + i].imag();
    }
}

// In blocks no larger than those the real product packs at a time.
template <class R>
void multiply_complex(const Gemm<std::complex<R>>& g, GemmSpace<R>& space) {
  auto& [a_re, a_im, b_re, b_im, c_re, c_im] = space.plane;
  for (Index j = 0; j < g.n; j += GemmSizes::columns)
    for (Index p = 0; p < g.k; p += GemmSizes::depth) {
      const Index n = std::min(GemmSizes::columns, g.n - j),
                  k = std::min(GemmSizes::depth, g.k - p);
      split(g.b + j * g.ldb + p, g.ldb, k, n, b_re, b_im);
      for (Index i = 0; i < g.m; i += GemmSizes::rows) {
        const Index m = std::min(GemmSizes::rows, g.m - i);
        split(g.a + p * g.lda + i, g.lda, m, k, a_re, a_im);
        c_re.assign(static_cast<std::size_t>(m) * n, R(0));
        c_im.assign(c_re.size(), R(0));
        const auto add = [&](R sign, const Buffer<R>& a, const Buffer<R>& b, Buffer<R>& c) {
          multiply_real<R>({m, n, k, sign * g.alpha, a.data(), m, b.data(), k, c.data(), m}, space);
        };
        add(1, a_re, b_re, c_re);
        add(-1, a_im, b_im, c_re);
        add(1, a_re, b_im, c_im);
        add(1, a_im, b_re, c_im);
        for (Index jj = 0; jj < n; ++jj)
          for (Index ii = 0; ii < m; ++ii) {
            const Offset at = Offset{jj} * m + ii;
            g.c[(j + jj) * g.ldc + i + ii] += std::complex<R>(c_re[at], c_im[at]);
          }
      }
    }
}

}  // namespace

template <Scalar T>
void gemm(const Gemm<T>& g, GemmSpace<Real<T>>& space) {
  if (g.m <= 0 || g.n <= 0 || g.k <= 0) return;
  if constexpr (is_complex<T>)
    multiply_complex(g, space);
  else
    multiply_real(g, space);
}

#define ECHELON_INSTANTIATE(T) template void gemm(const Gemm<T>&, GemmSpace<Real<T>>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
