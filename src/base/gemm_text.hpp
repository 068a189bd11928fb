// base/gemm_text.hpp -- the GEMM kernels, compiled once per vector unit.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A is packed into tiles of V vectors of rows, B into tiles of N columns; a tile of C
// stays in registers over the loop on k (Goto and van de Geijn, ACM TOMS 34, 2008).
//
// Each entry of C is summed in the order of k, for every unit and every partition of a product.
#pragma once

#include "base/gemm.hpp"
#include "base/unit_vectors.hpp"

// Kernels take the operands of a product, and their loops stay in one function, so that sums stay
// in registers.  Offsets inside a strip fit an int.
// NOLINTBEGIN(readability-function-size,readability-function-cognitive-complexity)
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
namespace echelon {

struct GemmSizes {
  static constexpr Index depth = 256;  // of k: a tile of B stays in L1
  static constexpr Index rows = 192;   // of A packed at a time: they stay in L2
  static constexpr Index columns = 512;
};

template <class R>
using GemmText = void (*)(const Gemm<R>& g, R* packed_a, R* packed_b);

// The kernels of one vector unit.
struct GemmKernels {
  GemmText<float> in_float;
  GemmText<double> in_double;
};

namespace {

// Tile of C: V vectors of rows by N columns.  Its sums, V vectors of A and one broadcast entry of B
// must fit in the registers.
#if defined(__AVX512F__)
constexpr int V = 3, N = 8;
#elif defined(__AVX2__)
constexpr int V = 3, N = 4;
#elif defined(__aarch64__)
constexpr int V = 4, N = 4;
#else
constexpr int V = 2, N = 4;
#endif

template <class R>
constexpr int lanes = unit_bytes / static_cast<int>(sizeof(R));
template <class R>
using Vector = VectorWith<R, lanes<R>>;
template <class R>
constexpr Index tile_rows = V* lanes<R>;

inline Index least(Index a, Index b) { return a < b ? a : b; }

// Rows in tiles of V vectors, k after k; the last tile is padded with zeros.
template <class R>
void pack_a(const R* a, Offset lda, Index m, Index k, R* out) {
  constexpr Index height = tile_rows<R>;
  for (Index i = 0; i < m; i += height)
    for (Index p = 0; p < k; ++p) {
      const R* const column = a + p * lda + i;
      if (i + height <= m) {
        __builtin_memcpy(out, column, height * sizeof(R));
      } else {
        for (Index r = 0; r < m - i; ++r) out[r] = column[r];
        for (Index r = m - i; r < height; ++r) out[r] = R(0);
      }
      out += height;
    }
}

template <class R>
void pack_b(const R* b, Offset ldb, Index k, Index n, R alpha, R* out) {
  for (Index j = 0; j < n; j += N)
    for (Index p = 0; p < k; ++p)
      for (Index c = 0; c < N; ++c) *out++ = j + c < n ? alpha * b[(j + c) * ldb + p] : R(0);
}

// One tile of C += packed A times packed B; only m by n entries of C are written.
template <class R>
void tile(Index k, const R* a, const R* b, R* c, Offset ldc, Index m, Index n) {
  constexpr int l = lanes<R>;
  constexpr Index height = tile_rows<R>;
  Vector<R> sum[N][V] = {};
  for (Index p = 0; p < k; ++p, a += height, b += N) {
    Vector<R> rows[V];
    for (int v = 0; v < V; ++v) rows[v] = load_vector<R, R, l>(a + v * l);
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v)
        sum[j][v] = add_product(sum[j][v], rows[v], all_lanes<Vector<R>>(b[j]));
  }
  if (m == height && n == N) {
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v) {
        R* const at = c + j * ldc + v * l;
        store_vector(at, load_vector<R, R, l>(at) + sum[j][v]);
      }
  } else {  // through memory: indexing a vector by a variable would keep all sums in memory
    R whole[N * height];
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v) store_vector(whole + j * height + v * l, sum[j][v]);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) c[j * ldc + i] += whole[j * height + i];
  }
}

template <class R>
void run_gemm(const Gemm<R>& g, R* packed_a, R* packed_b) {
  constexpr Index height = tile_rows<R>;
  for (Index j = 0; j < g.n; j += GemmSizes::columns)
    for (Index p = 0; p < g.k; p += GemmSizes::depth) {
      const Index n = least(GemmSizes::columns, g.n - j), k = least(GemmSizes::depth, g.k - p);
      pack_b(g.b + j * g.ldb + p, g.ldb, k, n, g.alpha, packed_b);
      for (Index i = 0; i < g.m; i += GemmSizes::rows) {
        const Index m = least(GemmSizes::rows, g.m - i);
        pack_a(g.a + p * g.lda + i, g.lda, m, k, packed_a);
        for (Index jj = 0; jj < n; jj += N)
          for (Index ii = 0; ii < m; ii += height)
            tile<R>(k, packed_a + Offset{ii} * k, packed_b + Offset{jj} * k,
                    g.c + (j + jj) * g.ldc + i + ii, g.ldc, least(height, m - ii),
                    least(N, n - jj));
      }
    }
}

constexpr GemmKernels all_gemms{run_gemm<float>, run_gemm<double>};

}  // namespace

extern const GemmKernels ECHELON_OF_UNIT(gemm) = all_gemms;

}  // namespace echelon
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
// NOLINTEND(readability-function-size,readability-function-cognitive-complexity)
