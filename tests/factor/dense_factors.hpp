// tests/factor/dense_factors.hpp -- the oracle of this folder: L D U multiplied out and compared
// with the matrix, entry by entry.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "echelon/factor.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

// A square matrix with every entry stored.
struct Dense {
  Index n = 0;
  std::vector<std::complex<double>> value;

  explicit Dense(Index n_) : n(n_), value(static_cast<std::size_t>(n_) * n_) {}
  std::complex<double>& operator()(Index i, Index j) { return value[std::size_t(i) * n + j]; }
  std::complex<double> operator()(Index i, Index j) const { return value[std::size_t(i) * n + j]; }
};

template <Scalar T>
Dense dense(const CsrView<T>& a);

// N as a dense matrix, from a triangle in panels or columns.
template <Scalar T>
Dense dense(const FactorTriangle<T>& t, Index n);

// max |LDU - (R A C)(row_order, col_order)| / (n eps |L||D||U|), componentwise: a small constant
// for every stable factorization.
template <Scalar T>
double factor_error(const CsrView<T>& a, const Factors<T>& f);

// Checks that L U, in the order of A, is A wherever A has an entry.
template <Scalar T>
void expect_exact_on_entries(const CsrView<T>& a, const Factors<T>& f);

// Checks properties of all factors: permutations, sorted columns, supernodes that contain every
// nonzero, counts.
template <Scalar T>
void expect_well_formed(const Factors<T>& f);

// A random Hermitian positive definite matrix.
template <Scalar T>
Csr<T> random_hermitian(Index n, Index per_row, unsigned seed = 1);

// A random matrix with a small diagonal: its factorization needs pivoting.
template <Scalar T>
Csr<T> random_to_pivot(Index n, Index per_row, unsigned seed = 1);

// Whether this build has the package.
bool has_package(const std::string& package);
bool has_ordering(Ordering order);

using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;

}  // namespace echelon::test
