// cli/hermitian.hpp -- quick test whether a matrix may be positive definite.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "echelon/matrix.hpp"

namespace echelon::cli {

// Empty if A is Hermitian up to rounding with a positive diagonal, as every positive definite
// matrix is; else the first place where it is not, counted from 1 as in files: "A(3,5) and A(5,3)
// do not match".  O(n + nnz).
template <Scalar T>
std::string why_not_hermitian(const CsrView<T>& a);

}  // namespace echelon::cli
