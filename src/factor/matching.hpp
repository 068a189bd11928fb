// factor/matching.hpp -- moves large entries to the diagonal of a matrix, before it is ordered and
// factored.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "echelon/factor.hpp"
#include "factor/input.hpp"
#include "factor/structural_rank.hpp"

namespace echelon {

// For each column a row of its own, so that the product of the absolute values of these entries is
// the largest; and scalings, powers of two, after which they are between 1/2 and 2 and no other
// entry is above 2.
struct ScaledMatching {
  std::vector<Index> row;  // by column; empty: there is none, or it takes too long
  std::vector<double> row_scale, col_scale;
};

// The matrix is square and listed by columns, without duplicates.  Gives up after looking at
// `most_looks` entries.  O(n nnz log n) at worst, a few times nnz as a rule.
constexpr Offset any_looks = std::numeric_limits<Offset>::max();
template <Scalar T>
ScaledMatching find_matching(const MatrixView<T>& a, Offset most_looks = any_looks);

// The scaled matrix whose column j has its matched entry on the diagonal; sorted.
template <Scalar T>
Csc<T> apply_matching(const MatrixView<T>& a, const ScaledMatching& m);

// Factors of the matched and scaled matrix, by factor(view, options), as factors of `a`.  Throws
// singular if there is no matching.
template <Scalar T, class FactorIt>
Factors<T> factor_matched(const MatrixView<T>& a, FactorOptions o, const FactorIt& factor) {
  const SortedInput<T> input(a, Half::both, Order::columns);
  if (const Index j = find_column_without_pivot(input.view()); j >= 0)
    throw Error(ErrorCode::singular, "the matrix is singular: column " + std::to_string(j) +
                                         " cannot have a pivot, because of the pattern alone");
  const ScaledMatching m = find_matching(input.view());
  if (m.row.empty())
    throw Error(ErrorCode::singular,
                "the matrix is singular: its nonzeros give no column of its own "
                "to each row, or are out of range");
  const Csc<T> matched = apply_matching(input.view(), m);
  o.scale = false;
  Factors<T> f = factor(MatrixView<T>(CscView<T>(matched)), o);
  if (f.row_order.empty())
    f.row_order = m.row;
  else
    for (Index& row : f.row_order) row = m.row[row];
  f.row_scale.assign(m.row_scale.begin(), m.row_scale.end());
  f.col_scale.assign(m.col_scale.begin(), m.col_scale.end());
  f.ordering += " of matched rows";
  return f;
}

}  // namespace echelon
