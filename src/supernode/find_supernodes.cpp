// supernode/find_supernodes.cpp -- finds the supernodes of N: the fundamental ones, or those of a
// given partition.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Column k+1 joins the supernode of k if struct(k) = {k+1} + struct(k+1).  For sorted
// lists without duplicates this is one memory comparison; other lists are compared as sets, with
// marks.  The rows of a fundamental supernode are the rows of its last column.  In general the rows
// are gathered from the last column backwards: a column that continues the next one adds no row; of
// any other column the unmarked rows are appended, and sorted at the end.
//
// Cost.  O(n + nnz) and, where the columns of a supernode are not sorted or do not nest, a sort of
// its rows.  Threads take ranges of columns with equal numbers of entries.  Marks cost n numbers
// per thread, only where needed.
#include <cstring>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "echelon/supernode.hpp"
#include "supernode/columns.hpp"

namespace echelon {
namespace {

bool is_rising(std::span<const Index> list) {
  Index falls = 0;  // counted without a branch
  for (std::size_t p = 1; p < list.size(); ++p) falls += list[p] <= list[p - 1];
  return falls == 0;
}

// True if list k equals list k+1 plus the next position, entry by entry.
bool continues(const Columns& columns, Index k) {
  const auto list = columns.list(k), next = columns.list(k + 1);
  if (list.size() != next.size() + 1) return false;
  const bool reversed = columns.reversed();
  if ((reversed ? list.back() : list.front()) != columns.position(k + 1)) return false;
  const Index* const others = list.data() + (reversed ? 0 : 1);
  return next.empty() || std::memcmp(others, next.data(), next.size_bytes()) == 0;
}

// Compares two lists in any order as sets.
class SetComparison {
 public:
  // True if struct(k) = {k+1} + struct(k+1).
  bool operator()(const Columns& columns, Index k) {
    if (mark_.empty()) mark_.assign(static_cast<std::size_t>(columns.n()), 0);
    const std::uint32_t seen = ++stamp_, seen_twice = ++stamp_;
    Index left = 0;  // entries of struct(k) not yet found in struct(k+1)
    for (const Index i : columns.list(k)) left += std::exchange(mark_[i], seen) != seen;
    for (const Index i : columns.list(k + 1)) {
      if (mark_[i] == seen_twice) continue;
      if (mark_[i] != seen) return false;
      mark_[i] = seen_twice;
      --left;
    }
    return left == 1 && mark_[columns.position(k + 1)] == seen;
  }

 private:
  Buffer<std::uint32_t> mark_;  // size n: the last set that contained the unknown
  std::uint32_t stamp_ = 0;     // at most 2n
};

// For each position: whether the next one belongs to the same supernode.
Buffer<std::uint8_t> find_joins(const Columns& columns, Index threads) {
  Buffer<std::uint8_t> joins(static_cast<std::size_t>(columns.n()));
  parallel_columns(columns, threads, [&](Index begin, Index end, Index) {
    SetComparison same_sets;
    bool rising = begin < end && is_rising(columns.list(begin));
    for (Index k = begin; k < end; ++k) {
      if (k + 1 == columns.n()) {
        joins[k] = 0;
        continue;
      }
      const bool joined = continues(columns, k);
      const bool next_rising = (joined && rising) || is_rising(columns.list(k + 1));
      joins[k] = joined || (!(rising && next_rising) && same_sets(columns, k));
      rising = next_rising;
    }
  });
  return joins;
}

// Gathers the rows of one supernode after another.
class RowGatherer {
 public:
  RowGatherer(const Columns& columns, Buffer<Index>& row) : columns_(columns), row_(row) {}

  // Appends the rows beyond `end` of the columns [begin, end), sorted; returns their number.
  Index append(Index begin, Index end) {
    start_ = row_.size();
    is_marked_ = false;
    add_last(end);
    const std::size_t sorted = row_.size();
    for (Index k = end - 2; k >= begin; --k)
      if (!continues(columns_, k)) add_new(k, end);
    const auto rows = row_.begin() + static_cast<Offset>(start_);
    if (row_.size() > sorted) std::sort(rows, row_.end());
    return static_cast<Index>(row_.size() - start_);
  }

