// exec/cpu/panels/panel_push_text.hpp -- kernels for y += A x with a strip of a panel: columns
// times entries of x.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The sums of some groups of rows stay in registers over the loop on columns.  If a unit
// has too few registers for all groups of a strip, the groups are processed one after the other, in
// blocks of columns.  Each row is summed column by column, for any block size.
#pragma once

#include "exec/cpu/panels/panel_vectors.hpp"

// Kernels take the operands of a product, and their loops stay in one function, so that sums stay
// in registers.  Offsets inside a strip fit an int.
// NOLINTBEGIN(readability-function-size,readability-function-cognitive-complexity)
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
namespace echelon {
namespace {

constexpr Offset push_ahead = 4096;  // bytes between the read position and the prefetch position

// Right-hand sides per load of a column.
template <class R>
constexpr int push_at_once = unit_sums / parts_of_group<R> >= 4 ? 4 : 2;

// Groups [from, from + count) of G, for K vectors.
template <class S, class R, int G, int from, int count, int K, bool fetch>
ECHELON_INLINE void push_some(const S* a, Index m, const R* x, Offset ldx, R* y, bool add) {
  constexpr int N = count * parts_of_group<R>, l = lanes<R>;
  y += from * group;
  Vector<R> sum[K][N] = {};
  if (add)
    for (int v = 0; v < K; ++v)
      for (int n = 0; n < N; ++n) sum[v][n] = load<R, R>(y + v * plane + n * l);
  for (Index j = 0; j < m; ++j, a += G * group) {
    if (fetch && from == 0) fetch_ahead(a, G * group, push_ahead);
    for (int n = 0; n < N; ++n) {
      const Vector<R> column = load<S, R>(a + from * group + n * l);
      for (int v = 0; v < K; ++v)
        sum[v][n] = add_product(sum[v][n], column, all_lanes<Vector<R>>(x[v * ldx + j]));
    }
  }
  for (int v = 0; v < K; ++v)
    for (int n = 0; n < N; ++n) store_vector(y + v * plane + n * l, sum[v][n]);
}

// The same for one complex vector.
template <class S, class R, int G, int from, int count, bool fetch>
ECHELON_INLINE void push_some_complex(const S* a, Index m, const R* x, R* y, bool add) {
  constexpr int parts = parts_of_group<R>, N = count * parts, l = lanes<R>;
  y += from * group;
  Vector<R> re[N] = {}, im[N] = {};
  for (int n = 0; n < N && add; ++n) {
    re[n] = load<R, R>(y + n * l);
    im[n] = load<R, R>(y + plane + n * l);
  }
  for (Index j = 0; j < m; ++j, a += 2 * G * group) {
    if (fetch && from == 0) fetch_ahead(a, 2 * G * group, push_ahead);
    const auto xr = all_lanes<Vector<R>>(x[2 * j]), xi = all_lanes<Vector<R>>(x[2 * j + 1]);
    for (int n = 0; n < N; ++n) {
      const S* const at = a + 2 * (from + n / parts) * group + n % parts * l;
      const Vector<R> ar = load<S, R>(at), ai = load<S, R>(at + group);
      re[n] = subtract_product(add_product(re[n], ar, xr), ai, xi);
      im[n] = add_product(add_product(im[n], ar, xi), ai, xr);
    }
  }
  for (int n = 0; n < N; ++n) {
    store_vector(y + n * l, re[n]);
    store_vector(y + plane + n * l, im[n]);
  }
}

// All G groups, as many at a time as fit in the registers; ldx counts numbers of x.
template <class S, class R, bool C, int G, int K, bool fetch, int from = 0>
ECHELON_INLINE void push_in_turn(const S* a, Index m, const R* x, Offset ldx, R* y, bool add) {
  constexpr int sums = parts_of_group<R> * K * (C ? 2 : 1);
  constexpr int count = least(G - from, most(1, unit_sums / sums));
  if constexpr (C)
    push_some_complex<S, R, G, from, count, fetch>(a, m, x, y, add);
  else
    push_some<S, R, G, from, count, K, fetch>(a, m, x, ldx, y, add);
  if constexpr (from + count < G)
    push_in_turn<S, R, C, G, K, fetch, from + count>(a, m, x, ldx, y, add);
}

// K vectors; in blocks of columns if the groups of a strip do not all fit in the registers.
template <class S, class R, bool C, int G, int K, bool fetch>
ECHELON_INLINE void push_vectors(const S* a, Index m, const R* x, Offset ldx, R* y, bool add) {
  constexpr int parts = C ? 2 : 1;
  constexpr bool in_turn = parts_of_group<R> * K * parts * G > unit_sums;
  if constexpr (!in_turn) return push_in_turn<S, R, C, G, K, fetch>(a, m, x, ldx, y, add);
  for (Index j = 0; j < m; j += block, add = true)
    push_in_turn<S, R, C, G, K, fetch>(a + Offset{parts} * j * G * group, least(block, m - j),
                                       x + parts * j, ldx, y, add);
}

template <class S, class R, bool C, int G>
inline void push_block(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  constexpr int parts = C ? 2 : 1, at_once = C ? 1 : push_at_once<R>;
  constexpr Offset rows = parts * plane;
  Index v = 0;
  for (; v + at_once <= k && k > 1; v += at_once)
    v == 0 ? push_vectors<S, R, C, G, at_once, true>(a, m, x, ldx, y, add)
           : push_vectors<S, R, C, G, at_once, false>(a, m, x + parts * v * ldx, ldx, y + v * rows,
                                                      add);
  for (; v < k; ++v)
    v == 0 ? push_vectors<S, R, C, G, 1, true>(a, m, x, ldx, y, add)
           : push_vectors<S, R, C, G, 1, false>(a, m, x + parts * v * ldx, ldx, y + v * rows, add);
}

// y += part, or y = part, for the rows of G groups.
template <class R, int G>
ECHELON_INLINE void take_part(R* y, const R* part, bool add) {
  constexpr int l = lanes<R>;
  if (add)
    for (int i = 0; i < G * group; i += l)
      store_vector(y + i, load<R, R>(y + i) + load<R, R>(part + i));
  else
    for (int i = 0; i < G * group; i += l) store_vector(y + i, load<R, R>(part + i));
}

// Real, m >= wide columns in four quarters, each summed separately and then added to y in order.
// With one vector the quarters may be read concurrently, a few columns at a time (four_streams).
template <class S, class R, int G>
void push_quarters(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  constexpr Offset column = G * group;
  constexpr Index most_vectors = 16;
  const Index quarter = m / 4, rest = m - 4 * quarter;
  const Index step = four_streams ? 4 : quarter;
  R part[most_vectors * plane];
  if (k == 1) {
    for (Index j = 0; j < quarter; j += step)
      for (Index q = 0; q < 4; ++q) {
        const Index begin = q * quarter + j;
        push_vectors<S, R, false, G, 1, true>(a + begin * column, least(step, quarter - j),
                                              x + begin, ldx, part + q * plane, j > 0);
      }
    for (Index q = 0; q < 4; ++q) take_part<R, G>(y, part + q * plane, add || q > 0);
  } else {
    for (Index q = 0; q < 4; ++q)
      for (Index v = 0; v < k; v += most_vectors) {
        const Index vectors = least(most_vectors, k - v);
        for (Index j = 0; j < quarter; j += block) {
          const Index begin = q * quarter + j;
          push_block<S, R, false, G>(a + begin * column, least(block, quarter - j),
                                     x + v * ldx + begin, ldx, part, vectors, j > 0);
        }
        for (Index i = 0; i < vectors; ++i)
          take_part<R, G>(y + (v + i) * plane, part + i * plane, add || q > 0);
      }
  }
  if (rest > 0)
    push_block<S, R, false, G>(a + 4 * quarter * column, rest, x + 4 * quarter, ldx, y, k, true);
}

template <class S, class R, bool C, int G>
void push_groups(const S* a, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  constexpr int parts = C ? 2 : 1;
  if constexpr (!C)
    if (m >= wide) return push_quarters<S, R, G>(a, m, x, ldx, y, k, add);
  const Index step = k == 1 ? m : block;
  for (Index j = 0; j < m; j += step, add = true)
    push_block<S, R, C, G>(a + Offset{parts} * j * G * group, least(step, m - j), x + parts * j,
                           ldx, y, k, add);
}

}  // namespace
}  // namespace echelon
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
// NOLINTEND(readability-function-size,readability-function-cognitive-complexity)
