// smoother/vector_sums.hpp -- norms, copies and sums of vectors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/executor.hpp"

namespace echelon {

// The Euclidean norm of each vector.  Squares neither overflow nor underflow; infinity if an entry
// is not finite.
template <Scalar T>
std::vector<double> find_norms(const Vectors<const T>& r);

// Bytes that a product with the rows reads.
template <Scalar T>
Offset bytes_of_rows(const PackedPattern& pattern, const PackedValues<T>& values) {
  return pattern.start.bytes() +
         static_cast<Offset>(pattern.index.size() * (sizeof(Index) + sizeof(T)) +
                             values.diagonal.size() * sizeof(T));
}

// to = from.
template <Scalar T>
void copy_vectors(const Vectors<const T>& from, const Vectors<T>& to, Index threads);
// x += r.
template <Scalar T>
void add_vectors(const Vectors<const T>& r, const Vectors<T>& x, Index threads);

}  // namespace echelon
