// bench/factor_solve/factor_rows.hpp -- the triangles of a factorization by rows, for libraries
// without panels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/factor.hpp"
#include "support/cusparse.hpp"

namespace echelon::bench {

// L and U by sorted rows, without the explicit zeros of panels and without a unit diagonal.  O(n +
// nnz) time and two copies of the entries.
template <Scalar T>
RowTriangle<T> lower_rows(const Factors<T>& f);
template <Scalar T>
RowTriangle<T> upper_rows(const Factors<T>& f);

}  // namespace echelon::bench
