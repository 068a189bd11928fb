// matrix/convert.cpp -- from triplets to rows, from rows to columns and back, and one
// triangle out of a matrix.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Counting sorts: count the entries of each list, sum, place.  Triplets are
// sorted twice, by column and then by row; the sort is stable, so rows come out sorted
// and equal entries side by side, where they are added up.
#include <algorithm>
#include <numeric>
#include <string>

#include "base/instantiate.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

// start[k] = number of keys below k, size lists+1.
Buffer<Offset> count_starts(std::span<const Index> keys, Index lists) {
  Buffer<Offset> start(static_cast<std::size_t>(lists) + 1, 0);
  for (const Index k : keys) ++start[k + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  return start;
}

// Lists by the other dimension; each list of the result is sorted by the old list number.
template <class T>
void transpose(const Pattern& a, std::span<const T> value, Buffer<Offset>& start,
               Buffer<Index>& index, Buffer<T>& out) {
  start = count_starts(a.index, a.width());
  index.resize(a.index.size());
  out.resize(a.index.size());
  Buffer<Offset> next(start.begin(), start.end() - 1);
  for (Index k = 0; k < a.lists(); ++k) {
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) {
      const Offset q = next[a.index[p]]++;
      index[q] = k;
      out[q] = value[p];
    }
  }
}

void check_triplets(std::span<const Index> index, Index bound, const char* what) {
  for (std::size_t p = 0; p < index.size(); ++p)
    if (index[p] < 0 || index[p] >= bound)
      throw Error(ErrorCode::bad_argument, "triplet " + std::to_string(p) + " has " + what + " " +
                                               std::to_string(index[p]) + ", outside 0 to " +
                                               std::to_string(bound - 1));
}

// Adds up equal neighbours of sorted rows, in place.
template <class T>
void merge_duplicates(Csr<T>& a) {
  Offset kept = 0;
  for (Index i = 0; i < a.rows; ++i) {
    const Offset begin = a.start[i];
    a.start[i] = kept;
    for (Offset p = begin; p < a.start[i + 1]; ++p) {
      if (kept > a.start[i] && a.index[kept - 1] == a.index[p]) {
        a.value[kept - 1] += a.value[p];
      } else {
        a.index[kept] = a.index[p];
        a.value[kept++] = a.value[p];
      }
    }
  }
  a.start[a.rows] = kept;
  a.index.resize(kept);
  a.value.resize(kept);
}

}  // namespace

template <Scalar T>
Csr<T> to_csr(const Coo<T>& a) {
  if (a.rows < 0 || a.cols < 0 || a.row.size() != a.col.size() || a.row.size() != a.value.size())
    throw Error(ErrorCode::bad_argument, "triplets need as many rows as columns and values");
  check_triplets(a.row, a.rows, "row");
  check_triplets(a.col, a.cols, "column");

  Csc<T> by_column{a.rows, a.cols, count_starts(a.col, a.cols), {}, {}};
  by_column.index.resize(a.row.size());
  by_column.value.resize(a.row.size());
  Buffer<Offset> next(by_column.start.begin(), by_column.start.end() - 1);
  for (std::size_t p = 0; p < a.row.size(); ++p) {
    const Offset q = next[a.col[p]]++;
    by_column.index[q] = a.row[p];
    by_column.value[q] = a.value[p];
  }
  Csr<T> rows = to_csr(CscView<T>(by_column));
  merge_duplicates(rows);
  return rows;
}

template <Scalar T>
Csc<T> to_csc(const CsrView<T>& a) {
  check_pattern(a.pattern());
  Csc<T> c{a.rows, a.cols, {}, {}, {}};
  transpose(a.pattern(), a.value, c.start, c.index, c.value);
  return c;
}

template <Scalar T>
Csr<T> to_csr(const CscView<T>& a) {
  check_pattern(a.pattern());
  Csr<T> c{a.rows, a.cols, {}, {}, {}};
  transpose(a.pattern(), a.value, c.start, c.index, c.value);
  return c;
}

template <Scalar T>
Csr<T> extract_triangle(const CsrView<T>& a, Uplo uplo) {
  check_pattern(a.pattern());
  const auto kept = [uplo](Index i, Index j) { return uplo == Uplo::lower ? j <= i : j >= i; };
  Csr<T> t{a.rows, a.cols, Buffer<Offset>(static_cast<std::size_t>(a.rows) + 1), {}, {}};
  t.start[0] = 0;
  for (Index i = 0; i < a.rows; ++i) {
    const auto row = a.pattern().list(i);
    t.start[i + 1] =
        t.start[i] + std::count_if(row.begin(), row.end(), [&](Index j) { return kept(i, j); });
  }
  t.index.resize(t.start.back());
  t.value.resize(t.start.back());
  Offset q = 0;
  for (Index i = 0; i < a.rows; ++i) {
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      if (!kept(i, a.index[p])) continue;
      t.index[q] = a.index[p];
      t.value[q++] = a.value[p];
    }
  }
  return t;
}

#define ECHELON_INSTANTIATE(T)               \
  template Csr<T> to_csr(const Coo<T>&);     \
  template Csr<T> to_csr(const CscView<T>&); \
  template Csc<T> to_csc(const CsrView<T>&); \
  template Csr<T> extract_triangle(const CsrView<T>&, Uplo);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
