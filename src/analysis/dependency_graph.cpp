// analysis/dependency_graph.cpp -- the strict triangle of M = op(A), listed by rows or by
// columns as the method wants it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  One pass over the stored lists checks every entry, counts those inside the
// triangle and finds the diagonal.  A second pass places them: list for list where the
// stored lists are what is wanted, else by a counting sort on the other index.  The sort
// gives each thread a piece of the stored lists and its own counts, so the result is the
// same for any number of threads: lists sorted by the stored list they came from.
#include <algorithm>
#include <string>

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 14;  // lists below which a second thread does not pay

[[noreturn]] void refuse_entry(const TrianglePattern& t, Index k, Index index) {
  const bool by_rows = t.stored.order == Order::rows;
  throw Error(ErrorCode::not_triangular,
              "row " + std::to_string(by_rows ? k : index) + " has an entry in column " +
                  std::to_string(by_rows ? index : k) + ", outside the " +
                  (t.uplo == Uplo::lower ? "lower" : "upper") + " triangle");
}

// What one pass over the stored lists finds: sizes, diagonals, mistakes.
struct Scan {
  const TrianglePattern& t;
  DependencyGraph& g;
  std::vector<std::vector<ExtraDiagonal>> extra;  // by part

  // Entries of list k inside the triangle; notes the diagonal.
  Index scan_list(Index k, Index part) {
    Index inside = 0;
    Offset diagonal = -1;
    for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p) {
      const Index j = t.stored.index[p];
      if (t.inside(k, j)) {
        ++inside;
      } else if (j != k) {
        if (t.other == Other::refuse) refuse_entry(t, k, j);
      } else if (diagonal < 0) {
        diagonal = p;
      } else {
        extra[part].push_back({k, p});
      }
    }
    if (t.diagonal == Diagonal::unit) return inside;
    if (diagonal < 0)
      throw Error(ErrorCode::zero_diagonal, "row " + std::to_string(k) + " has no diagonal entry");
    g.diagonal[k] = diagonal;
    return inside;
  }
};

void sum_up(Buffer<Offset>& start) {
  Offset sum = 0;
  for (Offset& s : start) s = sum += s;
}

// The stored lists are the wanted ones: copy what lies inside, in the order given.
void copy_lists(const TrianglePattern& t, DependencyGraph& g, Index threads) {
  parallel_pieces(g.n, grain, threads, [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      Offset q = g.start[k];
      for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p) {
        const Index j = t.stored.index[p];
        if (!t.inside(k, j)) continue;
        g.index[q] = j;
        g.from.set(q++, p);
      }
    }
  });
}

// Calls visit(k, index, p) for the entries inside the triangle of lists [begin, end).
template <class Visit>
void visit_inside(const TrianglePattern& t, Offset begin, Offset end, const Visit& visit) {
  for (auto k = static_cast<Index>(begin); k < end; ++k)
    for (Offset p = t.stored.start[k]; p < t.stored.start[k + 1]; ++p)
      if (t.inside(k, t.stored.index[p])) visit(k, t.stored.index[p], p);
}

// The other listing: count by index in each piece, sum over pieces, place.
void transpose_lists(const TrianglePattern& t, DependencyGraph& g, Index threads) {
  const auto n = static_cast<std::size_t>(g.n);
  const Index most = std::min<Index>(threads, 8);  // each piece has n counters of its own
  std::vector<Buffer<Offset>> next(most);
  parallel_pieces(g.n, grain, most, [&](Offset begin, Offset end, Index part) {
    next[part].assign(n, 0);
    visit_inside(t, begin, end, [&](Index, Index i, Offset) { ++next[part][i]; });
  });
  Offset sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    g.start[i] = sum;
    for (auto& counts : next)
      if (!counts.empty()) sum += std::exchange(counts[i], sum);
  }
  g.start[n] = sum;
  parallel_pieces(g.n, grain, most, [&](Offset begin, Offset end, Index part) {
    visit_inside(t, begin, end, [&](Index k, Index i, Offset p) {
      const Offset q = next[part][i]++;
      g.index[q] = k;
      g.from.set(q, p);
    });
  });
}

}  // namespace

DependencyGraph find_dependency_graph(const TrianglePattern& t, Order wanted, Index threads) {
  if (t.stored.rows != t.stored.cols)
    throw Error(ErrorCode::bad_argument, "a triangle must be square, this matrix is " +
                                             std::to_string(t.stored.rows) + " by " +
                                             std::to_string(t.stored.cols));
  check_pattern(t.stored);
  threads = thread_count(threads);

  DependencyGraph g;
  g.n = t.n();
  g.lists = wanted;
  g.shape = t.shape();
  g.start.resize(static_cast<std::size_t>(g.n) + 1);
  if (t.diagonal == Diagonal::stored) g.diagonal.resize(g.n);
  Scan scan{t, g, std::vector<std::vector<ExtraDiagonal>>(threads)};
  g.start[0] = 0;
  std::vector<Offset> inside(threads, 0);
  parallel_pieces(g.n, grain, threads, [&](Offset begin, Offset end, Index part) {
    for (auto k = static_cast<Index>(begin); k < end; ++k)
      inside[part] += g.start[k + 1] = scan.scan_list(k, part);
  });
  if (t.diagonal == Diagonal::stored)
    for (const auto& part : scan.extra) g.extra.insert(g.extra.end(), part.begin(), part.end());

  Offset nonzeros = 0;
  for (const Offset count : inside) nonzeros += count;
  g.index.resize(nonzeros);
  g.from.resize(nonzeros, t.stored.nonzeros() > (Offset{1} << 32));
  if (t.lists() == wanted) {
    sum_up(g.start);
    copy_lists(t, g, threads);
  } else {
    transpose_lists(t, g, threads);
  }
  return g;
}

}  // namespace echelon
