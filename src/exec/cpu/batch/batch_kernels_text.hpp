// exec/cpu/batch/batch_kernels_text.hpp -- the kernels for batches, compiled once per vector unit
// by echelon_vector_units (cmake/EchelonTarget.cmake).
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A line is one vector of the unit, or several: then one part of the lines after the
// other, so that the sums of a part stay in registers.  With M, unknown i gathers its row; with the
// transpose, rows go backwards and x(i) is scattered to the unknowns of row i.  Both read the same
// values from one end to the other.
#pragma once

#include "base/unit_vectors.hpp"
#include "exec/cpu/batch/batch_copies_text.hpp"

// Offsets inside the vectors of a group are widened where they are made.
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result)
namespace echelon {
namespace {

constexpr int parts = batch_line / unit_bytes;
constexpr int prefetch_lines = 32;  // ahead of the read position: the hardware stops at page ends

// The sizes of lines of real or complex numbers, for some right-hand sides.
template <class R, bool C, int columns>
struct Lines {
  using Vector = VectorWith<R, unit_bytes / static_cast<int>(sizeof(R))>;
  static constexpr int lanes = unit_bytes / static_cast<int>(sizeof(R));
  static constexpr int width = batch_lanes<R>;
  static constexpr int planes = C ? 2 : 1;
  static constexpr Offset entry = planes * width;  // numbers of an entry of M
  static constexpr Offset row = columns * entry;   // numbers of an unknown
  static ECHELON_INLINE Vector load(const R* p) { return load_vector<R, R, lanes>(p); }
};

// One part of a number of every lane.
template <class L, bool C>
struct PartOf {
  typename L::Vector re = {}, im = {};
};
template <class L, bool C, class R>
ECHELON_INLINE PartOf<L, C> load_part(const R* p) {
  if constexpr (C)
    return {L::load(p), L::load(p + L::width)};
  else
    return {L::load(p)};
}
template <class L, bool C, class R>
ECHELON_INLINE void store_part(R* p, const PartOf<L, C>& a) {
  store_vector(p, a.re);
  if constexpr (C) store_vector(p + L::width, a.im);
}
// s - a b.
template <class L, bool C>
ECHELON_INLINE PartOf<L, C> less_product(PartOf<L, C> s, const PartOf<L, C>& a,
                                         const PartOf<L, C>& b) {
  s.re = subtract_product(s.re, a.re, b.re);
  if constexpr (C) {
    s.re = add_product(s.re, a.im, b.im);
    s.im = subtract_product(s.im, a.re, b.im);
    s.im = subtract_product(s.im, a.im, b.re);
  }
  return s;
}
template <class L, bool C>
ECHELON_INLINE PartOf<L, C> product(const PartOf<L, C>& a, const PartOf<L, C>& b) {
  if constexpr (C)
    return {subtract_product(a.re * b.re, a.im, b.im), add_product(a.re * b.im, a.im, b.re)};
  else
    return {a.re * b.re};
}

// x / d of one lane; Smith's algorithm: no square overflows.
template <class R>
inline void divide_lane(R& re, R& im, R d_re, R d_im) {
  const R size_re = d_re < 0 ? -d_re : d_re, size_im = d_im < 0 ? -d_im : d_im;
  const bool real_first = size_re >= size_im;
  const R q = real_first ? d_im / d_re : d_re / d_im;
  const R d = real_first ? d_re + d_im * q : d_re * q + d_im;
  const R a = re, b = im;
  re = (real_first ? a + b * q : a * q + b) / d;
  im = (real_first ? b - a * q : b * q - a) / d;
}

// Divides the lanes of an unknown by the diagonal.
template <class L, bool C, class R>
inline void divide_row(R* x, const R* diagonal) {
  for (R* const end = x + L::row; x < end; x += L::entry)
    for (int lane = 0; lane < L::width; ++lane)
      if constexpr (C)
        divide_lane(x[lane], x[lane + L::width], diagonal[lane], diagonal[lane + L::width]);
      else
        x[lane] /= diagonal[lane];
}

// Multiplies or divides the lanes of an unknown as the diagonal is stored.
template <class L, bool C, class R>
ECHELON_INLINE void apply_batch_diagonal(const BatchGroup<R>& m, Index k, R* x) {
  if (m.unit) return;
  const R* const diagonal = m.value + m.end(k) * L::entry;
  if (m.divides) return divide_row<L, C>(x, diagonal);
  for (R* const end = x + L::row; x < end; x += L::entry)
    for (int at = 0; at < L::width; at += L::lanes)
      store_part<L, C>(x + at, product(load_part<L, C>(diagonal + at), load_part<L, C>(x + at)));
}

// x(i) -= the sum over row k of M(i,j) x(j), for one part of the lines.
template <class L, bool C, int columns, class R>
ECHELON_INLINE void gather_row(const BatchGroup<R>& m, Index k, R* x, int at) {
  R* const own = x + m.row[k] * L::row + at;
  PartOf<L, C> s[columns];
  for (int c = 0; c < columns; ++c) s[c] = load_part<L, C>(own + c * L::entry);
  const Index end = m.end(k);
  for (Index p = m.start[k]; p < end; ++p) {
    const R* const v = m.value + p * L::entry + at;
    __builtin_prefetch(v + prefetch_lines * L::entry);
    const R* const other = x + m.index[p] * L::row + at;
    const auto a = load_part<L, C>(v);
    for (int c = 0; c < columns; ++c)
      s[c] = less_product(s[c], a, load_part<L, C>(other + c * L::entry));
  }
  for (int c = 0; c < columns; ++c) store_part<L, C>(own + c * L::entry, s[c]);
}

// x(j) -= M(i,j) x(i) for the entries of row k, for one part of the lines.
template <class L, bool C, int columns, class R>
ECHELON_INLINE void scatter_row(const BatchGroup<R>& m, Index k, R* x, int at) {
  const R* const own = x + m.row[k] * L::row + at;
  PartOf<L, C> s[columns];
  for (int c = 0; c < columns; ++c) s[c] = load_part<L, C>(own + c * L::entry);
  for (Index p = m.end(k) - 1; p >= m.start[k]; --p) {
    const R* const v = m.value + p * L::entry + at;
    __builtin_prefetch(v - prefetch_lines * L::entry);
    R* const other = x + m.index[p] * L::row + at;
    const auto a = load_part<L, C>(v);
    for (int c = 0; c < columns; ++c)
      store_part<L, C>(other + c * L::entry,
                       less_product(load_part<L, C>(other + c * L::entry), a, s[c]));
  }
}

template <class R, bool C, bool turned, int columns>
void solve_group(const BatchGroup<R>& m, R* x) {
  using L = Lines<R, C, columns>;
  for (Index step = 0; step < m.n; ++step) {
    const Index k = turned ? m.n - 1 - step : step;
    if constexpr (!turned)
      for (int part = 0; part < parts; ++part) gather_row<L, C, columns>(m, k, x, part * L::lanes);
    apply_batch_diagonal<L, C>(m, k, x + m.row[k] * L::row);
    if constexpr (turned)
      for (int part = 0; part < parts; ++part) scatter_row<L, C, columns>(m, k, x, part * L::lanes);
  }
}

#define ECHELON_BY_COLUMNS(R, C, turned) \
  { solve_group<R, C, turned, 1>, solve_group<R, C, turned, 2>, solve_group<R, C, turned, 4> }
template <class R>
constexpr BatchKernels<R> batch_kernels_in{
    {{ECHELON_BY_COLUMNS(R, false, false), ECHELON_BY_COLUMNS(R, false, true)},
     {ECHELON_BY_COLUMNS(R, true, false), ECHELON_BY_COLUMNS(R, true, true)}},
    copy_to_lines<R>,
    copy_from_lines<R>};
#undef ECHELON_BY_COLUMNS
constexpr AllBatchKernels all_batch_kernels{batch_kernels_in<double>, batch_kernels_in<float>};

}  // namespace

extern const AllBatchKernels ECHELON_OF_UNIT(batch_kernels) = all_batch_kernels;

}  // namespace echelon
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result)
