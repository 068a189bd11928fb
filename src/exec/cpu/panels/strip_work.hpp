// exec/cpu/panels/strip_work.hpp -- products with one strip of a panel, including its staircase
// part, for one or several right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/supernode.hpp"
#include "exec/cpu/panels/panel_kernels.hpp"

namespace echelon {

constexpr Index max_rhs_per_pass = 16;  // upper limit of Plan::rhs_per_pass here
constexpr Offset panel_ahead = 4096;    // bytes from the read position to the prefetch position

// T: type of the arithmetic; S: stored type of the panels; one: a single right-hand side.
template <Scalar T, Scalar S, bool one>
class StripWork {
 public:
  using R = Real<T>;
  static constexpr int parts = is_complex<T> ? 2 : 1;
  static constexpr Index plane = PanelVector::rows;
  static constexpr Index group = PanelShape::group;

  // The short vectors that belong to the rows of a strip.
  struct alignas(64) Rows {
    R at[(one ? 1 : max_rhs_per_pass) * parts * plane];
  };

  StripWork(Index count, VectorUnit unit)
      : count_(count), kernels_(panel_kernels<Real<S>, R>(unit)) {}

  Index count() const { return one ? 1 : count_; }

  void clear(Rows& rows) const { std::fill_n(rows.at, count() * parts * plane, R(0)); }

  static T get(const R* rows, Index v, Index i) {
    if constexpr (is_complex<T>)
      return {rows[2 * v * plane + i], rows[(2 * v + 1) * plane + i]};
    else
      return rows[v * plane + i];
  }
  static void set(R* rows, Index v, Index i, T a) {
    if constexpr (is_complex<T>) {
      rows[2 * v * plane + i] = a.real();
      rows[(2 * v + 1) * plane + i] = a.imag();
    } else {
      rows[v * plane + i] = a;
    }
  }
  // Entry i of a stored column that begins at row 0 of its strip or at the first row of its group.
  static T entry(const S* column, Index i) {
    if constexpr (is_complex<T>) {
      const auto* const a =
          reinterpret_cast<const Real<S>*>(column) + i / group * 2 * group + i % group;
      return {static_cast<R>(a[0]), static_cast<R>(a[group])};
    } else {
      return static_cast<T>(column[i]);
    }
  }

  // y = strip x, over all its columns.
  void push(const S* a, const Strip& s, const T* x, Offset ldx, R* y) const {
    if (s.full > 0) push_full(a, s.rows, s.full, x, ldx, y, false);
    a += Offset{s.full} * s.rows;
    // Stair columns, eight at a time: each set of eight begins one group of rows lower.
    for (Index j = 0; j < s.stair; j += group) {
      const Index m = std::min(group, s.stair - j);
      push_full(a, s.rows - j, m, x + s.full + j, ldx, y + j, s.full + j > 0);
      a += Offset{m} * (s.rows - j);
    }
  }
  // y = or += A x for m columns that have all rows.
  // NOLINTNEXTLINE(readability-function-size): the operands of one product
  void push_full(const S* a, Index rows, Index m, const T* x, Offset ldx, R* y, bool add) const {
    kernels_.push[parts - 1](reals(a), rows / group, m, reals(x), ldx, y, count(), add);
  }

  // y(columns [c0, c1)) += strip' rows, where the panel begins at `panel`; c0 is a multiple of the
  // group.  `ahead`: bytes from the read position to the prefetch position.  `fresh`: y is not
  // initialized at the columns of the stair, which no earlier strip has.
  // NOLINTNEXTLINE(readability-function-size): the operands of one product
  void pull(const S* panel, const Strip& s, Index c0, Index c1, const R* rows, T* y, Offset ldy,
            Offset ahead, bool fresh = false) const {
    if (const Index m = std::min(c1, s.full) - c0; m > 0)
      kernels_.pull[parts - 1](reals(panel + s.column(c0)), s.rows / group, m, rows, reals(y + c0),
                               ldy, count(), ahead, true);
    const Index end = std::min(c1 - s.full, s.stair);
    for (Index j = std::max(c0, s.full) - s.full; j < end; j += group)
      kernels_.pull[parts - 1](reals(panel + s.column(s.full + j)), (s.rows - j) / group,
                               std::min(group, end - j), rows + j, reals(y + s.full + j), ldy,
                               count(), ahead, !fresh);
  }

 private:
  template <class A>
  static auto reals(const A* a) {
    return reinterpret_cast<const Real<A>*>(a);
  }
  static R* reals(T* a) { return reinterpret_cast<R*>(a); }

  Index count_;
  const PanelKernels<Real<S>, R>& kernels_;
};

}  // namespace echelon
