// tests/adapters/eigen/test_eigen_solvers.cpp -- solvers in Eigen's shape solve what Eigen's own
// do, for every scalar, order and index type.
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "eigen_cases.hpp"

namespace echelon {
namespace {

using test::error_in_roundoffs;
using test::hermitian;
using test::to_eigen;

template <class Matrix>
class EigenSolvers : public testing::Test {};
using Matrices =
    testing::Types<Eigen::SparseMatrix<double>, Eigen::SparseMatrix<float, Eigen::RowMajor, long>,
                   Eigen::SparseMatrix<std::complex<double>, Eigen::RowMajor>,
                   Eigen::SparseMatrix<std::complex<float>, Eigen::ColMajor, long>>;
TYPED_TEST_SUITE(EigenSolvers, Matrices);

template <class Matrix>
using Vector = Eigen::Matrix<typename Matrix::Scalar, Eigen::Dynamic, 1>;

TYPED_TEST(EigenSolvers, LuAndCholeskySolveWithSmallBackwardErrors) {
  const TypeParam a = hermitian<TypeParam>(80);
  const Vector<TypeParam> b = Vector<TypeParam>::Random(80);
  const eigen::LU<TypeParam> lu(a);
  ASSERT_EQ(lu.info(), Eigen::Success) << lu.lastErrorMessage();
  EXPECT_LT(error_in_roundoffs(a, Vector<TypeParam>(lu.solve(b)), b), 50);
  const eigen::Cholesky<TypeParam> lower(a);
  EXPECT_LT(error_in_roundoffs(a, Vector<TypeParam>(lower.solve(b)), b), 50);
  const TypeParam half = a.template triangularView<Eigen::Upper>();
  const eigen::Cholesky<TypeParam, Eigen::Upper> upper(half);
  EXPECT_LT(error_in_roundoffs(a, Vector<TypeParam>(upper.solve(b)), b), 50);
}

TYPED_TEST(EigenSolvers, EveryTriangleIsReadAsEigenReadsIt) {
  const TypeParam a =
      to_eigen<TypeParam>(test::random_matrix<typename TypeParam::Scalar>({.n = 70, .per_row = 5}));
  const Vector<TypeParam> b = Vector<TypeParam>::Random(70);
  const auto expect_solve = [&]<int mode>(std::integral_constant<int, mode>) {
    const eigen::Triangular<TypeParam, mode> solver(a);
    const TypeParam m = a.template triangularView<mode>();
    EXPECT_LT(error_in_roundoffs(m, Vector<TypeParam>(solver.solve(b)), b), 20) << mode;
    const TypeParam t = m.transpose(), h = m.adjoint();
    EXPECT_LT(error_in_roundoffs(t, Vector<TypeParam>(solver.transpose().solve(b)), b), 20) << mode;
    EXPECT_LT(error_in_roundoffs(h, Vector<TypeParam>(solver.adjoint().solve(b)), b), 20) << mode;
  };
  expect_solve(std::integral_constant<int, Eigen::Lower>());
  expect_solve(std::integral_constant<int, Eigen::Upper>());
  expect_solve(std::integral_constant<int, Eigen::UnitLower>());
  expect_solve(std::integral_constant<int, Eigen::UnitUpper>());
}

TYPED_TEST(EigenSolvers, NewValuesKeepTheAnalysis) {
  using T = typename TypeParam::Scalar;
  const TypeParam a = hermitian<TypeParam>(60), a2 = T(2) * a;
  const Vector<TypeParam> b = Vector<TypeParam>::Random(60);
  const auto expect_update = [&](auto& solver) {
    solver.analyzePattern(a);
    solver.factorize(a);
    ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
    const double analysis_s = solver.report().analysis_s;
    const Vector<TypeParam> before = solver.solve(b);
    solver.factorize(a2);
    EXPECT_EQ(solver.analyses(), 1);
    EXPECT_EQ(solver.report().analysis_s, analysis_s);  // measured once
    EXPECT_LT((T(2) * Vector<TypeParam>(solver.solve(b)) - before).norm(), 1e-4 * before.norm());
    solver.analyzePattern(a);
    solver.factorize(a);
    EXPECT_EQ(solver.analyses(), 2);
    EXPECT_LT((Vector<TypeParam>(solver.solve(b)) - before).norm(), 1e-4 * before.norm());
  };
  eigen::Triangular<TypeParam, Eigen::Lower> triangular;
  expect_update(triangular);
  eigen::IncompleteLU<TypeParam> ilu;
  expect_update(ilu);
  eigen::Cholesky<TypeParam> cholesky;
  expect_update(cholesky);
  eigen::GaussSeidel<TypeParam> smoother;
  expect_update(smoother);
}

using Matrix = Eigen::SparseMatrix<double>;

TEST(EigenDirect, AnotherStructureOfTheFactorsIsAnalyzedAgain) {
  Matrix a(3, 3), b(3, 3);
  a.setIdentity();
  b.setIdentity();
  b.coeffRef(2, 0) = 0.5;
  eigen::IncompleteLU<Matrix> solver;
  solver.factorize(a);
  solver.factorize(b);
  ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  EXPECT_EQ(solver.analyses(), 2);
  EXPECT_TRUE(solver.solve(Eigen::Vector3d(2, 2, 2)).isApprox(Eigen::Vector3d(2, 2, 1)));
}

TEST(EigenDirect, PivotsThatMoveGiveTheRightAnswer) {
  const Matrix a = to_eigen<Matrix>(test::random_matrix<double>({.n = 50, .per_row = 4}));
  Matrix flipped = a;
  for (Index j = 0; j < 50; ++j)
    for (Matrix::InnerIterator it(flipped, j); it; ++it)
      if (it.row() == j) it.valueRef() = 1e-3;
  eigen::LU<Matrix> solver(a);
  solver.factorOptions().symmetric_mode = false;
  solver.factorize(flipped);
  ASSERT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  const Eigen::VectorXd b = Eigen::VectorXd::Random(50);
  EXPECT_LT(error_in_roundoffs(flipped, Eigen::VectorXd(solver.solve(b)), b), 1e4);
}

TEST(EigenErrors, AreToldAsEigenTellsThemAndThrownByASolve) {
  eigen::Cholesky<Matrix> solver;
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(4);
  Eigen::VectorXd x;
  EXPECT_THROW(x = solver.solve(Eigen::VectorXd()), Error);
  Matrix a(4, 4);
  a.setIdentity();
  a.coeffRef(2, 2) = -1;
  solver.compute(a);
  EXPECT_EQ(solver.info(), Eigen::NumericalIssue);
  EXPECT_NE(solver.lastErrorMessage().find("not positive definite"), std::string::npos);
  try {
    x = solver.solve(b);
    FAIL() << "solved with a failed factorization";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::not_positive_definite);
    EXPECT_EQ(error.what(), solver.lastErrorMessage());
  }
  solver.compute(Matrix(4, 3));
  EXPECT_EQ(solver.info(), Eigen::InvalidInput);
  EXPECT_EQ(solver.lastErrorMessage(),
            "the matrix has 4 rows and 3 columns; a solve needs a square one");
  a.coeffRef(2, 2) = 1;
  solver.compute(a);
  EXPECT_EQ(solver.info(), Eigen::Success);
  EXPECT_EQ(solver.lastErrorMessage(), "");
  EXPECT_TRUE(solver.solve(b).isApprox(b));
}

TEST(EigenErrors, AnEmptyMatrixIsSolved) {
  const eigen::Triangular<Matrix, Eigen::Lower> solver(Matrix(0, 0));
  EXPECT_EQ(solver.info(), Eigen::Success) << solver.lastErrorMessage();
  const Eigen::VectorXd x = solver.solve(Eigen::VectorXd());
  EXPECT_EQ(x.size(), 0);
}

TEST(EigenSolversOfThreads, SolveAtTheSameTime) {
  const Matrix a = hermitian<Matrix>(200);
  eigen::Cholesky<Matrix> solver;
  solver.options().cpu.threads = 1;
  solver.compute(a);
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(200, 8);
  Eigen::MatrixXd x(200, 8);
  std::vector<std::thread> threads;
  for (Index k = 0; k < 8; ++k)
    threads.emplace_back([&, k] {
      for (int repeat = 0; repeat < 50; ++repeat) x.col(k) = solver.solve(b.col(k));
    });
  for (std::thread& t : threads) t.join();
  EXPECT_LT(error_in_roundoffs(a, x, b), 50);
}

}  // namespace
}  // namespace echelon
