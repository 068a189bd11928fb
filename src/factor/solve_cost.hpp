// factor/solve_cost.hpp -- what makes solves with factors slow, on the CPU and on a GPU: their
// entries, and the longest chain of columns that wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <vector>

#include "echelon/factor.hpp"

namespace echelon {

// Of L, or of L and U together.
struct SolveCost {
  Offset entries = 0;
  Offset chain = 0;  // columns, each of which needs the one before

  // Seconds of a solve on a GPU, in which entries are read and chains waited for.  On an NVIDIA
  // H200 a column of a chain takes 8 ns where columns are dense and wide, 45 ns where they are
  // thin, and an entry 2 ps.
  double on_gpu() const {
    return 2e-12 * static_cast<double>(entries) + 20e-9 * static_cast<double>(chain);
  }
  // On one core all entries are read, one after the other; only ratios matter.
  double on(Backend backend) const {
    return backend == Backend::cuda ? on_gpu() : static_cast<double>(entries);
  }
};

// The longest chain of columns of a lower triangle.  O(entries), or for panels O(rows of panels).
template <Scalar T>
Offset longest_chain(const FactorTriangle<T>& f) {
  const bool panels = f.in_panels();
  const Index lists = panels ? f.panels.count() : f.columns.cols;
  const Index n = panels ? f.panels.first.back() : f.columns.cols;
  std::vector<Offset> before(static_cast<std::size_t>(n), 0);  // columns on the chain to this one
  Offset longest = 0;
  for (Index k = 0; k < lists; ++k) {
    const Index first = panels ? f.panels.first[k] : k,
                width = panels ? f.panels.first[k + 1] - first : 1;
    Offset here = 0;
    for (Index j = first; j < first + width; ++j) here = std::max(here, before[j]);
    here += width;
    longest = std::max(longest, here);
    const auto& start = panels ? f.panels.row_start : f.columns.start;
    const auto& row = panels ? f.panels.row : f.columns.index;
    for (Offset p = start[k]; p < start[k + 1]; ++p)
      if (row[p] >= first + width) before[row[p]] = std::max(before[row[p]], here);
  }
  return longest;
}

template <Scalar T>
SolveCost find_solve_cost(const Factors<T>& f) {
  const Offset forwards = longest_chain(f.lower);
  if (f.symmetric) return {2 * f.lower.nonzeros, 2 * forwards};
  return {f.lower.nonzeros + f.upper.nonzeros, forwards + longest_chain(f.upper)};
}

}  // namespace echelon
