// direct/way.hpp -- a way to solve one triangle of a factorization: in panels, or row by row.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include "direct/factor_plan.hpp"
#include "echelon/factor.hpp"
#include "solver/prepared_triangle.hpp"

namespace echelon {

// L or U of a factorization.  In panels, N is L or the transpose of U; by rows, L or U itself.
template <Scalar T>
struct Side {
  Index n;
  const FactorTriangle<T>& factor;
  Op op = Op::none;        // N with this operation is the triangle
  bool symmetric = false;  // N is both triangles
  Csc<T>& from_panels;     // the columns of a factor in panels, once they were needed

  bool unit_diagonal() const {
    return factor.in_panels() ? factor.panels.unit_diagonal : factor.unit_diagonal;
  }
  const Csc<T>& columns(Index threads) const {
    if (!factor.in_panels()) return factor.columns;
    if (from_panels.cols == 0) from_panels = columns_of(factor, threads);
    return from_panels;
  }
  Triangle<T> by_columns(Index threads) const {
    return echelon::lower(columns(threads),
                          {op, unit_diagonal() ? Diagonal::unit : Diagonal::stored});
  }
};

// Two ways share a triangle if L and U are the same panels.
template <Scalar T>
struct Way {
  Method method = Method::tree;
  std::string reason;
  bool by_rows = false;
  Index threads = 1;  // of a solve, at most
  Op op = Op::none;   // `triangle` with this operation is L or U
  double load_s = 0;  // time to load the values
  FactorFacts facts;  // of panels
  SupernodeReport supernodes;
  std::shared_ptr<PreparedTriangle<T>> triangle;

  // The values of the side; throws as PreparedTriangle::load does.
  void load(const Side<T>& side, Index threads_of_setup) const {
    if (!by_rows) return triangle->load(side.factor);
    triangle->load(side.columns(threads_of_setup).value, is_complex<T> && side.op == Op::conjugate);
  }
};

}  // namespace echelon
