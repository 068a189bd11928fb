// generate/random.hpp -- random matrices, identical on every machine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "echelon/matrix.hpp"

namespace echelon {

// per_row distinct columns per row off the diagonal (all n-1 if there are fewer), values in (-1,
// 1); the diagonal is 1 plus the sum of their absolute values.
template <Scalar T>
Csr<T> generate_random(Index n, Index per_row, std::uint64_t seed);

// All entries stored: values in (-1/n, 1/n), and 2 on the diagonal.
template <Scalar T>
Csr<T> generate_dense(Index n);

}  // namespace echelon
