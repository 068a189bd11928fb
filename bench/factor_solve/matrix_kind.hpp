// bench/factor_solve/matrix_kind.hpp -- what packages that choose a factorization by the kind of
// matrix need to know.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon::bench {

enum class MatrixKind {
  positive,   // Hermitian with a positive diagonal: try Cholesky, then as hermitian
  hermitian,  // A equals its conjugate transpose; of real numbers: symmetric
  symmetric,  // complex numbers: A equals its transpose
  general
};

// By pattern and values, equal up to rounding.  O(n + nnz).
template <Scalar T>
MatrixKind find_matrix_kind(const CsrView<T>& a);

// A with sorted rows, or for a kind other than general only its upper triangle with a full
// diagonal, where missing entries are stored as zeros.  32-bit starts.
template <Scalar T>
struct PackageRows {
  std::vector<int> start{0}, index;
  std::vector<T> value;
};
template <Scalar T>
PackageRows<T> package_rows(const CsrView<T>& a, MatrixKind kind);

}  // namespace echelon::bench
