// exec/cpu/panels/panel_pull_text.hpp -- kernels for y += A' v with a strip of a panel: one dot
// product per column.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A column times v is summed lane by lane over the groups of the strip, then over the
// lanes in pairs.  As many columns as a vector has lanes are reduced at a time, so that their sums
// end in one vector; the choice of columns does not change any sum.
#pragma once

#include "exec/cpu/panels/panel_vectors.hpp"

// Kernels take the operands of a product, and their loops stay in one function, so that sums stay
// in registers.  Offsets inside a strip fit an int.
// NOLINTBEGIN(readability-function-size,readability-function-cognitive-complexity)
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
namespace echelon {
namespace {

// Right-hand sides per load of a column.
constexpr int pull_at_once = unit_factors >= 8 ? 2 : 1;

// One vector per right-hand side.
template <class R, int K>
struct Sums {
  Vector<R> at[K];
};

// Adds lanes of x in pairs, and lanes of y: two vectors with partial sums of count / 2 columns each
// become one vector with partial sums of count columns.
template <class R, int count>
ECHELON_INLINE Vector<R> join(Vector<R> x, Vector<R> y) {
  constexpr int l = lanes<R>;
#define ECHELON_JOIN(...) __builtin_shufflevector(x, y, __VA_ARGS__)
  if constexpr (l == 2) return ECHELON_JOIN(0, 2) + ECHELON_JOIN(1, 3);
  if constexpr (l == 4 && count == 2) return ECHELON_JOIN(0, 4, 2, 6) + ECHELON_JOIN(1, 5, 3, 7);
  if constexpr (l == 4 && count == 4) return ECHELON_JOIN(0, 1, 4, 5) + ECHELON_JOIN(2, 3, 6, 7);
  if constexpr (l == 8 && count == 2)
    return ECHELON_JOIN(0, 8, 2, 10, 4, 12, 6, 14) + ECHELON_JOIN(1, 9, 3, 11, 5, 13, 7, 15);
  if constexpr (l == 8 && count == 4)
    return ECHELON_JOIN(0, 1, 8, 9, 4, 5, 12, 13) + ECHELON_JOIN(2, 3, 10, 11, 6, 7, 14, 15);
  if constexpr (l == 8 && count == 8)
    return ECHELON_JOIN(0, 1, 2, 3, 8, 9, 10, 11) + ECHELON_JOIN(4, 5, 6, 7, 12, 13, 14, 15);
#undef ECHELON_JOIN
}
// The short vectors of a strip's rows, N SIMD vectors for each of K right-hand sides; kept in
// registers if `keep`, else loaded on each use.
template <class R, int N, int K, bool keep>
class RowVectors {
 public:
  ECHELON_INLINE explicit RowVectors(const R* rows) : rows_(rows) {
    if constexpr (keep)
      for (int i = 0; i < K; ++i)
        for (int n = 0; n < N; ++n) at_[i][n] = load<R, R>(rows + i * plane + n * lanes<R>);
  }
  ECHELON_INLINE Vector<R> get(int i, int n) const {
    if constexpr (keep)
      return at_[i][n];
    else
      return load<R, R>(rows_ + i * plane + n * lanes<R>);
  }

 private:
  const R* rows_;
  Vector<R> at_[keep ? K : 1][keep ? N : 1];
};

// Part p of every group of one column, for K real vectors.  `room`: registers for factors.
template <class S, class R, int G, int K, int room = unit_factors / K>
struct RealColumn {
  static constexpr int parts = 1, vectors = K, size = G * group, N = G * parts_of_group<R>;
  using Rows = RowVectors<R, N, K, N * K <= room>;

  static ECHELON_INLINE Sums<R, K> lanes_of(const S* a, int p, const Rows& rows) {
    Sums<R, K> s;
    for (int g = 0; g < G; ++g) {
      const Vector<R> column = load<S, R>(a + g * group + p * lanes<R>);
      for (int i = 0; i < K; ++i) {
        const Vector<R> v = rows.get(i, g * parts_of_group<R> + p);
        if (g == 0)
          s.at[i] = column * v;
        else
          s.at[i] = add_product(s.at[i], column, v);
      }
    }
    return s;
  }
};

// The same for one complex vector: real and imaginary parts are joined like two columns.
template <class S, class R, int G>
struct ComplexColumn {
  static constexpr int parts = 2, vectors = 1, size = 2 * G * group;
  struct Rows {
    ECHELON_INLINE explicit Rows(const R* rows) : re(rows), im(rows + plane) {}
    static constexpr int N = G * parts_of_group<R>;
    RowVectors<R, N, 1, 2 * N <= unit_factors> re, im;
  };

