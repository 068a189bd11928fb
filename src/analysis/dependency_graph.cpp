// analysis/dependency_graph.cpp -- lists the strict triangle of M = op(A) by rows or by columns.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  One pass over the stored lists checks every entry, counts the entries inside the
// triangle, finds the diagonal, and notes whether each list has its entries of the triangle in one
// piece.  If the stored lists have the requested order and all are in one piece, they are used as
// they are.  Otherwise a counting sort builds new lists.  Each thread sorts a piece of the stored
// lists with its own counts, so the result is the same for any number of threads.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset list_grain = 1 << 14;  // lists below which a second thread does not pay

[[noreturn]] void refuse_entry(const TrianglePattern& t, Index k, Index j) {
  if (j < 0 || j >= t.n())
    throw Error(ErrorCode::bad_argument, (t.stored.order == Order::rows ? "row " : "column ") +
                                             std::to_string(k) + " has index " + std::to_string(j) +
                                             ", outside 0 to " + std::to_string(t.n() - 1));
  const bool by_rows = t.stored.order == Order::rows;
  throw Error(ErrorCode::not_triangular,
              "row " + std::to_string(by_rows ? k : j) + " has an entry in column " +
                  std::to_string(by_rows ? j : k) + ", outside the " +
                  (t.uplo == Uplo::lower ? "lower" : "upper") + " triangle");
}

// The result of one thread's scan, besides the parts written to the graph.
struct Found {
  Offset inside = 0;
  bool in_one_piece = true;
  std::vector<ExtraDiagonal> extra;
};

// One stored list: its entries inside the triangle, the first of them, and its diagonal.
struct ListScan {
  Offset first = 0;
  Index inside = 0;
  Offset diagonal = -1;
  bool in_one_piece = true;
};

// Scans any list entry by entry; throws if an entry is invalid.
ListScan scan_any_list(const TrianglePattern& t, Index k, Found& found) {
  ListScan scan;
  Offset end = scan.first = t.stored.start[k];
  for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p) {
    const Index j = t.stored.index[p];
    if (j < 0 || j >= t.n()) refuse_entry(t, k, j);
    if (t.inside(k, j)) {
      if (scan.inside++ == 0) scan.first = p;
      end = p + 1;
    } else if (j != k) {
      if (t.outside == OutsideEntries::error) refuse_entry(t, k, j);
    } else if (scan.diagonal < 0) {
      scan.diagonal = p;
    } else {
      found.extra.push_back({k, p});
    }
  }
  scan.in_one_piece = end - scan.first == scan.inside;
  return scan;
}

// Scans the stored lists [begin, end).  In a sorted list the entries before the diagonal, the
// diagonal and the entries after it are consecutive, so branch-free counting finds their places;
// any other list is scanned entry by entry.
void scan_lists(const TrianglePattern& t, Offset begin, Offset end, DependencyGraph& g,
                Found& found) {
  const Index* const index = t.stored.index.data();
  const bool below = t.inside(1, 0), stored_diagonal = t.diagonal == Diagonal::stored;
  bool in_one_piece = true;
  Offset all_inside = 0;
  for (auto k = static_cast<Index>(begin); k < end; ++k) {
    const Offset first = t.stored.start[k], last = t.stored.start[k + 1];
    Index before = 0, on = 0, previous = -1;
    bool rising = true;
    for (Offset p = first; p < last; ++p) {
      const Index j = index[p];
      before += j < k;
      on += j == k;
      rising &= j > previous;
      previous = j;
    }
    const auto after = static_cast<Index>(last - first) - before - on;
    ListScan scan{below ? first : last - after, below ? before : after,
                  on == 1 ? first + before : -1, true};
    const Index others = below ? after : before;
    if (!rising || previous >= t.n() || (others > 0 && t.outside == OutsideEntries::error))
      scan = scan_any_list(t, k, found);
    g.first.set(k, scan.first);
    g.length[k] = scan.inside;
    all_inside += scan.inside;
    in_one_piece = in_one_piece && scan.in_one_piece;
    if (!stored_diagonal) continue;
    if (scan.diagonal < 0)
      throw Error(ErrorCode::zero_diagonal, "row " + std::to_string(k) + " has no diagonal entry");
    g.diagonal.set(k, scan.diagonal);
  }
  found.inside = all_inside;
  found.in_one_piece = in_one_piece;
}

