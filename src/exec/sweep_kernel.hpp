// exec/sweep_kernel.hpp -- the inner loop of a Gauss-Seidel sweep: one unknown, both triangles.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  s = b(i) - sum of U(i,j) old(j), t = sum of L(i,j) x(j), each in packed order, then
// x(i) = keep old(i) + weight (s - t) / d(i).  There are two sums because the nearest x(j) is often
// the one computed just before: only t and the last operations depend on it, and s is ready by
// then.  Every second entry of a list goes to one more sum, as in solve_rows.  The order is fixed,
// so all row methods give the same bits with any number of threads.
//
// In place (old is x), U(i,j) x(j) must be read before x(j) is overwritten.  This holds if x(j)
// depends on x(i): each executor then computes x(j) only after row i is done.
#pragma once

#include <algorithm>

#include "exec/row_kernel.hpp"

namespace echelon {

// Offset of entry (i, c) of vectors with this leading dimension.
template <Layout layout, int columns>
inline Offset place_of(Offset i, int c, Offset leading) {
  if constexpr (columns == 1 && layout == Layout::column_major) return i;
  return layout == Layout::column_major ? i + c * leading : i * leading + c;
}

// Reads the entries of one triangle, list after list.
template <class T>
struct ListStream {
  const RisingOffsets* start;
  const Index* index;
  const T* value;
  Offset p;  // the next entry

  ListStream(const PackedPattern& pattern, const PackedValues<T>& values, Index begin)
      : start(&pattern.start),
        index(pattern.index.data()),
        value(values.value.data()),
        p(pattern.start[begin]) {}

  // Prefetches ahead of the lists up to `end`.
  void prefetch_lists(Index end) const {
    const Offset last = (*start)[end];
    prefetch_ahead(value + p, value + last);
    prefetch_ahead(index + p, index + last);
  }
  // sum[c] = sum over list k of value * v(index, c); wait(j) returns when v(j) may be read.
  template <Layout layout, int columns, class Wait>
  void add_list(Index k, const T* v, Offset leading, const Wait& wait, T* sum) {
    const Offset last = (*start)[k + 1];
    const auto add = [&](Offset q, T* to) {
      const Index j = index[q];
      wait(j);
      for (int c = 0; c < columns; ++c)
        to[c] += multiply(value[q], v[place_of<layout, columns>(j, c, leading)]);
    };
    T second[columns] = {};  // as in solve_rows
    for (; p + 2 < last; p += 2) {
      add(p, second);
      add(p + 1, sum);
    }
    for (int c = 0; c < columns; ++c) sum[c] += second[c];
    for (; p < last; ++p) add(p, sum);
  }
};

// Like solve_rows, for pass.sweep.
template <class T, DiagonalForm form, Layout layout, int columns, class Wait, class Done>
Real<T> sweep_rows(const RowPass<T>& pass, Index begin, Index end, const Wait& wait,
                   const Done& done) {
  constexpr auto at = place_of<layout, columns>;
  constexpr Index block = 8;  // lists per prefetch
  const SweepTerms<T> sweep = *pass.sweep;
  const Index* const order = pass.pattern.order.data();
  const T* const diagonal = pass.values.diagonal.data();
  ListStream<T> own(pass.pattern, pass.values, begin);
  ListStream<T> across =
      sweep.across ? ListStream<T>(*sweep.across, *sweep.across_values, begin) : own;
  const bool keeps = sweep.keep != T(0), weighs = sweep.weight != T(1);
  const bool saves = sweep.saved.data != nullptr;
  const auto nothing = [](Index) {};
  Real<T> probe = 0;
  for (Index k = begin; k < end; ++k) {
    if (pass.prefetches && (k - begin) % block == 0) {
      const Index ahead = std::min(k + block, end);
      own.prefetch_lists(ahead);
      if (sweep.across) across.prefetch_lists(ahead);
    }
    const Index i = order[k];
    T other[columns] = {}, near[columns] = {};
    if (sweep.across)
      across.template add_list<layout, columns>(k, sweep.old.data, sweep.old.leading, nothing,
                                                other);
    own.template add_list<layout, columns>(k, pass.x, pass.x_leading, wait, near);
    for (int c = 0; c < columns; ++c) {
      const T s = (pass.b[at(i, c, pass.b_leading)] - other[c]) - near[c];
      T x = apply_diagonal<T, form>(s, diagonal, k);
      if (weighs) x = multiply(sweep.weight, x);
      if (keeps) x += multiply(sweep.keep, sweep.old.data[at(i, c, sweep.old.leading)]);
      if (saves)
        sweep.saved.data[at(i, c, sweep.saved.leading)] =
            sweep.right.data[at(i, c, sweep.right.leading)] - near[c];
      probe += probe_of(x);
      pass.x[at(i, c, pass.x_leading)] = x;
    }
    done(i);
  }
  return probe;
}

}  // namespace echelon
