// exec/row_kernel.hpp -- the inner loop of every row method: one unknown, up to 8 right-hand sides,
// with a hook to wait before each x(j) is read.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  s = alpha b(i) - sum of M(i,j) x(j), then x(i) = s / d(i).  The sum runs in packed
// order; only the first entry of a row of an upper triangle comes last: so the neighbour that was
// solved last, for which the row has to wait, is subtracted last.  Every second entry goes to a sum
// of its own, as an addition waits for the one before: this takes a third off the time of a row.
// The order is fixed, so every row method gives the same bits with any number of threads.  Up to 8
// right-hand sides share one read of the matrix.
#pragma once

#include <cmath>

#include "base/number.hpp"
#include "base/prefetch.hpp"
#include "echelon/executor.hpp"

namespace echelon {

// One pass of a job: the matrix and a group of its right-hand sides.
template <class T>
struct RowPass {
  const PackedPattern& pattern;
  const PackedValues<T>& values;
  T alpha;
  const T* b;
  T* x;
  Offset b_leading;
  Offset x_leading;
  const SweepTerms<T>* sweep;  // null: a solve
  bool prefetches = false;
};

// 0 for a finite a, NaN otherwise: the sum over all x is 0 only if all of x is finite.
template <class T>
inline Real<T> probe_of(T a) {
  if constexpr (is_complex<T>)
    return a.real() * Real<T>(0) + a.imag() * Real<T>(0);
  else
    return a * Real<T>(0);
}

template <class T, DiagonalForm form>
inline T apply_diagonal(T s, const T* diagonal, Offset k) {
  if constexpr (form == DiagonalForm::unit) return s;
  if constexpr (form == DiagonalForm::reciprocal) return multiply(s, diagonal[k]);
  return divide(s, diagonal[k]);
}

// Solves positions [begin, end) whose rows have no entries, with four sums of probes, as one would
// wait for each addition before.
template <class T, DiagonalForm form, class Done>
Real<T> divide_rows(const RowPass<T>& pass, Index begin, Index end, const Done& done) {
  constexpr Index at_once = 4;
  const Index* const order = pass.pattern.order.data();
  const T* const diagonal = pass.values.diagonal.data();
  Real<T> probe[at_once] = {};
  const auto divide = [&](Index k, Index slot) {
    const Index i = order[k];
    const T x = apply_diagonal<T, form>(multiply(pass.alpha, pass.b[i]), diagonal, k);
    probe[slot] += probe_of(x);
    pass.x[i] = x;
    done(i);
  };
  Index k = begin;
  for (; k + at_once <= end; k += at_once)
    for (Index slot = 0; slot < at_once; ++slot) divide(k + slot, slot);
  for (; k < end; ++k) divide(k, 0);
  return (probe[0] + probe[1]) + (probe[2] + probe[3]);
}

// Calls subtract(q, sum) for the entries [p, last) of a row, with sum = s or another sum that is
// then added to s; the first entry comes last if it is that of the nearest neighbour.
template <class T, int columns, class Subtract>
void subtract_entries(Offset p, Offset last, bool nearest_first, T* s, const Subtract& subtract) {
  Offset q = nearest_first ? p + 1 : p;
  if (q + 2 < last) {
    T other[columns] = {};
    for (; q + 2 < last; q += 2) {
      subtract(q, other);
      subtract(q + 1, s);
    }
    for (int c = 0; c < columns; ++c) s[c] += other[c];
  }
  for (; q < last; ++q) subtract(q, s);
  if (nearest_first) subtract(p, s);
}

// Solves positions [begin, end) of the packed order.  wait(j) returns when x(j) may be read;
// done(i) is called after x(i) is written.  Returns the sum of the probes of all x written.
template <class T, DiagonalForm form, Layout layout, int columns, class Wait, class Done>
Real<T> solve_rows(const RowPass<T>& pass, Index begin, Index end, const Wait& wait,
                   const Done& done) {
  const Index* const order = pass.pattern.order.data();
  const RisingOffsets& start = pass.pattern.start;
  const Index* const index = pass.pattern.index.data();
  const T* const value = pass.values.value.data();
  const T* const diagonal = pass.values.diagonal.data();
  const auto at = [](Offset i, int c, Offset leading) {
    if constexpr (columns == 1 && layout == Layout::column_major) return i;
    return layout == Layout::column_major ? i + c * leading : i * leading + c;
  };
  if constexpr (columns == 1 && layout == Layout::column_major)
    if (start[begin] == start[end]) return divide_rows<T, form>(pass, begin, end, done);
  Real<T> probe = 0;
  Offset p = start[begin];
  for (Index k = begin; k < end; ++k) {
    const Index i = order[k];
    T s[columns];
    for (int c = 0; c < columns; ++c) s[c] = multiply(pass.alpha, pass.b[at(i, c, pass.b_leading)]);
    const Offset last = start[k + 1];
    if (pass.prefetches) {
      prefetch_ahead(value + p, value + last);
      prefetch_ahead(index + p, index + last);
    }
    const auto subtract = [&](Offset q, T* sum) {
      const Index j = index[q];
      wait(j);
      for (int c = 0; c < columns; ++c)
        sum[c] -= multiply(value[q], pass.x[at(j, c, pass.x_leading)]);
    };
    subtract_entries<T, columns>(p, last, p < last && index[p] > i, s, subtract);
    p = last;
    for (int c = 0; c < columns; ++c) {
      const T x = apply_diagonal<T, form>(s[c], diagonal, k);
      probe += probe_of(x);
      pass.x[at(i, c, pass.x_leading)] = x;
    }
    done(i);
  }
  return probe;
}

// A row kernel without waits, and its selection: for solves, and for sweeps (sweep_kernel.hpp).
template <class T>
using RowKernel = Real<T> (*)(const RowPass<T>&, Index begin, Index end);
template <class T>
RowKernel<T> find_row_kernel(const SolveJob<T>& job, int columns);

// The sweep terms of right-hand sides [first, first + some).
template <class T>
SweepTerms<T> slice(const SweepTerms<T>& sweep, Index first, Index some) {
  SweepTerms<T> part = sweep;
  part.old = sweep.old.slice(first, some);
  part.right = sweep.right.slice(first, some);
  part.saved = sweep.saved.slice(first, some);
  return part;
}

// Calls run(pass, columns) for every group of 8, 4, 2 or 1 right-hand sides of a job; run returns
// the probe.  Returns whether all of x is finite.
template <class T, class Run>
bool for_each_row_pass(const SolveJob<T>& job, const Run& run) {
  const bool prefetches =
      comes_from_memory(job.plan.pattern.index.size() * (sizeof(T) + sizeof(Index)));
  Real<T> probe = 0;
  for (Index first = 0; first < job.x.count;) {
    const Index left = job.x.count - first;
    const int columns = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
    const SweepTerms<T> sweep = job.sweep ? slice(*job.sweep, first, columns) : SweepTerms<T>();
    const RowPass<T> pass{job.plan.pattern,
                          job.values,
                          job.alpha,
                          job.b.data + first * job.b.stride(),
                          job.x.data + first * job.x.stride(),
                          job.b.leading,
                          job.x.leading,
                          job.sweep ? &sweep : nullptr,
                          prefetches};
    probe += run(pass, columns);
    first += columns;
  }
  return probe == 0;
}

// Calls f<form, layout, columns>() for run-time values of the three.
template <class F>
auto dispatch_row_kernel(DiagonalForm form, Layout layout, int columns, const F& f) {
  const auto by_columns = [&]<DiagonalForm d, Layout l>() {
    switch (columns) {
      case 8:
        return f.template operator()<d, l, 8>();
      case 4:
        return f.template operator()<d, l, 4>();
      case 2:
        return f.template operator()<d, l, 2>();
      default:
        return f.template operator()<d, l, 1>();
    }
  };
  const auto by_layout = [&]<DiagonalForm d>() {
    return layout == Layout::column_major
               ? by_columns.template operator()<d, Layout::column_major>()
               : by_columns.template operator()<d, Layout::row_major>();
  };
  switch (form) {
    case DiagonalForm::unit:
      return by_layout.template operator()<DiagonalForm::unit>();
    case DiagonalForm::reciprocal:
      return by_layout.template operator()<DiagonalForm::reciprocal>();
    default:
      return by_layout.template operator()<DiagonalForm::plain>();
  }
}

}  // namespace echelon
