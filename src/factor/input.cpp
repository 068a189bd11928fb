// factor/input.cpp -- checks and sorts the matrix to be factored, and adds up duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/input.hpp"

#include <algorithm>
#include <string>

#include "base/finite.hpp"
#include "base/instantiate.hpp"

namespace echelon {
namespace {

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
void check_finite(const Csc<T>& a) {
  for (Index j = 0; j < a.cols; ++j)
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p)
      if (!is_finite(a.value[p]))
        throw Error(ErrorCode::not_finite, "the entry in row " + std::to_string(a.index[p]) +
                                               ", column " + std::to_string(j) + " is not finite");
}

}  // namespace

template <Scalar T>
void check_input(const CsrView<T>& a) {
  if (a.rows != a.cols)
    throw Error(ErrorCode::bad_argument, "the matrix is " + std::to_string(a.rows) + " x " +
                                             std::to_string(a.cols) +
                                             "; it must be square to be factored");
  check_pattern(a.pattern());
  if (a.value.size() != a.index.size())
    throw Error(ErrorCode::bad_argument, "a matrix of " + std::to_string(a.index.size()) +
                                             " indices has " + std::to_string(a.value.size()) +
                                             " values");
}

template <Scalar T>
Csc<T> sorted_columns(const CsrView<T>& a) {
  Csc<T> columns = to_csc(a);
  add_duplicates(columns);
  check_finite(columns);
  return columns;
}

template <Scalar T>
Csr<T> sorted_rows(const CsrView<T>& a) {
  return to_csr(CscView<T>(sorted_columns(a)));
}

template <Scalar T>
bool has_symmetric_pattern(const Csc<T>& a) {
  // Visits the columns in order: entry (i,j) must be the next unmatched entry of column i.
  if (a.rows != a.cols) return false;
  std::vector<Offset> next(a.start.begin(), a.start.end() - 1);
  for (Index j = 0; j < a.cols; ++j)
    for (Offset p = a.start[j]; p < a.start[j + 1]; ++p) {
      const Index i = a.index[p];
      if (next[i] == a.start[i + 1] || a.index[next[i]] != j) return false;
      ++next[i];
    }
  return true;
}

std::vector<int> narrow_starts(const Buffer<Offset>& start, Offset limit, const char* package) {
  if (start.back() > limit)
    throw Error(ErrorCode::bad_argument,
                std::string(package) + " takes at most " + std::to_string(limit) +
                    " entries, and the matrix has " + std::to_string(start.back()));
  return {start.begin(), start.end()};
}

#define ECHELON_INSTANTIATE(T)                       \
  template void check_input(const CsrView<T>&);      \
  template Csc<T> sorted_columns(const CsrView<T>&); \
  template Csr<T> sorted_rows(const CsrView<T>&);    \
  template bool has_symmetric_pattern(const Csc<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
