// tests/support/random_matrix.hpp -- random square matrices whose triangles are well conditioned.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <random>

#include "support/pictures.hpp"

namespace echelon::test {

// The properties of a random matrix.
struct RandomShape {
  Index n = 0;
  Index per_row = 4;    // off-diagonal entries per row, in both triangles
  Index bandwidth = 0;  // 0: anywhere
  bool sorted = true;   // false: each row in random order
  unsigned seed = 1;
};

// A full square matrix with a dominant diagonal, so no solution grows.  Duplicate entries are
// added.
template <Scalar T>
Csr<T> random_matrix(const RandomShape& shape) {
  std::mt19937 random(shape.seed);
  std::uniform_real_distribution<double> value(-1, 1);
  Csr<T> a;
  a.rows = a.cols = shape.n;
  for (Index i = 0; i < shape.n; ++i) {
    const Index reach = shape.bandwidth > 0 ? shape.bandwidth : shape.n;
    std::vector<Index> row{i};
    for (Index k = 0; k < shape.per_row; ++k) {
      std::uniform_int_distribution<Index> column(std::max(0, i - reach),
                                                  std::min(shape.n - 1, i + reach));
      row.push_back(column(random));
      if (row.back() == i) row.pop_back();
    }
    if (shape.sorted)
      std::sort(row.begin(), row.end());
    else
      std::shuffle(row.begin(), row.end(), random);
    for (const Index j : row) {
      a.index.push_back(j);
      a.value.push_back(j == i ? number<T>(shape.per_row + 1.0, 0.5)
                               : number<T>(value(random), value(random)));
    }
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

template <Scalar T>
std::vector<T> random_vector(std::size_t n, unsigned seed = 7) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<T> v(n);
  for (T& x : v) x = number<T>(value(random), value(random));
  return v;
}

}  // namespace echelon::test