// Calls visit(new list, index in it, stored place) for each entry inside the triangle of the stored
// lists [begin, end).
template <class Visit>
void visit_inside(const TrianglePattern& t, bool transposed, Offset begin, Offset end,
                  const Visit& visit) {
  for (auto k = static_cast<Index>(begin); k < end; ++k) {
    for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p) {
      const Index j = t.stored.index[p];
      if (t.inside(k, j)) transposed ? visit(j, k, p) : visit(k, j, p);
    }
  }
}

// Counts per new list in each piece, sums over lists and pieces, places.  32-bit counters, where
// they suffice, halve the memory to clear.
template <class Counter>
void place_entries(const TrianglePattern& t, DependencyGraph& g, Index threads) {
  const bool transposed = t.lists() != g.lists;
  const Index most = std::min<Index>(threads, 8);  // each piece has n counters
  std::vector<Buffer<Counter>> next(most);
  parallel_pieces(g.n, list_grain, most, [&](Offset begin, Offset end, Index part) {
    next[part].assign(static_cast<std::size_t>(g.n), 0);
    visit_inside(t, transposed, begin, end, [&](Index i, Index, Offset) { ++next[part][i]; });
  });
  Offset sum = 0;
  for (Index i = 0; i < g.n; ++i) {
    const Offset first = sum;
    g.first.set(i, first);
    for (auto& counts : next)
      if (!counts.empty()) sum += std::exchange(counts[i], static_cast<Counter>(sum));
    g.length[i] = static_cast<Index>(sum - first);
  }
  g.own_index.resize(sum);
  g.from.resize(sum, t.stored.nonzeros() > (Offset{1} << 32));
  parallel_pieces(g.n, list_grain, most, [&](Offset begin, Offset end, Index part) {
    visit_inside(t, transposed, begin, end, [&](Index i, Index j, Offset p) {
      const auto q = static_cast<Offset>(next[part][i]++);
      g.own_index[q] = j;
      g.from.set(q, p);
    });
  });
  g.index = g.own_index;
}

}  // namespace

void RisingOffsets::refuse_span(Index k) {
  throw Error(ErrorCode::bad_argument, "the " + std::to_string(block) + " lists around list " +
                                           std::to_string(k) + " hold more than 2^32 entries");
}

DependencyGraph find_dependency_graph(const TrianglePattern& t, Order wanted, Index threads) {
  if (t.stored.rows != t.stored.cols)
    throw Error(ErrorCode::bad_argument, "a triangle must be square, this matrix is " +
                                             std::to_string(t.stored.rows) + " by " +
                                             std::to_string(t.stored.cols));
  if (t.n() == std::numeric_limits<Index>::max())
    throw Error(ErrorCode::bad_argument, "a triangle can have at most 2^31 - 2 rows");
  threads = thread_count(threads);
  check_starts(t.stored, threads);  // before any thread uses one

  DependencyGraph g;
  g.n = t.n();
  g.lists = wanted;
  g.shape = t.shape();
  g.transposed = t.op != Op::none;
  g.first.resize(g.n);
  g.length.resize(g.n);
  if (t.diagonal == Diagonal::stored) g.diagonal.resize(g.n);
  std::vector<Found> found(threads);
  parallel_blocks(
      g.n, RisingOffsets::block, list_grain, threads,
      [&](Offset begin, Offset end, Index part) { scan_lists(t, begin, end, g, found[part]); });
  bool in_one_piece = true;
  for (const Found& f : found) {
    g.nonzeros += f.inside;
    in_one_piece = in_one_piece && f.in_one_piece;
    if (t.diagonal == Diagonal::stored)
      g.extra.insert(g.extra.end(), f.extra.begin(), f.extra.end());
  }
  if (in_one_piece && t.lists() == wanted)
    g.index = t.stored.index;
  else if (g.nonzeros < (Offset{1} << 32))
    place_entries<std::uint32_t>(t, g, threads);
  else
    place_entries<Offset>(t, g, threads);
  return g;
}

}  // namespace echelon
