// tests/adapters/eigen/eigen_cases.hpp -- matrices of Eigen, and backward errors, for the tests of
// the adapter.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

// Eigen's assertions throw in every build, also the one that no memory is taken.
#define EIGEN_RUNTIME_NO_MALLOC
#define eigen_assert(condition) ((condition) ? void() : throw std::logic_error(#condition))
#include <Eigen/IterativeLinearSolvers>

#include "echelon/adapters/eigen.hpp"
#include "support/random_matrix.hpp"

namespace echelon::test {

// Our matrix as one of Eigen's of any order and index.
template <class Matrix>
Matrix to_eigen(const Csr<typename Matrix::Scalar>& a) {
  std::vector<Eigen::Triplet<typename Matrix::Scalar>> entries;
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      entries.emplace_back(i, a.index[p], a.value[p]);
  Matrix e(a.rows, a.cols);
  e.setFromTriplets(entries.begin(), entries.end());
  return e;
}

// Hermitian and positive definite, as A + A^H of a random matrix with a dominant diagonal.
template <class Matrix>
Matrix hermitian(Index n, unsigned seed = 1) {
  using T = typename Matrix::Scalar;
  const Matrix a = to_eigen<Matrix>(random_matrix<T>({.n = n, .per_row = 3, .seed = seed}));
  Matrix h = a + Matrix(a.adjoint());
  for (Index i = 0; i < n; ++i) h.coeffRef(i, i) = number<T>(12);
  h.makeCompressed();
  return h;
}

// max |b - A x| / (|A| |x| + |b|) over the rows, in units of the roundoff.
template <class Matrix, class X, class B>
double error_in_roundoffs(const Matrix& a, const X& x, const B& b) {
  using R = typename Eigen::NumTraits<typename Matrix::Scalar>::Real;
  const auto residual = (b - a * x).cwiseAbs().eval();
  const auto scale = (a.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).eval();
  return static_cast<double>(residual.cwiseQuotient(scale).maxCoeff() /
                             Eigen::NumTraits<R>::epsilon());
}

}  // namespace echelon::test
