// adapters/petsc/factorization.cpp -- factors the rows of a matrix in the order that is asked for.
// SPDX-License-Identifier: BSD-3-Clause
#include "factorization.hpp"

#include <complex>
#include <utility>

namespace echelon::petsc {
namespace {

bool is_identity(const std::vector<Index>& order) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<Index>(i)) return false;
  return true;
}

}  // namespace

void Factorization::restart(std::vector<Index> row, std::vector<Index> col) {
  row_ = std::move(row);
  col_ = std::move(col);
  ordered_.reset();
  solver_.reset();
  ready_ = false;
}

void Factorization::compute(const CsrView<Value>& a, bool new_pattern) {
  ready_ = false;
  matrix_nonzeros = a.nonzeros();
  if (new_pattern) {
    ordered_.reset();
    solver_.reset();
  }
  install([&] { return factor_ordered(a); });
}

Factors<Value> Factorization::factor_rows(const CsrView<Value>& a) const {
  FactorOptions o = factor;
  if (!row_.empty() || ordered_) o.order = Ordering::natural;
  switch (type) {
    case MAT_FACTOR_LU:
      return factor_superlu(a, o);
    case MAT_FACTOR_CHOLESKY:
      return factor_cholmod(a, o);
    case MAT_FACTOR_ILU:
      return factor_ilu0(a, o);
    default:
      return factor_ic0(a, o);
  }
}

// A given order is applied to the matrix.  An order that the first factorization found is kept:
// later ones do not look for it again.
Factors<Value> Factorization::factor_ordered(const CsrView<Value>& a) {
  if (ordered_) {
    ordered_->load(a.value);
  } else if (!is_identity(row_) || !is_identity(col_)) {
    ordered_.emplace(a, row_, col_);
  } else {
    Factors<Value> f = factor_rows(a);
    if (is_complete() && row_.empty() && !is_identity(f.col_order))
      ordered_.emplace(a, f.col_order, f.col_order);
    return f;
  }
  Factors<Value> f = factor_rows(ordered_->view());
  ordered_->rename(f);
  f.ordering = row_.empty() ? "of the first factorization" : "given";
  return f;
}

void Factorization::count_signs(const Factors<Value>& f) {
  inertia_.reset();
  if (type != MAT_FACTOR_CHOLESKY) return;
  std::array<Index, 3> count{0, 0, f.diagonal.empty() ? f.n : 0};
  for (const Value d : f.diagonal) ++count[std::real(d) < 0 ? 0 : std::real(d) == 0 ? 1 : 2];
  inertia_ = count;
}

}  // namespace echelon::petsc