  static ECHELON_INLINE void add(const S* a, int p, const Rows& rows, Vector<R>& re,
                                 Vector<R>& im) {
    for (int g = 0; g < G; ++g) {
      const S* const at = a + 2 * g * group + p * lanes<R>;
      const Vector<R> ar = load<S, R>(at), ai = load<S, R>(at + group);
      const Vector<R> vr = rows.re.get(0, g * parts_of_group<R> + p);
      const Vector<R> vi = rows.im.get(0, g * parts_of_group<R> + p);
      re = subtract_product(add_product(re, ar, vr), ai, vi);
      im = add_product(add_product(im, ar, vi), ai, vr);
    }
  }
  static ECHELON_INLINE Sums<R, 1> lanes_of(const S* a, int p, const Rows& rows) {
    Vector<R> re{}, im{};
    add(a, p, rows, re, im);
    return {join<R, 2>(re, im)};
  }
};

template <class S, class R, bool C, int G>
struct OneColumnOf {
  using type = RealColumn<S, R, G, 1>;
};
template <class S, class R, int G>
struct OneColumnOf<S, R, true, G> {
  using type = ComplexColumn<S, R, G>;
};
template <class S, class R, bool C, int G>
using OneColumn = typename OneColumnOf<S, R, C, G>::type;

// Reduces part p of columns until one vector holds `count` sums, beginning with sum `from`.
template <class R, class Column, int from, int count, class At>
ECHELON_INLINE auto fold(const At& at, int p, const typename Column::Rows& rows) {
  if constexpr (count == Column::parts) {
    return Column::lanes_of(at(from / Column::parts), p, rows);
  } else {
    auto x = fold<R, Column, from, count / 2>(at, p, rows);
    const auto y = fold<R, Column, from + count / 2, count / 2>(at, p, rows);
    for (int i = 0; i < Column::vectors; ++i) x.at[i] = join<R, count>(x.at[i], y.at[i]);
    return x;
  }
}
// Adds up a vector of `count` partial sums until its first lanes hold the complete sums.
template <class R, int count>
ECHELON_INLINE Vector<R> finish(Vector<R> x) {
  if constexpr (count == lanes<R>)
    return x;
  else
    return finish<R, 2 * count>(join<R, 2 * count>(x, x));
}
// Reduces columns at(0), at(1), ... to `count` sums, in the first lanes of the result.  Parts [p, p
// + parts) of all groups are added in pairs, like lanes.
template <class R, class Column, int count, int p = 0, int parts = parts_of_group<R>, class At>
ECHELON_INLINE auto fold_columns(const At& at, const typename Column::Rows& rows) {
  if constexpr (parts == 1) {
    auto x = fold<R, Column, 0, count>(at, p, rows);
    for (int i = 0; i < Column::vectors; ++i) x.at[i] = finish<R, count>(x.at[i]);
    return x;
  } else {
    auto x = fold_columns<R, Column, count, p, parts / 2>(at, rows);
    const auto y = fold_columns<R, Column, count, p + parts / 2, parts / 2>(at, rows);
    for (int i = 0; i < Column::vectors; ++i) x.at[i] += y.at[i];
    return x;
  }
}

// Stores the first lanes: p = v, or p += v.
template <class R, int count>
ECHELON_INLINE void store_first(R* p, Vector<R> v, bool add) {
  if constexpr (count == 1) {
    *p = add ? *p + v[0] : v[0];
  } else {
    VectorWith<R, count> first;
    __builtin_memcpy(&first, &v, sizeof(first));
    store_vector(p, add ? load_vector<R, R, count>(p) + first : first);
  }
}

// The m columns of a strip: as many at a time as fill a vector with their sums, and the remaining
// columns in groups of half the size, again and again.
template <class S, class R, class Column, bool fetch, int count = lanes<R>>
ECHELON_INLINE void pull_columns(const S* a, Index m, const typename Column::Rows& rows, R* y,
                                 Offset ldy, Offset ahead, bool add) {
  constexpr int columns = count / Column::parts;
  while (m >= columns) {
    if (fetch) fetch_ahead(a, columns * Column::size, ahead);
    const auto s =
        fold_columns<R, Column, count>([&](int c) { return a + c * Column::size; }, rows);
    for (int i = 0; i < Column::vectors; ++i) store_first<R, count>(y + i * ldy, s.at[i], add);
    m -= columns;
    a += columns * Column::size;
    y += count;
  }
  if constexpr (columns > 1)
    pull_columns<S, R, Column, fetch, count / 2>(a, m, rows, y, ldy, ahead, add);
}

template <class S, class R, class Column, bool fetch>
ECHELON_INLINE void pull_vectors(const S* a, Index m, const R* v, R* y, Offset ldy, Offset ahead,
                                 bool add) {
  const typename Column::Rows rows(v);
  pull_columns<S, R, Column, fetch>(a, m, rows, y, ldy, ahead, add);
}

// k vectors, pull_at_once at a time; ldy counts numbers of y.
template <class S, class R, bool C, int G>
inline void pull_block(const S* a, Index m, const R* v, R* y, Offset ldy, Index k, Offset ahead,
                       bool add) {
  using One = OneColumn<S, R, C, G>;
  constexpr Offset rows = One::parts * plane;
  Index i = 0;
  if constexpr (!C) {
    using Many = RealColumn<S, R, G, pull_at_once>;
    for (; i + pull_at_once <= k; i += pull_at_once)
      i == 0 ? pull_vectors<S, R, Many, true>(a, m, v, y, ldy, ahead, add)
             : pull_vectors<S, R, Many, false>(a, m, v + i * rows, y + i * ldy, ldy, ahead, add);
  }
  for (; i < k; ++i)
    i == 0 ? pull_vectors<S, R, One, true>(a, m, v, y, ldy, ahead, add)
           : pull_vectors<S, R, One, false>(a, m, v + i * rows, y + i * ldy * One::parts, ldy,
                                            ahead, add);
}

// One real vector and m >= wide columns, read as four concurrent streams like when pushing: each
// reduction takes columns from all four quarters.
template <class S, class R, int G>
void pull_quarters(const S* a, Index m, const R* v, R* y, Offset ahead, bool add) {
  using Column = RealColumn<S, R, G, 1, unit_factors / 2>;
  constexpr int l = lanes<R>, each = most(1, l / 4);
  const Index quarter = m / (4 * each) * each;
  const typename Column::Rows rows(v);
  for (Index j = 0; j < quarter; j += each)
    for (Index q = 0; q < 4; q += l / each) {
      const auto place = [&](int i) { return (q + i / each) * quarter + j + i % each; };
      const auto at = [&](int i) { return a + Offset{place(i)} * Column::size; };
      for (int i = 0; i < l; ++i) fetch_ahead(at(i), Column::size, ahead);
      const auto s = fold_columns<R, Column, l>(at, rows);
      for (int i = 0; i < l; ++i) y[place(i)] = add ? y[place(i)] + s.at[0][i] : s.at[0][i];
    }
  const Index done = 4 * quarter;
  pull_columns<S, R, Column, true>(a + Offset{done} * Column::size, m - done, rows, y + done, 0,
                                   ahead, add);
}

template <class S, class R, bool C, int G>
void pull_groups(const S* a, Index m, const R* v, R* y, Offset ldy, Index k, Offset ahead,
                 bool add) {
  constexpr int parts = C ? 2 : 1;
  if constexpr (!C)
    if (k == 1 && m >= wide && four_streams) return pull_quarters<S, R, G>(a, m, v, y, ahead, add);
  const Index step = k == 1 ? m : block;
  for (Index j = 0; j < m; j += step)
    pull_block<S, R, C, G>(a + Offset{parts} * j * G * group, least(step, m - j), v, y + parts * j,
                           ldy, k, ahead, add);
}

}  // namespace
}  // namespace echelon
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
// NOLINTEND(readability-function-size,readability-function-cognitive-complexity)
