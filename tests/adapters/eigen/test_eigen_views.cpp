// tests/adapters/eigen/test_eigen_views.cpp -- Eigen's maps, blocks, strides and expressions as
// matrices and right-hand sides, and which of them are copied.
// SPDX-License-Identifier: BSD-3-Clause
#include "eigen_cases.hpp"
#include "support/failing_new.hpp"

namespace echelon {
namespace {

using test::error_in_roundoffs;
using test::hermitian;
using ByColumns = Eigen::SparseMatrix<double>;
using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

TEST(SparseArrays, SeeTheMatrixAndItsMapsInPlace) {
  const ByRows a = hermitian<ByRows>(20);
  const eigen::SparseArrays arrays(a);
  EXPECT_FALSE(arrays.copied());
  EXPECT_EQ(arrays.view().value.data(), a.valuePtr());
  EXPECT_EQ(arrays.view().index.data(), a.innerIndexPtr());
  const Eigen::Map<const ByRows> map(a.rows(), a.cols(), a.nonZeros(), a.outerIndexPtr(),
                                     a.innerIndexPtr(), a.valuePtr());
  EXPECT_EQ(eigen::SparseArrays(map).view().value.data(), a.valuePtr());
  const Eigen::Ref<const ByRows> ref(a);
  EXPECT_EQ(eigen::SparseArrays(ref).view().value.data(), a.valuePtr());
}

TEST(SparseArrays, EvaluateWhatIsNotCompressed) {
  ByColumns a = hermitian<ByColumns>(20);
  const Eigen::VectorXd b = Eigen::VectorXd::Random(20);
  const Eigen::VectorXd x = eigen::LU<ByColumns>(a).solve(b);
  a.reserve(Eigen::VectorXi::Constant(20, 9));
  ASSERT_FALSE(a.isCompressed());
  EXPECT_TRUE(eigen::SparseArrays(a).copied());
  EXPECT_TRUE(eigen::LU<ByColumns>(a).solve(b).isApprox(x));
  EXPECT_TRUE((2 * eigen::LU<ByColumns>(a + a).solve(b)).isApprox(x));
  EXPECT_TRUE(eigen::LU<ByColumns>(a.transpose()).transpose().solve(b).isApprox(x));
  EXPECT_TRUE(eigen::LU<ByColumns>(a.leftCols(20)).solve(b).isApprox(x));
}

TEST(SparseArrays, AMapOfForeignArraysIsSolved) {
  const std::vector<long> start{0, 1, 3}, row{0, 0, 1};
  const std::vector<double> value{2, 1, 4};
  using Foreign = Eigen::SparseMatrix<double, Eigen::ColMajor, long>;
  const Eigen::Map<const Foreign> upper(2, 2, 3, start.data(), row.data(), value.data());
  const eigen::Triangular<Foreign, Eigen::Upper> solver(upper);
  double x[] = {0, 0};
  Eigen::Map<Eigen::Vector2d>(x, 2) = solver.solve(Eigen::Vector2d(4, 8));
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(x[1], 2);
}

class DenseVectors : public testing::Test {
 protected:
  void SetUp() override {
    solver_.options().cpu.threads = 1;
    solver_.compute(a_);
    Eigen::MatrixXd b = Eigen::MatrixXd::Random(40, 6), x(40, 6);
    x = solver_.solve(b);  // makes the workspace
  }
  // x = solve(b) is right; returns how often we took memory.  Eigen's own taking throws.
  template <class X, class B>
  long allocations(X&& x, const B& b) {
    const Eigen::MatrixXd right = b;
    const long before = test::allocations_made;
    Eigen::internal::set_is_malloc_allowed(false);
    x = solver_.solve(b);
    Eigen::internal::set_is_malloc_allowed(true);
    const long count = test::allocations_made - before;
    EXPECT_LT(error_in_roundoffs(a_, Eigen::MatrixXd(x), right), 50);
    return count;
  }

  ByColumns a_ = hermitian<ByColumns>(40);
  eigen::Cholesky<ByColumns> solver_;
};

TEST_F(DenseVectors, OfOneLayoutAreNotCopied) {
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(40, 6);
  const RowMajor rows = b;
  Eigen::MatrixXd x(40, 6), wide(50, 9);
  RowMajor y(40, 6), wide_rows(50, 9);
  EXPECT_EQ(allocations(x, b), 0);
  EXPECT_EQ(allocations(y, rows), 0);
  EXPECT_EQ(allocations(wide.block(3, 2, 40, 6), b), 0);
  EXPECT_EQ(allocations(wide_rows.block(3, 2, 40, 6), rows), 0);
  EXPECT_EQ(allocations(x.col(2), b.col(1)), 0);
}

TEST_F(DenseVectors, WithAStrideAreNotCopied) {
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(40, 6);
  const RowMajor rows = b;
  Eigen::VectorXd x(40);
  RowMajor y(40, 6);
  EXPECT_EQ(allocations(x, rows.col(3)), 0);
  EXPECT_EQ(allocations(y.col(2), b.col(1)), 0);
  EXPECT_EQ(allocations(y.col(2), rows.col(1)), 0);
}

TEST_F(DenseVectors, OfTwoLayoutsAreSolvedInPlaceOfTheAnswer) {
  const Eigen::MatrixXd b = Eigen::MatrixXd::Random(40, 6);
  RowMajor x(40, 6);
  EXPECT_EQ(allocations(x, b), 0);
  EXPECT_EQ(allocations(x, 2 * b), 0);
}

TEST_F(DenseVectors, WithoutContiguousEntriesAreCopied) {
  Eigen::MatrixXd b = Eigen::MatrixXd::Random(80, 6), x(80, 6);
  using Stride = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
  using Sparse = Eigen::Map<Eigen::MatrixXd, 0, Stride>;
  const Sparse every_second(b.data(), 40, 6, Stride(80, 2));
  Sparse there(x.data(), 40, 6, Stride(80, 2));
  EXPECT_THROW(allocations(there, every_second), std::logic_error);
  Eigen::internal::set_is_malloc_allowed(true);
  there = solver_.solve(every_second);
  EXPECT_LT(error_in_roundoffs(a_, Eigen::MatrixXd(there), Eigen::MatrixXd(every_second)), 50);
}

TEST_F(DenseVectors, MayBeTheAnswerAndMayBeSparse) {
  Eigen::VectorXd x = Eigen::VectorXd::Random(40);
  const Eigen::VectorXd b = x;
  x = solver_.solve(x);
  EXPECT_LT(error_in_roundoffs(a_, x, b), 50);
  const eigen::GaussSeidel<ByColumns> smoother(a_);
  x = b;
  x = smoother.solve(x);
  EXPECT_TRUE(x.isApprox(Eigen::VectorXd(smoother.solve(b))));
  ByColumns right(40, 2), answer;
  right.insert(3, 0) = 1;
  right.insert(7, 1) = 2;
  answer = solver_.solve(right);
  EXPECT_LT((a_ * answer - right).norm(), 1e-13);
}

}  // namespace
}  // namespace echelon
