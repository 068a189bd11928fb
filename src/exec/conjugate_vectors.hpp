// exec/conjugate_vectors.hpp -- vectors of the host, conjugated.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon {

// to(i, k) = the conjugate of from(i, k); they may be the same.
template <Scalar T>
void conjugate_vectors(const Vectors<const T>& from, const Vectors<T>& to);

}  // namespace echelon
