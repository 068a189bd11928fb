// tests/adapters/eigen/test_eigen_krylov.cpp -- our solvers as preconditioners of Eigen's conjugate
// gradients and BiCGSTAB.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/generate.hpp"
#include "eigen_cases.hpp"

namespace echelon {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

Matrix grid(double wind = 0) {
  Csr<double> a = generate<double>("laplace2d:30x30:5");
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] != i) a.value[p] *= a.index[p] < i ? 1 + wind : 1 - wind;
  return test::to_eigen<Matrix>(a);
}

// Iterations until the residual has fallen by 1e-8.
template <class Krylov>
Eigen::Index iterations(Krylov& krylov, const Matrix& a) {
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(a.rows());
  krylov.setTolerance(1e-8);
  krylov.compute(a);
  const Eigen::VectorXd x = krylov.solve(b);
  EXPECT_EQ(krylov.info(), Eigen::Success);
  EXPECT_LT((a * x - b).norm(), 2e-8 * b.norm());
  return krylov.iterations();
}

TEST(EigenKrylov, ConjugateGradientsNeedFarFewerIterations) {
  const Matrix a = grid();
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner>
      plain;
  const auto without = iterations(plain, a);
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, eigen::IncompleteCholesky<Matrix>>
      ic0;
  EXPECT_LE(2 * iterations(ic0, a), without);
  Eigen::ConjugateGradient<Matrix, Eigen::Lower, eigen::GaussSeidel<Matrix>> sweeps;
  EXPECT_LT(1.5 * static_cast<double>(iterations(sweeps, a)), static_cast<double>(without));
  Eigen::ConjugateGradient<Matrix, Eigen::Lower, eigen::Cholesky<Matrix>> exact;
  EXPECT_LE(iterations(exact, a), 2);
}

TEST(EigenKrylov, BiCgStabTakesIncompleteLu) {
  const Matrix a = grid(0.4);
  Eigen::BiCGSTAB<Matrix, Eigen::IdentityPreconditioner> plain;
  const auto without = iterations(plain, a);
  Eigen::BiCGSTAB<Matrix, eigen::IncompleteLU<Matrix>> ilu0;
  ilu0.preconditioner().options().cpu.threads = 1;
  EXPECT_LT(2 * iterations(ilu0, a), without);
  EXPECT_EQ(ilu0.preconditioner().report().threads, 1);
}

TEST(EigenKrylov, TheAnalysisIsKeptForNewValues) {
  const Matrix a = grid(0.4), a2 = 3 * a;
  Eigen::BiCGSTAB<Matrix, eigen::IncompleteLU<Matrix>> krylov;
  krylov.analyzePattern(a);
  krylov.factorize(a);
  krylov.factorize(a2);
  EXPECT_EQ(krylov.preconditioner().analyses(), 1);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(a.rows());
  EXPECT_LT((a2 * krylov.solve(b) - b).norm(), 1e-8 * b.norm());
}

TEST(EigenKrylov, AFailureOfThePreconditionerIsSeen) {
  Matrix a = grid();
  a.coeffRef(5, 5) = 0;
  Eigen::ConjugateGradient<Matrix, Eigen::Lower, eigen::IncompleteCholesky<Matrix>> krylov(a);
  EXPECT_EQ(krylov.info(), Eigen::NumericalIssue);
  EXPECT_FALSE(krylov.preconditioner().lastErrorMessage().empty());
}

TEST(EigenSmoother, SweepsFromAGuessReduceTheError) {
  const Matrix a = grid();
  eigen::GaussSeidel<Matrix> smoother(a);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Ones(a.rows(), 2);
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(a.rows(), 2);
  smoother.sweep(b, x, 3);
  smoother.setSweeps(3);
  EXPECT_TRUE(x.isApprox(Eigen::MatrixXd(smoother.solve(b)), 1e-14));
  const double before = (b - a * x).norm();
  smoother.sweep(b.col(0), x.col(0), 10);
  EXPECT_LT((b - a * x).norm(), before);
}

}  // namespace
}  // namespace echelon
