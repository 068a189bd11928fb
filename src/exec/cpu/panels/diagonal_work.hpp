// exec/cpu/panels/diagonal_work.hpp -- solves with the diagonal block of a panel, or multiplies
// with its stored inverse.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cpu/panels/strip_work.hpp"

namespace echelon {

// The vectors of all right-hand sides, `ld` apart.
template <class T>
struct ColumnsAt {
  T* data;
  Offset ld;
  T* operator[](Index v) const { return data + v * ld; }
};

template <Scalar T, Scalar S, bool one>
class DiagonalWork : public StripWork<T, S, one> {
 public:
  using Work = StripWork<T, S, one>;
  using typename Work::R;
  using typename Work::Rows;
  using Work::Work, Work::count, Work::clear, Work::get, Work::set, Work::entry, Work::plane;

  // The panel of a block: w columns, h rows below, its first value.
  struct Block {
    Index w, h;
    const S* value;
  };

  // x = D^-1 own for strips [begin, end), if D^-1 is stored.
  void push_inverse(const Block& p, Index begin, Index end, ColumnsAt<const T> own,
                    ColumnsAt<T> x) const {
    Rows y;
    for (Index k = begin; k < std::min(end, strips(p)); ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      Work::push(p.value + s.start, s, own.data, own.ld, y.at);
      for (Index v = 0; v < count(); ++v)
        for (Index i = s.begin; i < std::min(s.begin + s.rows, p.w); ++i)
          x[v][i] = get(y.at, v, i - s.begin);
    }
  }
  // D x = own.
  void push_triangle(const Block& p, ColumnsAt<const T> own, ColumnsAt<T> x) const {
    Rows y;
    for (Index k = 0; k < strips(p); ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      if (s.full > 0)
        Work::push_full(p.value + s.start, s.rows, s.full, x.data, x.ld, y.at, false);
      else
        clear(y);
      solve_tile(p, s, own, x, y.at);
    }
  }

  // x = D^-T own for columns [c0, c1), if D^-1 is stored.
  void pull_inverse(const Block& p, Index c0, Index c1, ColumnsAt<const T> own, ColumnsAt<T> x,
                    Offset ahead) const {
    Rows rows;
    for (Index v = 0; v < count(); ++v) std::fill(x[v] + c0, x[v] + c1, T(0));
    for (Index k = c0 / plane; k < strips(p); ++k) {
      const Strip s = strip_of(p.w, p.h, k);
      for (Index v = 0; v < count(); ++v)
        for (Index i = s.begin; i < s.begin + s.rows; ++i)
          set(rows.at, v, i - s.begin, i < p.w ? own[v][i] : T(0));
      Work::pull(p.value, s, c0, c1, rows.at, x.data, x.ld, ahead);
    }
  }
  // D' x = own; overwrites own.
  void pull_triangle(const Block& p, ColumnsAt<T> own, ColumnsAt<T> x, Offset ahead) const {
    Rows rows;
    for (Index k = strips(p); k-- > 0;) {
      const Strip s = strip_of(p.w, p.h, k);
      solve_tile_transposed(p, s, own, x, rows.at);
      Work::pull(p.value, s, 0, s.full, rows.at, own.data, own.ld, ahead);
    }
  }

 private:
  static Index strips(const Block& p) { return (p.w + plane - 1) / plane; }

  // Solves the tile on the diagonal, column by column: x(j) = (own(j) - y(j)) / d(j).
  void solve_tile(const Block& p, const Strip& s, ColumnsAt<const T> own, ColumnsAt<T> out,
                  R* y) const {
    for (Index j = 0; j < s.stair; ++j) {
      const Index top = s.top(s.full + j);
      const S* const column = p.value + s.column(s.full + j);
      const T d = entry(column, j - top);
      for (Index v = 0; v < count(); ++v) {
        const T x = (own[v][s.full + j] - get(y, v, j)) / d;
        out[v][s.full + j] = x;
        for (Index i = j + 1; i < s.stair; ++i)
          set(y, v, i, get(y, v, i) + entry(column, i - top) * x);
      }
    }
  }

  // Solves the transposed tile on the diagonal, from its last column: x(j) = (own(j) - L(:,j)' x) /
  // d(j); leaves -x in the short vector.
  void solve_tile_transposed(const Block& p, const Strip& s, ColumnsAt<T> own, ColumnsAt<T> out,
                             R* rows) const {
    for (Index v = 0; v < count(); ++v)
      for (Index i = 0; i < s.rows; ++i) set(rows, v, i, T(0));
    for (Index j = s.stair; j-- > 0;) {
      const Index top = s.top(s.full + j);
      const S* const column = p.value + s.column(s.full + j);
      for (Index v = 0; v < count(); ++v) {
        T sum = own[v][s.full + j];
        for (Index i = j + 1; i < s.stair; ++i) sum += entry(column, i - top) * get(rows, v, i);
        sum /= entry(column, j - top);
        out[v][s.full + j] = sum;
        set(rows, v, j, -sum);
      }
    }
  }
};

}  // namespace echelon
