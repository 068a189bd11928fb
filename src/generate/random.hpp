// generate/random.hpp -- matrices of random numbers, the same on every machine.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "echelon/matrix.hpp"

namespace echelon {

// per_row distinct columns a row off the diagonal (all n-1 if there are fewer), numbers in
// (-1, 1); the diagonal is 1 more than the sum of their sizes.
template <Scalar T>
Csr<T> generate_random(Index n, Index per_row, std::uint64_t seed);

// Every entry stored: numbers in (-1/n, 1/n), and 2 on the diagonal.
template <Scalar T>
Csr<T> generate_dense(Index n);

}  // namespace echelon
