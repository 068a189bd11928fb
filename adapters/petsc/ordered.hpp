// adapters/petsc/ordered.hpp -- a matrix with its rows and columns in a given order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/factor.hpp"
#include "guard.hpp"

namespace echelon::petsc {

// B(i, j) = A(row[i], col[j]).
class OrderedMatrix {
 public:
  OrderedMatrix(const CsrView<Value>& a, std::vector<Index> row, std::vector<Index> col);

  void load(std::span<const Value> values);  // of A, in the order of its entries
  CsrView<Value> view() const { return b_; }
  const std::vector<Index>& col() const { return col_; }
  // Factors of B become factors of A.
  void rename(Factors<Value>& factors) const;

 private:
  Csr<Value> b_;
  Buffer<Offset> source_;  // by entry of B: its position in A
  std::vector<Index> row_, col_;
};

}  // namespace echelon::petsc
