// supernode/columns.hpp -- reads the lists of a graph as the columns of N, by position.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {

// N is lower: list k contains only positions beyond k.  If the lists of the graph point the other
// way, positions count from the far end.
class Columns {
 public:
  explicit Columns(const DependencyGraph& g)
      : graph_(g), reversed_((g.shape == Uplo::lower) == (g.lists == Order::rows)) {}

  Index n() const { return graph_.n; }
  bool reversed() const { return reversed_; }
  // The position of an unknown; its own inverse.
  Index position(Index i) const { return reversed_ ? graph_.n - 1 - i : i; }
  // Column k as stored: unknowns, not positions.
  std::span<const Index> list(Index k) const { return graph_.list(position(k)); }

  // Columns and entries before column k, estimated from the starts of the lists.
  Offset work_before(Index k) const {
    if (k == 0) return 0;
    const Index last = graph_.n - 1;
    if (k > last) return graph_.n + end_of(last) - graph_.first[0];
    return k + (reversed_ ? end_of(last) - end_of(last - k) : graph_.first[k] - graph_.first[0]);
  }
  // The first column with this much work before it.
  Index column_at(Offset work) const {
    Index low = 0, high = n();
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (work_before(middle) < work)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

 private:
  Offset end_of(Index i) const { return graph_.first[i] + graph_.length[i]; }

  const DependencyGraph& graph_;
  bool reversed_;
};

// Runs body(begin, end, part) on ranges of columns with about the same number of entries, one range
// per thread.
template <class Body>
void parallel_columns(const Columns& columns, Index threads, const Body& body) {
  constexpr Offset grain = 1 << 16;  // entries below which a second thread does not pay
  const Offset work = columns.work_before(columns.n());
  parallel_pieces(work, grain, threads, [&](Offset begin, Offset end, Index part) {
    body(columns.column_at(begin), end == work ? columns.n() : columns.column_at(end), part);
  });
}

}  // namespace echelon
