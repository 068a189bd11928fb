// adapters/petsc/ordered.cpp -- a matrix with its rows and columns in a given order.
// SPDX-License-Identifier: BSD-3-Clause
#include "ordered.hpp"

#include <algorithm>
#include <utility>

namespace echelon::petsc {
namespace {

// order[f(i)], or f(i) itself where there is no order.
std::vector<Index> compose(const std::vector<Index>& order, const std::vector<Index>& f) {
  if (f.empty()) return order;
  std::vector<Index> both(f.size());
  for (std::size_t i = 0; i < f.size(); ++i) both[i] = order[f[i]];
  return both;
}

void rename_scale(const std::vector<Index>& order, std::vector<Real<Value>>& scale) {
  const std::vector<Real<Value>> old = scale;
  for (std::size_t i = 0; i < old.size(); ++i) scale[order[i]] = old[i];
}

}  // namespace

OrderedMatrix::OrderedMatrix(const CsrView<Value>& a, std::vector<Index> row,
                             std::vector<Index> col)
    : row_(std::move(row)), col_(std::move(col)) {
  std::vector<Index> new_col(col_.size());
  for (std::size_t j = 0; j < col_.size(); ++j) new_col[col_[j]] = static_cast<Index>(j);
  const auto nonzeros = static_cast<std::size_t>(a.nonzeros());
  b_.rows = b_.cols = a.rows;
  b_.index.reserve(nonzeros);
  source_.reserve(nonzeros);
  std::vector<std::pair<Index, Offset>> list;
  for (const Index i : row_) {
    list.clear();
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) list.emplace_back(new_col[a.index[p]], p);
    std::sort(list.begin(), list.end());
    for (const auto& [j, p] : list) {
      b_.index.push_back(j);
      source_.push_back(p);
    }
    b_.start.push_back(static_cast<Offset>(b_.index.size()));
  }
  b_.value.resize(nonzeros);
  load(a.value);
}

void OrderedMatrix::load(std::span<const Value> values) {
  for (std::size_t q = 0; q < source_.size(); ++q) b_.value[q] = values[source_[q]];
}

void OrderedMatrix::rename(Factors<Value>& factors) const {
  factors.row_order = compose(row_, factors.row_order);
  factors.col_order = compose(col_, factors.col_order);
  rename_scale(row_, factors.row_scale);
  rename_scale(col_, factors.col_scale);
}

}  // namespace echelon::petsc
