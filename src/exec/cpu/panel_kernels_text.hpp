// exec/cpu/panel_kernels_text.hpp -- the text of the panel kernels, compiled once for each
// vector unit (panel_kernels_plain.cpp, ..._avx2.cpp, ..._avx512.cpp).
// SPDX-License-Identifier: BSD-3-Clause
//
// Everything here is local to the file that includes it, and nothing of the standard library is
// called: an inline function compiled for a wide unit must never serve the rest of the program.
#pragma once

#include "exec/cpu/panel_kernels.hpp"

namespace echelon {
namespace {

template <class R>
struct VectorOf {
  typedef R type __attribute__((vector_size(8 * sizeof(R))));
};
template <class R>
using Vector = typename VectorOf<R>::type;

template <class S, class R>
inline __attribute__((always_inline)) Vector<R> load(const S* p) {
  Vector<S> v;  // copied: clang forgets on the way that a vector may lie anywhere
  __builtin_memcpy(&v, p, sizeof(v));
  if constexpr (sizeof(S) == sizeof(R))
    return v;
  else
    return __builtin_convertvector(v, Vector<R>);
}
template <class R>
inline __attribute__((always_inline)) void store(R* p, Vector<R> v) {
  __builtin_memcpy(p, &v, sizeof(v));
}

// p = v, or p += v.
template <class R>
inline __attribute__((always_inline)) void store_sum(R* p, Vector<R> v, bool add) {
  store<R>(p, add ? load<R, R>(p) + v : v);
}
template <class R>
inline __attribute__((always_inline)) void store_sum(R* p, R v, bool add) {
  *p = add ? *p + v : v;
}

// Right-hand sides for which a column is loaded once when pushing: as many as the registers hold.
// Pulling takes half of that.
#if defined(__AVX512F__)
constexpr Index together = 4;
#else
constexpr Index together = 1;
#endif

constexpr int lanes = PanelVector::lanes;
constexpr Offset plane = PanelVector::rows;
constexpr Index block = 16;          // columns that stay in the first cache for all vectors
constexpr Index wide = 64;           // columns from which on they are read as four streams
constexpr Offset push_ahead = 4096;  // bytes: what is fetched while a column is used

inline Index least(Index a, Index b) { return a < b ? a : b; }

template <class S>
inline __attribute__((always_inline)) void fetch_ahead(const S* a, int numbers, Offset ahead) {
  const char* p = reinterpret_cast<const char*>(a) + ahead;
  for (int line = 0; line < numbers * static_cast<int>(sizeof(S)); line += 64)
    __builtin_prefetch(p + line);
}

// Real, G groups of rows, for K vectors and a block of columns.
template <class S, class R, int G, int K, bool fetch>
inline __attribute__((always_inline)) void push_real(const S* a, Index m, const R* x, Offset ldx,
                                                     R* y, bool add) {
  Vector<R> sum[K][G] = {};
  if (add)
    for (int v = 0; v < K; ++v)
      for (int g = 0; g < G; ++g) sum[v][g] = load<R, R>(y + v * plane + g * lanes);
  for (Index j = 0; j < m; ++j, a += G * lanes) {
    if (fetch) fetch_ahead(a, G * lanes, push_ahead);
    Vector<R> column[G];
    for (int g = 0; g < G; ++g) column[g] = load<S, R>(a + g * lanes);
    for (int v = 0; v < K; ++v)
      for (int g = 0; g < G; ++g) sum[v][g] += column[g] * x[v * ldx + j];
  }
  for (int v = 0; v < K; ++v)
    for (int g = 0; g < G; ++g) store<R>(y + v * plane + g * lanes, sum[v][g]);
}

template <class S, class R, int G, bool fetch>
inline __attribute__((always_inline)) void push_complex(const S* a, Index m, const R* x, R* y,
                                                        bool add) {
  Vector<R> re[G] = {}, im[G] = {};
  for (int g = 0; g < G && add; ++g) {
    re[g] = load<R, R>(y + g * lanes);
    im[g] = load<R, R>(y + plane + g * lanes);
  }
  for (Index j = 0; j < m; ++j, a += 2 * G * lanes) {
    if (fetch) fetch_ahead(a, 2 * G * lanes, push_ahead);
    const R xr = x[2 * j], xi = x[2 * j + 1];
    for (int g = 0; g < G; ++g) {
      const Vector<R> ar = load<S, R>(a + 2 * g * lanes), ai = load<S, R>(a + (2 * g + 1) * lanes);
      re[g] += ar * xr;
      re[g] -= ai * xi;
      im[g] += ar * xi;
      im[g] += ai * xr;
    }
  }
  for (int g = 0; g < G; ++g) {
    store<R>(y + g * lanes, re[g]);
    store<R>(y + plane + g * lanes, im[g]);
  }
}

template <class S, class R, int G>
inline void push_block(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  Index v = 0;
  for (; v + together <= k && k > 1; v += together)
    v == 0 ? push_real<S, R, G, together, true>(a, m, x, ldx, y, add)
           : push_real<S, R, G, together, false>(a, m, x + v * ldx, ldx, y + v * plane, add);
  for (; v < k; ++v)
    v == 0 ? push_real<S, R, G, 1, true>(a, m, x, ldx, y, add)
           : push_real<S, R, G, 1, false>(a, m, x + v * ldx, ldx, y + v * plane, add);
}

// Real, m >= wide columns in quarters, each summed up for itself: y += them in turn.  With one
// vector the quarters may go side by side, a few columns at a time (four_streams).
template <class S, class R, int G>
void push_quarters(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  constexpr Offset column = G * lanes;
  constexpr Index most = 16;
  const Index quarter = m / 4, rest = m - 4 * quarter;
  const Index step = four_streams ? 4 : quarter;
  R part[most * plane];
  if (k == 1) {
    for (Index j = 0; j < quarter; j += step)
      for (Index q = 0; q < 4; ++q) {
        const Index begin = q * quarter + j;
        push_real<S, R, G, 1, true>(a + begin * column, least(step, quarter - j), x + begin, ldx,
                                    part + q * plane, j > 0);
      }
    for (Index q = 0; q < 4; ++q)
      for (int g = 0; g < G; ++g)
        store_sum<R>(y + g * lanes, load<R, R>(part + q * plane + g * lanes), add || q > 0);
  } else {
    for (Index q = 0; q < 4; ++q)
      for (Index v = 0; v < k; v += most) {
        const Index vectors = least(most, k - v);
        for (Index j = 0; j < quarter; j += block) {
          const Index begin = q * quarter + j;
          push_block<S, R, G>(a + begin * column, least(block, quarter - j), x + v * ldx + begin,
                              ldx, part, vectors, j > 0);
        }
        for (Index i = 0; i < vectors; ++i)
          for (int g = 0; g < G; ++g)
            store_sum<R>(y + (v + i) * plane + g * lanes, load<R, R>(part + i * plane + g * lanes),
                         add || q > 0);
      }
  }
  if (rest > 0)
    push_block<S, R, G>(a + 4 * quarter * column, rest, x + 4 * quarter, ldx, y, k, true);
}

template <class S, class R, bool C, int G>
void push_groups(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  constexpr int parts = C ? 2 : 1;
  if constexpr (!C)
    if (m >= wide) return push_quarters<S, R, G>(a, m, x, ldx, y, k, add);
  const Index step = k == 1 ? m : block;
  for (Index j = 0; j < m; j += step) {
    const Index columns = least(step, m - j);
    if constexpr (C) {
      for (Index v = 0; v < k; ++v) {
        const R* const xv = x + 2 * (v * ldx + j);
        R* const yv = y + 2 * plane * v;
        v == 0 ? push_complex<S, R, G, true>(a, columns, xv, yv, add)
               : push_complex<S, R, G, false>(a, columns, xv, yv, add);
      }
    } else {
      push_block<S, R, G>(a, columns, x + j, ldx, y, k, add);
    }
    add = true;
    a += Offset{parts} * columns * G * lanes;
  }
}

// Sums of the lanes of eight vectors, in one vector.
template <class R>
inline __attribute__((always_inline)) Vector<R> sum_lanes(const Vector<R>* s) {
  Vector<R> a[4], b[2];
  for (int i = 0; i < 4; ++i)
    a[i] = __builtin_shufflevector(s[2 * i], s[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14) +
           __builtin_shufflevector(s[2 * i], s[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  for (int i = 0; i < 2; ++i)
    b[i] = __builtin_shufflevector(a[2 * i], a[2 * i + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
           __builtin_shufflevector(a[2 * i], a[2 * i + 1], 2, 3, 10, 11, 6, 7, 14, 15);
  return __builtin_shufflevector(b[0], b[1], 0, 1, 2, 3, 8, 9, 10, 11) +
         __builtin_shufflevector(b[0], b[1], 4, 5, 6, 7, 12, 13, 14, 15);
}
// The same for one vector, added up in the same order.
template <class R>
inline __attribute__((always_inline)) R sum_lanes(Vector<R> s) {
  return ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
}

// One column of a strip times the rows v: the lanes of the sum.
template <class S, class R, int G>
inline __attribute__((always_inline)) Vector<R> column_real(const S* a, const Vector<R>* v) {
  Vector<R> s = load<S, R>(a) * v[0];
  for (int g = 1; g < G; ++g) s += load<S, R>(a + g * lanes) * v[g];
  return s;
}

template <class S, class R, int G, bool fetch>
inline __attribute__((always_inline)) void pull_real(const S* a, Index m, const R* rows, R* y,
                                                     Offset ahead, bool add) {
  Vector<R> v[G];
  for (int g = 0; g < G; ++g) v[g] = load<R, R>(rows + g * lanes);
  Index j = 0;
  for (; j + lanes <= m; j += lanes) {
    Vector<R> s[lanes];
    for (int i = 0; i < lanes; ++i, a += G * lanes) {
      if (fetch) fetch_ahead(a, G * lanes, ahead);
      s[i] = column_real<S, R, G>(a, v);
    }
    store_sum<R>(y + j, sum_lanes<R>(s), add);
  }
  for (; j < m; ++j, a += G * lanes) {
    if (fetch) fetch_ahead(a, G * lanes, ahead);
    store_sum<R>(y + j, sum_lanes<R>(column_real<S, R, G>(a, v)), add);
  }
}

template <class S, class R, int G, bool fetch>
inline __attribute__((always_inline)) void pull_complex(const S* a, Index m, const R* rows, R* y,
                                                        Offset ahead, bool add) {
  for (Index j = 0; j < m; ++j, a += 2 * G * lanes) {
    if (fetch) fetch_ahead(a, 2 * G * lanes, ahead);
    Vector<R> re{}, im{};
    for (int g = 0; g < G; ++g) {
      const Vector<R> ar = load<S, R>(a + 2 * g * lanes), ai = load<S, R>(a + (2 * g + 1) * lanes);
      const Vector<R> vr = load<R, R>(rows + g * lanes);
      const Vector<R> vi = load<R, R>(rows + plane + g * lanes);
      re += ar * vr;
      re -= ai * vi;
      im += ar * vi;
      im += ai * vr;
    }
    store_sum<R>(y + 2 * j, sum_lanes<R>(re), add);
    store_sum<R>(y + 2 * j + 1, sum_lanes<R>(im), add);
  }
}

// Two vectors at a time, eight columns of each.
template <class S, class R, int G, bool fetch>
inline __attribute__((always_inline)) void pull_two(const S* a, Index m, const R* rows, R* y,
                                                    Offset ldy, Offset ahead, bool add) {
  Vector<R> v[2][G];
  for (int i = 0; i < 2; ++i)
    for (int g = 0; g < G; ++g) v[i][g] = load<R, R>(rows + i * plane + g * lanes);
  Index j = 0;
  for (; j + lanes <= m; j += lanes) {
    Vector<R> s[2][lanes];
    for (int c = 0; c < lanes; ++c, a += G * lanes) {
      if (fetch) fetch_ahead(a, G * lanes, ahead);
      for (int i = 0; i < 2; ++i) s[i][c] = column_real<S, R, G>(a, v[i]);
    }
    for (int i = 0; i < 2; ++i) store_sum<R>(y + i * ldy + j, sum_lanes<R>(s[i]), add);
  }
  for (; j < m; ++j, a += G * lanes)
    for (int i = 0; i < 2; ++i)
      store_sum<R>(y + i * ldy + j, sum_lanes<R>(column_real<S, R, G>(a, v[i])), add);
}

template <class S, class R, int G>
inline void pull_block(const S* a, Index m, const R* rows, R* y, Offset ldy, Index k, Offset ahead,
                       bool add) {
  Index v = 0;
  if constexpr (together > 1)
    for (; v + 2 <= k; v += 2)
      v == 0 ? pull_two<S, R, G, true>(a, m, rows, y, ldy, ahead, add)
             : pull_two<S, R, G, false>(a, m, rows + v * plane, y + v * ldy, ldy, ahead, add);
  for (; v < k; ++v)
    v == 0 ? pull_real<S, R, G, true>(a, m, rows, y, ahead, add)
           : pull_real<S, R, G, false>(a, m, rows + v * plane, y + v * ldy, ahead, add);
}

// One real vector, m >= wide columns in quarters side by side, as when pushing: the lanes of two
// columns of each are summed up together.
template <class S, class R, int G>
void pull_quarters(const S* a, Index m, const R* rows, R* y, Offset ahead, bool add) {
  constexpr Offset column = G * lanes;
  const Index quarter = m / 8 * 2;
  Vector<R> v[G];
  for (int g = 0; g < G; ++g) v[g] = load<R, R>(rows + g * lanes);
  for (Index j = 0; j < quarter; j += 2) {
    Vector<R> s[lanes];
    for (int i = 0; i < lanes; ++i) {
      const S* const from = a + (i / 2 * quarter + j + i % 2) * column;
      fetch_ahead(from, column, ahead);
      s[i] = column_real<S, R, G>(from, v);
    }
    const Vector<R> sum = sum_lanes<R>(s);
    for (int i = 0; i < lanes; ++i) store_sum<R>(y + i / 2 * quarter + j + i % 2, sum[i], add);
  }
  if (const Index done = 4 * quarter; done < m)
    pull_real<S, R, G, true>(a + done * column, m - done, rows, y + done, ahead, add);
}

template <class S, class R, bool C, int G>
void pull_groups(const S* a, Index m, const R* v, R* y, Offset ldy, Index k, Offset ahead,
                 bool add) {
  constexpr int parts = C ? 2 : 1;
  if constexpr (!C)
    if (k == 1 && m >= wide && four_streams) return pull_quarters<S, R, G>(a, m, v, y, ahead, add);
  const Index step = k == 1 ? m : block;
  for (Index j = 0; j < m; j += step) {
    const Index columns = least(step, m - j);
    if constexpr (C) {
      for (Index i = 0; i < k; ++i) {
        R* const yi = y + 2 * (i * ldy + j);
        i == 0 ? pull_complex<S, R, G, true>(a, columns, v, yi, ahead, add)
               : pull_complex<S, R, G, false>(a, columns, v + 2 * plane * i, yi, ahead, add);
      }
    } else {
      pull_block<S, R, G>(a, columns, v, y + j, ldy, k, ahead, add);
    }
    a += Offset{parts} * columns * G * lanes;
  }
}

template <class S, class R, bool C>
void push(const S* a, Index groups, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  switch (groups) {
    case 1:
      return push_groups<S, R, C, 1>(a, m, x, ldx, y, k, add);
    case 2:
      return push_groups<S, R, C, 2>(a, m, x, ldx, y, k, add);
    case 3:
      return push_groups<S, R, C, 3>(a, m, x, ldx, y, k, add);
    default:
      return push_groups<S, R, C, 4>(a, m, x, ldx, y, k, add);
  }
}

template <class S, class R, bool C>
void pull(const S* a, Index groups, Index m, const R* v, R* y, Offset ldy, Index k, Offset ahead,
          bool add) {
  switch (groups) {
    case 1:
      return pull_groups<S, R, C, 1>(a, m, v, y, ldy, k, ahead, add);
    case 2:
      return pull_groups<S, R, C, 2>(a, m, v, y, ldy, k, ahead, add);
    case 3:
      return pull_groups<S, R, C, 3>(a, m, v, y, ldy, k, ahead, add);
    default:
      return pull_groups<S, R, C, 4>(a, m, v, y, ldy, k, ahead, add);
  }
}

template <class S, class R>
constexpr PanelKernels<S, R> kernels{{push<S, R, false>, push<S, R, true>},
                                     {pull<S, R, false>, pull<S, R, true>}};

}  // namespace
}  // namespace echelon
