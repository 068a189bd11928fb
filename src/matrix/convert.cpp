// matrix/convert.cpp -- converts triplets to rows and rows to columns and back, and extracts a
// triangle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Counting sorts: count the entries of each list, sum, place.  Each thread takes a piece
// of the entries, in order, and has its own positions in every list.  So the sort is stable, and
// its result does not depend on the number of threads.  Triplets are sorted by row.  Then each row
// with unsorted columns is sorted (none, if the file was sorted by columns).  Duplicates are then
// adjacent, in their original order, and are added.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "echelon/matrix.hpp"

namespace echelon {
namespace {

constexpr Offset entries_grain = 1 << 15;  // fewer are not worth a thread
constexpr Offset rows_grain = 1 << 12;

// Positions of the entries: part t places its next entry of list k at next[t * lists + k].
struct Places {
  Index parts = 1;
  Buffer<Offset> start;  // size lists+1
  Buffer<Offset> next;   // size parts*lists
};

// One part per thread, as long as all counters together do not outnumber the entries.
Index part_count(Offset entries, Index lists) {
  const Offset most = std::min(entries / entries_grain, entries / std::max<Offset>(lists, 1));
  return static_cast<Index>(std::clamp<Offset>(most, 1, thread_count(0)));
}

// Runs body(begin, end, part) on each of `parts` pieces of n entries.
template <class Body>
void parallel_parts(Offset n, Index parts, const Body& body) {
  parallel_pieces(parts, 1, parts, [&](Offset, Offset, Index part) {
    body(piece_begin(n, part, parts), piece_begin(n, part + 1, parts), part);
  });
}

Places find_places(std::span<const Index> keys, Index lists) {
  const auto n = static_cast<Offset>(keys.size());
  const auto width = static_cast<std::size_t>(lists);
  Places places;
  places.parts = part_count(n, lists);
  places.start.resize(width + 1);
  places.next.resize(width * static_cast<std::size_t>(places.parts));
  parallel_parts(n, places.parts, [&](Offset begin, Offset end, Index part) {
    Offset* const count = places.next.data() + part * width;
    std::fill_n(count, width, Offset{0});
    for (Offset p = begin; p < end; ++p) ++count[keys[p]];
  });
  Offset sum = 0;
  for (std::size_t k = 0; k < width; ++k) {
    places.start[k] = sum;
    for (Index part = 0; part < places.parts; ++part)
      sum += std::exchange(places.next[part * width + k], sum);
  }
  places.start[width] = sum;
  return places;
}

// The lists of the other dimension; each is sorted by the old list number.
template <class T>
void transpose(const Pattern& a, std::span<const T> value, Buffer<Offset>& start,
               Buffer<Index>& index, Buffer<T>& out) {
  Places places = find_places(a.index, a.width());
  index.resize(a.index.size());
  out.resize(a.index.size());
  const auto n = static_cast<Offset>(a.index.size());
  parallel_parts(n, places.parts, [&](Offset begin, Offset end, Index part) {
    Offset* const next = places.next.data() + static_cast<Offset>(part) * a.width();
    auto k = static_cast<Index>(std::upper_bound(a.start.begin(), a.start.end(), begin) -
                                a.start.begin() - 1);
    for (Offset p = begin; p < end; ++p) {
      while (p >= a.start[k + 1]) ++k;
      const Offset q = next[a.index[p]]++;
      index[q] = k;
      out[q] = value[p];
    }
  });
  start = std::move(places.start);
}

void check_triplets(std::span<const Index> index, Index bound, const char* what) {
  parallel_pieces(static_cast<Offset>(index.size()), entries_grain, thread_count(0),
                  [&](Offset begin, Offset end, Index) {
                    for (Offset p = begin; p < end; ++p)
                      if (static_cast<std::uint32_t>(index[p]) >= static_cast<std::uint32_t>(bound))
                        throw Error(ErrorCode::bad_argument,
                                    "triplet " + std::to_string(p) + " has " + what + " " +
                                        std::to_string(index[p]) + ", outside 0 to " +
                                        std::to_string(bound - 1));
                  });
}

template <class T>
Csr<T> place_by_row(const Coo<T>& a) {
  Places places = find_places(a.row, a.rows);
  Csr<T> rows{a.rows, a.cols, {}, {}, {}};
  rows.index.resize(a.row.size());
  rows.value.resize(a.row.size());
  const auto n = static_cast<Offset>(a.row.size());
  parallel_parts(n, places.parts, [&](Offset begin, Offset end, Index part) {
    Offset* const next = places.next.data() + static_cast<Offset>(part) * a.rows;
    for (Offset p = begin; p < end; ++p) {
      const Offset q = next[a.row[p]]++;
      rows.index[q] = a.col[p];
      rows.value[q] = a.value[p];
    }
  });
  rows.start = std::move(places.start);
  return rows;
}

// Sorts one row by column; equal columns keep their order.
template <class T>
void sort_row(std::span<Index> index, std::span<T> value) {
  struct Entry {
    Index column;
    T value;
  };
  std::vector<Entry> entry(index.size());
  for (std::size_t p = 0; p < index.size(); ++p) entry[p] = {index[p], value[p]};
  std::stable_sort(entry.begin(), entry.end(),
                   [](const Entry& a, const Entry& b) { return a.column < b.column; });
  for (std::size_t p = 0; p < index.size(); ++p) {
    index[p] = entry[p].column;
    value[p] = entry[p].value;
  }
}

// Sorts unsorted rows; returns whether there are duplicates.
template <class T>
bool sort_rows(Csr<T>& a) {
  std::atomic<bool> twice{false};
  parallel_pieces(a.rows, rows_grain, thread_count(0), [&](Offset begin, Offset end, Index) {
    for (Offset i = begin; i < end; ++i) {
      const auto p = static_cast<std::size_t>(a.start[i]);
      const auto length = static_cast<std::size_t>(a.start[i + 1]) - p;
      const std::span<Index> index(a.index.data() + p, length);
      if (!std::is_sorted(index.begin(), index.end()))
        sort_row(index, std::span<T>(a.value.data() + p, length));
      if (std::adjacent_find(index.begin(), index.end()) != index.end()) twice = true;
    }
  });
  return twice;
}

// Adds up duplicates of sorted rows, in place.
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

template <class T, Order order>
void check_matrix(const CompressedView<T, order>& a) {
  check_pattern(a.pattern());
  if (a.value.size() != a.index.size())
    throw Error(ErrorCode::bad_argument, "a matrix of " + std::to_string(a.index.size()) +
                                             " indices has " + std::to_string(a.value.size()) +
                                             " values");
}

}  // namespace

template <Scalar T>
Csr<T> to_csr(const Coo<T>& a) {
  if (a.rows < 0 || a.cols < 0 || a.row.size() != a.col.size() || a.row.size() != a.value.size())
    throw Error(ErrorCode::bad_argument, "triplets need as many rows as columns and values");
  check_triplets(a.row, a.rows, "row");
  check_triplets(a.col, a.cols, "column");
  Csr<T> rows = place_by_row(a);
  if (sort_rows(rows)) merge_duplicates(rows);
  return rows;
}

template <Scalar T>
Csc<T> to_csc(const CsrView<T>& a) {
  check_matrix(a);
  Csc<T> c{a.rows, a.cols, {}, {}, {}};
  transpose(a.pattern(), a.value, c.start, c.index, c.value);
  return c;
}

template <Scalar T>
Csr<T> to_csr(const CscView<T>& a) {
  check_matrix(a);
  Csr<T> c{a.rows, a.cols, {}, {}, {}};
  transpose(a.pattern(), a.value, c.start, c.index, c.value);
  return c;
}

template <Scalar T>
Csr<T> extract_triangle(const CsrView<T>& a, Uplo uplo) {
  check_matrix(a);
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
