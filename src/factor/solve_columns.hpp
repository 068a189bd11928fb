// factor/solve_columns.hpp -- solves with a sparse unit lower triangle for sparse right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The unknowns that are not zero are those that the graph of L reaches from the nonzeros
// of the right-hand side; a depth-first search lists them so that each comes before those that need
// it.  The time is that of the products, not of n.
//
// Reference.  Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9 (1988), 862-874.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

template <Scalar T>
class SparseLowerSolve {
 public:
  // The columns of L may be unsorted and hold the unit diagonal.  L must outlive this object.
  explicit SparseLowerSolve(const Csc<T>& l)
      : l_(l), x_(static_cast<std::size_t>(l.rows)), seen_(x_.size(), -1) {}

  // Appends L^-1 times column j of b to the last column of `out`, in any order of rows.  Each j may
  // be asked for once.
  void append_column(const Csc<T>& b, Index j, Csc<T>& out) {
    reached_.clear();
    for (Offset p = b.start[j]; p < b.start[j + 1]; ++p) {
      search(b.index[p], j);
      x_[b.index[p]] += b.value[p];
    }
    for (auto i = reached_.rbegin(); i != reached_.rend(); ++i) {
      const T x = std::exchange(x_[*i], T(0));
      for (Offset p = l_.start[*i]; p < l_.start[*i + 1]; ++p)
        if (l_.index[p] != *i) x_[l_.index[p]] -= l_.value[p] * x;
      out.index.push_back(*i);
      out.value.push_back(x);
    }
  }

 private:
  // Adds what is reached from row i, each after all that it reaches.
  void search(Index i, Index mark) {
    if (seen_[i] == mark) return;
    seen_[i] = mark;
    path_.push_back({i, l_.start[i]});
    while (!path_.empty()) {
      auto& [column, p] = path_.back();
      while (p < l_.start[column + 1] && seen_[l_.index[p]] == mark) ++p;
      if (p == l_.start[column + 1]) {
        reached_.push_back(column);
        path_.pop_back();
      } else {
        const Index next = l_.index[p];
        seen_[next] = mark;
        path_.push_back({next, l_.start[next]});
      }
    }
  }

  const Csc<T>& l_;
  std::vector<T> x_;
  std::vector<Index> seen_;  // by row: the last column whose search reached it
  std::vector<std::pair<Index, Offset>> path_;
  std::vector<Index> reached_;
};

}  // namespace echelon
