// factor/structural_rank.cpp -- tests whether the pattern alone makes a matrix singular.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A maximum matching of columns and rows.  Columns take their diagonal entry first, since
// most matrices have one.  Each remaining column searches for an augmenting path, depth first, and
// tries free rows before it follows matched ones.
//
// Reference.  Duff, ACM Trans. Math. Softw. 7 (1981), 315-330.
#include "factor/structural_rank.hpp"

#include <algorithm>
#include <vector>

namespace echelon {
namespace {

class Matching {
 public:
  explicit Matching(const Pattern& a)
      : a_(a),
        column_of_(width(), -1),
        seen_(width(), -1),
        free_(a.start.begin(), a.start.end()),
        next_(width()) {}

  // Matches column j by an augmenting path; false if there is none.
  bool augment(Index j) {
    std::vector<Index> path{j};
    next_[j] = a_.start[j];
    seen_[j] = j;
    while (!path.empty()) {
      const Index top = path.back();
      if (const Index row = free_row(top); row >= 0) return give(path, row);
      const Index below = unseen_column(top, j);
      if (below < 0) {
        path.pop_back();
      } else {
        path.push_back(below);
        next_[below] = a_.start[below];
        seen_[below] = j;
      }
    }
    return false;
  }

  bool take_diagonal(Index j) {
    const auto list = a_.list(j);
    if (std::find(list.begin(), list.end(), j) == list.end()) return false;
    column_of_[j] = j;
    return true;
  }

  // By row, -1 if it is free.
  const std::vector<Index>& columns() const { return column_of_; }

 private:
  std::size_t width() const { return static_cast<std::size_t>(a_.cols); }

  // A free row of column j.  Rows never become free again, so each is tested once.
  Index free_row(Index j) {
    for (Offset& p = free_[j]; p < a_.start[j + 1]; ++p)
      if (column_of_[a_.index[p]] < 0) return a_.index[p];
    return -1;
  }

  // A column matched to a row of column j and not yet visited in this search.
  Index unseen_column(Index j, Index search) {
    for (Offset& p = next_[j]; p < a_.start[j + 1]; ++p) {
      const Index owner = column_of_[a_.index[p]];
      if (owner >= 0 && seen_[owner] != search) return owner;
    }
    return -1;
  }

  // The last column of the path takes the free row and gives its old row to the column before.
  bool give(std::vector<Index>& path, Index row) {
    while (!path.empty()) {
      const Index j = path.back();
      path.pop_back();
      column_of_[row] = j;
      if (!path.empty()) row = a_.index[next_[path.back()]];
    }
    return true;
  }

  const Pattern& a_;
  std::vector<Index> column_of_;  // by row
  std::vector<Index> seen_;       // by column: the last search that visited it
  std::vector<Offset> free_;      // by column: all earlier rows are matched
  std::vector<Offset> next_;      // by column on the path: the row it follows
};

}  // namespace

Index find_column_without_pivot(const Pattern& a) {
  Matching matching(a);
  std::vector<Index> left;
  for (Index j = 0; j < a.cols; ++j)
    if (!matching.take_diagonal(j)) left.push_back(j);
  for (const Index j : left)
    if (!matching.augment(j)) return j;
  return -1;
}

std::vector<Index> match_rows(const Pattern& a) {
  Matching matching(a);
  for (Index j = 0; j < a.cols; ++j) matching.augment(j);
  std::vector<Index> row(static_cast<std::size_t>(a.cols), -1);
  for (Index i = 0; i < a.rows; ++i)
    if (const Index j = matching.columns()[i]; j >= 0) row[j] = i;
  return row;
}

}  // namespace echelon
