// echelon/adapters/eigen.hpp -- Echelon's solvers as solvers and preconditioners of Eigen.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Needs Eigen 3.4; link echelon::eigen and find Eigen3 yourself.
//
//   using Matrix = Eigen::SparseMatrix<double>;
//   echelon::eigen::Cholesky<Matrix> solver(a);
//   x = solver.solve(b);                                   // any dense or sparse right-hand sides
//   solver.factorize(a2);                                  // new values: the analysis is kept
//   Eigen::BiCGSTAB<Matrix, echelon::eigen::IncompleteLU<Matrix>> krylov(a);
#pragma once

#include "echelon/adapters/eigen/direct.hpp"
#include "echelon/adapters/eigen/gauss_seidel.hpp"
#include "echelon/adapters/eigen/triangular.hpp"
