// exec/conjugate_vectors.hpp -- conjugates vectors in host memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/matrix.hpp"

namespace echelon {

// to(i, k) = conj(from(i, k)); `from` and `to` may be the same memory.
template <Scalar T>
void conjugate_vectors(const Vectors<const T>& from, const Vectors<T>& to);

}  // namespace echelon