 private:
  void add_last(Index end) {
    const auto list = columns_.list(end - 1);
    if (!is_rising(list)) {
      add_new(end - 1, end);
      return std::sort(row_.begin() + static_cast<Offset>(start_), row_.end());
    }
    row_.resize(start_ + list.size());
    Index* const rows = row_.data() + start_;
    if (columns_.reversed())
      std::transform(list.rbegin(), list.rend(), rows,
                     [last = columns_.n() - 1](Index i) { return last - i; });
    else
      std::copy(list.begin(), list.end(), rows);
  }

  // Appends the rows of column k that are not yet there.
  void add_new(Index k, Index end) {
    if (mark_.empty()) mark_.assign(static_cast<std::size_t>(columns_.n()), -1);
    if (!std::exchange(is_marked_, true))
      for (std::size_t p = start_; p < row_.size(); ++p) mark_[row_[p]] = end;
    for (const Index i : columns_.list(k)) {
      const Index position = columns_.position(i);
      if (position >= end && std::exchange(mark_[position], end) != end) row_.push_back(position);
    }
  }

  const Columns& columns_;
  Buffer<Index>& row_;
  std::size_t start_ = 0;   // begin of this supernode's rows
  bool is_marked_ = false;  // its rows so far are marked
  Buffer<Index> mark_;      // size n, by position: the end of the last supernode with this row
};

// The columns of a supernode that are read to find its rows.
enum class Look { at_all, at_last };

// The supernodes of one thread.
struct Piece {
  Index begin = 0;
  Buffer<Index> row;
};

Supernodes gather_rows(const Columns& columns, Buffer<Index>&& first, Look look, Index threads) {
  Supernodes s;
  s.n = columns.n();
  s.first = std::move(first);
  s.row_start.resize(s.first.size());
  s.row_start[0] = 0;
  const auto firsts = std::span(s.first).first(static_cast<std::size_t>(s.count()));
  const auto member_from = [&](Index k) {
    return static_cast<Index>(std::lower_bound(firsts.begin(), firsts.end(), k) - firsts.begin());
  };
  std::vector<Piece> pieces(static_cast<std::size_t>(threads));
  parallel_columns(columns, threads, [&](Index begin, Index end, Index part) {
    Piece& piece = pieces[part];
    RowGatherer rows(columns, piece.row);
    piece.begin = member_from(begin);
    const Index last = member_from(end);
    Offset most = 0;  // upper bound on the rows
    for (Index t = piece.begin; t < last; ++t)
      most += static_cast<Offset>(columns.list(s.first[t + 1] - 1).size());
    piece.row.reserve(static_cast<std::size_t>(most));
    for (Index t = piece.begin; t < last; ++t) {
      const Index start = look == Look::at_all ? s.first[t] : s.first[t + 1] - 1;
      s.row_start[t + 1] = rows.append(start, s.first[t + 1]);
    }
  });
  std::partial_sum(s.row_start.begin(), s.row_start.end(), s.row_start.begin());
  s.row.resize(static_cast<std::size_t>(s.row_start.back()));
  parallel_pieces(threads, 1, threads, [&](Offset begin, Offset end, Index) {
    for (Offset part = begin; part < end; ++part)
      std::copy(pieces[part].row.begin(), pieces[part].row.end(),
                s.row.begin() + s.row_start[pieces[part].begin]);
  });
  return s;
}

void check_partition(std::span<const Index> first, Index n) {
  if (first.empty() || first.front() != 0 || first.back() != n)
    throw Error(ErrorCode::bad_argument,
                "a partition of the unknowns must begin with 0 and end with " + std::to_string(n));
  for (std::size_t s = 1; s < first.size(); ++s)
    if (first[s] <= first[s - 1])
      throw Error(ErrorCode::bad_argument, "supernode " + std::to_string(s - 1) + " runs from " +
                                               std::to_string(first[s - 1]) + " to " +
                                               std::to_string(first[s]));
}

}  // namespace

Supernodes find_supernodes(const DependencyGraph& g, Index threads) {
  const Columns columns(g);
  threads = thread_count(threads);
  const Buffer<std::uint8_t> joins = find_joins(columns, threads);
  Buffer<Index> first(1, 0);
  for (Index k = 0; k < g.n; ++k)
    if (joins[k] == 0) first.push_back(k + 1);
  return gather_rows(columns, std::move(first), Look::at_last, threads);
}

Supernodes find_supernodes(const DependencyGraph& g, std::span<const Index> first, Index threads) {
  check_partition(first, g.n);
  return gather_rows(Columns(g), Buffer<Index>(first.begin(), first.end()), Look::at_all,
                     thread_count(threads));
}

}  // namespace echelon
