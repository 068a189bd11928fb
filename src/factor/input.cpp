// factor/input.cpp -- checks and sorts the matrix to be factored, and adds up duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/input.hpp"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "base/instantiate.hpp"
#include "base/number.hpp"

namespace echelon {
namespace {

template <class T>
void check_input(const MatrixView<T>& a) {
  if (a.rows != a.cols)
    throw Error(ErrorCode::bad_argument, "the matrix is " + std::to_string(a.rows) + " x " +
                                             std::to_string(a.cols) +
                                             "; it must be square to be factored");
  check_pattern(a);
  if (a.value.size() != a.index.size())
    throw Error(ErrorCode::bad_argument, "a matrix of " + std::to_string(a.index.size()) +
                                             " indices has " + std::to_string(a.value.size()) +
                                             " values");
}

// Whether all lists rise, so that they have no duplicates.
bool is_sorted(const Pattern& a) {
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k] + 1; p < a.start[k + 1]; ++p)
      if (a.index[p - 1] >= a.index[p]) return false;
  return true;
}

// Adds up duplicates of sorted lists, in place.
template <class T, Order order>
void add_duplicates(Compressed<T, order>& a) {
  const Index lists = a.pattern().lists();
  Offset kept = 0;
  for (Index k = 0; k < lists; ++k) {
    const Offset begin = std::exchange(a.start[k], kept);
    for (Offset p = begin; p < a.start[k + 1]; ++p) {
      if (kept > a.start[k] && a.index[kept - 1] == a.index[p]) {
        a.value[kept - 1] += a.value[p];
      } else {
        a.index[kept] = a.index[p];
        a.value[kept++] = a.value[p];
      }
    }
  }
  a.start[lists] = kept;
  a.index.resize(static_cast<std::size_t>(kept));
  a.value.resize(static_cast<std::size_t>(kept));
}

template <class T>
void check_finite(const MatrixView<T>& a, Half half) {
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) {
      if (is_finite(a.value[p])) continue;
      const auto [row, col] =
          a.order == Order::rows ? std::pair(k, a.index[p]) : std::pair(a.index[p], k);
      if (half == Half::both || row >= col)
        throw Error(ErrorCode::not_finite, "the entry in row " + std::to_string(row) + ", column " +
                                               std::to_string(col) + " is not finite");
    }
}

// The lists of `a` as rows, also where they are columns: then those of the transposed matrix.
template <class T>
CsrView<T> lists_as_rows(const MatrixView<T>& a) {
  return {a.lists(), a.width(), a.start, a.index, a.value};
}

template <class T>
Csr<T> half_as_rows(const MatrixView<T>& a) {
  return extract_triangle(lists_as_rows(a), a.order == Order::rows ? Uplo::lower : Uplo::upper);
}

// The lists of the other order, sorted and without duplicates.
template <class T>
Csc<T> turn(const CsrView<T>& lists) {
  Csc<T> turned = to_csc(lists);
  add_duplicates(turned);
  return turned;
}

}  // namespace

template <Scalar T>
template <Order order>
void SortedInput<T>::keep(Compressed<T, order>&& sorted) {
  start_ = std::move(sorted.start);
  index_ = std::move(sorted.index);
  value_ = std::move(sorted.value);
  borrowed_ = false;
  view_.start = start_;
  view_.index = index_;
  view_.value = value_;
}

template <Scalar T>
SortedInput<T>::SortedInput(const MatrixView<T>& a, Half half, Order wanted)
    : view_(a), half_(half) {
  check_input(a);
  view_.order = wanted;
  if (a.order != wanted || !is_sorted(a)) {
    Csc<T> turned = half == Half::both ? turn(lists_as_rows(a)) : turn(CsrView<T>(half_as_rows(a)));
    if (a.order != wanted)
      keep(std::move(turned));
    else
      keep(to_csr(CscView<T>(turned)));
  }
  check_finite(view_, half);
}

template <Scalar T>
T* SortedInput<T>::own_values() {
  if (borrowed_) {
    value_.assign(view_.value.begin(), view_.value.end());
    view_.value = value_;
    borrowed_ = false;
  }
  return value_.data();
}

template <Scalar T>
Csr<T> SortedInput<T>::take_rows() {
  assert(view_.order == Order::rows);
  if (borrowed_ && half_ == Half::lower) return half_as_rows(view_);
  if (!borrowed_)
    return {view_.rows, view_.cols, std::move(start_), std::move(index_), std::move(value_)};
  return {view_.rows, view_.cols, Buffer<Offset>(view_.start.begin(), view_.start.end()),
          Buffer<Index>(view_.index.begin(), view_.index.end()),
          Buffer<T>(view_.value.begin(), view_.value.end())};
}

bool has_symmetric_pattern(const Pattern& a) {
  // Visits the lists in order: entry (i,j) must be the next unmatched entry of list i.
  if (a.rows != a.cols) return false;
  std::vector<Offset> next(a.start.begin(), a.start.end() - 1);
  for (Index j = 0; j < a.lists(); ++j)
    for (const Index i : a.list(j)) {
      if (next[i] == a.start[i + 1] || a.index[next[i]] != j) return false;
      ++next[i];
    }
  return true;
}

std::vector<int> narrow_starts(std::span<const Offset> start, Offset limit, const char* package) {
  if (start.back() > limit)
    throw Error(ErrorCode::bad_argument,
                std::string(package) + " takes at most " + std::to_string(limit) +
                    " entries, and the matrix has " + std::to_string(start.back()));
  return {start.begin(), start.end()};
}

#define ECHELON_INSTANTIATE(T) template class SortedInput<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
