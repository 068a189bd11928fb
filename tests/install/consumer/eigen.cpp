// tests/install/consumer/eigen.cpp -- a user's program that solves with Echelon inside Eigen.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/adapters/eigen.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <iostream>

int main() {
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix a(3, 3);
  a.setIdentity();
  a.coeffRef(2, 0) = -0.5;
  Eigen::BiCGSTAB<Matrix, echelon::eigen::IncompleteLU<Matrix>> krylov(a);
  const Eigen::Vector3d x = krylov.solve(Eigen::Vector3d(1, 2, 3));
  std::cout << x.transpose() << '\n';
  return x.isApprox(Eigen::Vector3d(1, 2, 3.5)) ? 0 : 1;
}
