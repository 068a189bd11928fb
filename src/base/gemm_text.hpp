// base/gemm_text.hpp -- the text of the matrix product, compiled once for each vector unit.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A is packed into tiles of a few vectors of rows, B into tiles of a few columns; a tile
// of C stays in registers while k runs (Goto and van de Geijn, ACM TOMS 34, 2008).
//
// As with the panel kernels, all is local to the including file and calls nothing of the
// standard library.
#pragma once

#include "base/gemm.hpp"

namespace echelon {

struct GemmSizes {
  static constexpr Index depth = 256;  // of k: a tile of B stays in the first cache
  static constexpr Index rows = 192;   // of A packed at a time: in the second cache
  static constexpr Index columns = 512;
};

template <class R>
using GemmText = void (*)(const Gemm<R>& g, R* packed_a, R* packed_b);

namespace {

// Tile of C: V vectors of 64 bytes by N columns.
#if defined(__AVX512F__)
constexpr int V = 3, N = 8;
#elif defined(__AVX2__)
constexpr int V = 1, N = 5;
#else
constexpr int V = 1, N = 2;
#endif

template <class R>
struct WideOf {
  typedef R type __attribute__((vector_size(64), aligned(sizeof(R)), may_alias));
};
template <class R>
using Wide = typename WideOf<R>::type;
template <class R>
constexpr Index lanes = 64 / sizeof(R);

inline Index least(Index a, Index b) { return a < b ? a : b; }

// Rows in tiles of V vectors, k after k; the last tile filled up with zeros.
template <class R>
void pack_a(const R* a, Offset lda, Index m, Index k, R* out) {
  constexpr Index height = V * lanes<R>;
  for (Index i = 0; i < m; i += height)
    for (Index p = 0; p < k; ++p) {
      const R* const column = a + p * lda + i;
      const Index rows = least(height, m - i);
      for (Index r = 0; r < rows; ++r) out[r] = column[r];
      for (Index r = rows; r < height; ++r) out[r] = R(0);
      out += height;
    }
}

template <class R>
void pack_b(const R* b, Offset ldb, Index k, Index n, R alpha, R* out) {
  for (Index j = 0; j < n; j += N)
    for (Index p = 0; p < k; ++p)
      for (Index c = 0; c < N; ++c) *out++ = j + c < n ? alpha * b[(j + c) * ldb + p] : R(0);
}

// One tile of C += packed A times packed B; m and n may cut it.
template <class R>
void tile(Index k, const R* a, const R* b, R* c, Offset ldc, Index m, Index n) {
  constexpr Index l = lanes<R>;
  Wide<R> sum[N][V] = {};
  for (Index p = 0; p < k; ++p, a += V * l, b += N) {
    Wide<R> rows[V];
    for (int v = 0; v < V; ++v) rows[v] = *reinterpret_cast<const Wide<R>*>(a + v * l);
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v) sum[j][v] += rows[v] * b[j];
  }
  if (m == V * l && n == N) {
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v) *reinterpret_cast<Wide<R>*>(c + j * ldc + v * l) += sum[j][v];
  } else {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) c[j * ldc + i] += sum[j][i / l][i % l];
  }
}

template <class R>
void run_gemm(const Gemm<R>& g, R* packed_a, R* packed_b) {
  constexpr Index height = V * lanes<R>;
  for (Index j = 0; j < g.n; j += GemmSizes::columns)
    for (Index p = 0; p < g.k; p += GemmSizes::depth) {
      const Index n = least(GemmSizes::columns, g.n - j), k = least(GemmSizes::depth, g.k - p);
      pack_b(g.b + j * g.ldb + p, g.ldb, k, n, g.alpha, packed_b);
      for (Index i = 0; i < g.m; i += GemmSizes::rows) {
        const Index m = least(GemmSizes::rows, g.m - i);
        pack_a(g.a + p * g.lda + i, g.lda, m, k, packed_a);
        for (Index jj = 0; jj < n; jj += N)
          for (Index ii = 0; ii < m; ii += height)
            tile(k, packed_a + Offset{ii} * k, packed_b + Offset{jj} * k,
                 g.c + (j + jj) * g.ldc + i + ii, g.ldc, least(height, m - ii), least(N, n - jj));
      }
    }
}

}  // namespace
}  // namespace echelon
