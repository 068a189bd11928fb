// tests/numeric/test_residual.cpp -- residuals and backward errors, against plain loops.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "echelon/generate.hpp"
#include "echelon/residual.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

template <class T>
class Residual : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Residual, Scalars);

// One vector, in the plainest way.
template <class T>
struct Plain {
  std::vector<T> r;
  double componentwise = 0, normwise = 0;

  Plain(const Csr<T>& a, const Vectors<const T>& b, const Vectors<const T>& x, Index k) {
    const auto entry = [k](const Vectors<const T>& v, Index i) {
      return v.data[i * v.step() + k * v.stride()];
    };
    double rest = 0, right = 0, answer = 0, matrix = 0;
    for (Index i = 0; i < a.rows; ++i) {
      T s = entry(b, i);
      double size = std::abs(s);
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
        s -= a.value[p] * entry(x, a.index[p]);
        size += std::abs(a.value[p]) * std::abs(entry(x, a.index[p]));
        matrix += std::norm(a.value[p]);
      }
      r.push_back(s);
      componentwise = std::max(componentwise, std::abs(s) / size);
      rest += std::norm(s);
      right += std::norm(entry(b, i));
      answer += std::norm(entry(x, i));
    }
    normwise = std::sqrt(rest) / (std::numeric_limits<Real<T>>::epsilon() *
                                  (std::sqrt(right) + std::sqrt(matrix) * std::sqrt(answer)));
  }
};

TYPED_TEST(Residual, IsThatOfAPlainLoop) {
  using T = TypeParam;
  const double eps = 100 * std::numeric_limits<Real<T>>::epsilon();
  const Index n = 3000;  // several blocks of rows, and a rest
  const auto a = test::random_matrix<T>({.n = n});
  for (const Index count : {1, 3, 6})
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(count);
      const auto b = test::random_vector<T>(size), x = test::random_vector<T>(size, 9);
      std::vector<T> r(size);
      const Vectors<const T> bs(b.data(), n, count, 0, layout), xs(x.data(), n, count, 0, layout);
      const double error = find_residual<T>(a, bs, xs, Vectors<T>(r.data(), n, count), 2);
      const BackwardErrors errors = find_backward_errors<T>(a, bs, xs, 2);
      double componentwise = 0, normwise = 0;
      for (Index k = 0; k < count; ++k) {
        const Plain<T> plain(a, bs, xs, k);
        for (Index i = 0; i < n; ++i)
          ASSERT_NEAR(std::abs(r[k * n + i] - plain.r[i]), 0, 10 * eps) << i;
        componentwise = std::max(componentwise, plain.componentwise);
        normwise = std::max(normwise, plain.normwise);
      }
      EXPECT_EQ(error, errors.componentwise);
      EXPECT_NEAR(error, componentwise, eps * componentwise);
      EXPECT_NEAR(errors.normwise, normwise, eps * normwise);
    }
}

TYPED_TEST(Residual, HasTheSameBitsForAnyNumberOfThreads) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 40000});  // more than a thread's smallest share
  const Index n = a.rows, count = 5;
  const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * count);
  const auto x = test::random_vector<T>(b.size(), 9);
  const Vectors<const T> bs(b.data(), n, count), xs(x.data(), n, count);
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  std::vector<T> first(b.size()), r(b.size());
  const double error = find_residual<T>(a, bs, xs, Vectors<T>(first.data(), n, count), 1);
  const BackwardErrors one = find_backward_errors<T>(a, bs, xs, 1);
  const BackwardErrors of_triangle = find_backward_errors<T>(t, T(2), bs, xs, 1);
  for (const Index threads : {2, 3, 4}) {
    EXPECT_EQ(find_residual<T>(a, bs, xs, Vectors<T>(r.data(), n, count), threads), error);
    EXPECT_EQ(r, first);
    EXPECT_EQ(find_backward_errors<T>(a, bs, xs, threads).normwise, one.normwise);
    const BackwardErrors again = find_backward_errors<T>(t, T(2), bs, xs, threads);
    EXPECT_EQ(again.componentwise, of_triangle.componentwise);
    EXPECT_EQ(again.normwise, of_triangle.normwise);
  }
}

TYPED_TEST(Residual, OfATriangleIsTheSameForAllWaysToStoreIt) {
  using T = TypeParam;
  const Index n = 200;
  const auto a = test::random_matrix<T>({.n = n, .sorted = false});
  const auto columns = to_csc(CsrView<T>(a));
  const auto b = test::random_vector<T>(n);
  const auto alpha = test::number<T>(1.5, -0.5);
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Op op : {Op::none, Op::transpose, Op::conjugate})
      for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
        const TriangleOptions o{op, diagonal, OutsideEntries::ignore};
        const auto rows = triangle(CsrView<T>(a), uplo, o);
        auto x = test::random_vector<T>(n, 9);
        // Against the oracle, whose error is in units of eps and of the entries of a row.
        const auto right = [&] {
          std::vector<T> y(static_cast<std::size_t>(n));
          const auto m = test::rows_of(rows);
          for (Index i = 0; i < n; ++i) {
            for (const auto& [j, v] : m[i]) y[i] += v * x[j];
            y[i] /= alpha;
          }
          return y;
        }();
        const Vectors<const T> bs(right.data(), n), xs(x.data(), n);
        const double eps = std::numeric_limits<Real<T>>::epsilon();
        const double of_rows = find_backward_errors<T>(rows, alpha, bs, xs).componentwise;
        EXPECT_LT(of_rows, 20 * eps);
        const auto by_columns = triangle(CscView<T>(columns), uplo, o);
        EXPECT_LT(find_backward_errors<T>(by_columns, alpha, bs, xs).componentwise, 20 * eps);
        const Vectors<const T> wrong(b.data(), n);
        EXPECT_GT(find_backward_errors<T>(rows, alpha, wrong, xs).componentwise, 1e4 * eps);
      }
}

TEST(ResidualOfDoubles, SeesWhatIsNoNumberAndWhatNothingExplains) {
  const auto a = test::picture<double>("1 .\n . 1");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> b{1, 1}, x{1, nan};
  const auto errors = [&] {
    return find_backward_errors<double>(a, Vectors<const double>(b.data(), 2),
                                        Vectors<const double>(x.data(), 2));
  };
  EXPECT_TRUE(std::isnan(errors().componentwise));
  EXPECT_TRUE(std::isnan(errors().normwise));
  x = {1, 0};
  EXPECT_EQ(errors().componentwise, 1);
  b = x = {0, 0};
  EXPECT_EQ(errors().componentwise, 0);
  EXPECT_EQ(errors().normwise, 0);
}

TEST(ResidualOfDoubles, RefusesVectorsThatDoNotFit) {
  const auto a = test::picture<double>("1 .\n . 1");
  std::vector<double> v(6);
  const Vectors<const double> two(v.data(), 2), three(v.data(), 3), pair(v.data(), 2, 2);
  EXPECT_EQ(refusal([&] { find_backward_errors<double>(a, two, three); }).text,
            "the sizes of the vectors do not fit the matrix");
  EXPECT_EQ(refusal([&] { find_backward_errors<double>(a, pair, two); }).code,
            ErrorCode::bad_argument);
  Csr<double> tall = a;
  tall.cols = 3;
  EXPECT_EQ(refusal([&] { find_backward_errors<double>(tall, two, three); }).text,
            "backward errors need a square matrix");
}

}  // namespace
}  // namespace echelon
