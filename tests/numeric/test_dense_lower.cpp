// tests/numeric/test_dense_lower.cpp -- products with dense lower triangles and their inverses,
// against plain loops.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "numeric/dense_lower.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

template <class T>
class DenseLower : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DenseLower, Scalars);

template <class T>
struct Matrix {
  Matrix(Index rows_, Index cols_, unsigned seed)
      : rows(rows_),
        cols(cols_),
        ld(rows_ + 3),
        value(test::random_vector<T>(static_cast<std::size_t>(ld * cols_) + 1, seed)) {}
  T& operator()(Index i, Index j) { return value[j * ld + i]; }
  T operator()(Index i, Index j) const { return value[j * ld + i]; }
  Index rows, cols;
  Offset ld;
  std::vector<T> value;
};

// A well conditioned triangle; values above the diagonal must not be read.
template <class T>
Matrix<T> random_lower(Index n) {
  Matrix<T> l(n, n, 5);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < j; ++i) l(i, j) = T(std::numeric_limits<Real<T>>::quiet_NaN());
    l(j, j) = test::number<T>(2, 1);
    for (Index i = j + 1; i < n; ++i) l(i, j) /= Real<T>(n);
  }
  return l;
}

constexpr Index sizes[] = {1, 2, 23, 24, 25, 63, 64, 65, 130, 200};

template <class T>
double unit() {
  return static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

TYPED_TEST(DenseLower, TheInverseTimesTheTriangleIsOne) {
  using T = TypeParam;
  for (const Index threads : {1, 2})
    for (const Index n : sizes) {
      const Matrix<T> l = random_lower<T>(n);
      Matrix<T> x = l;
      DenseSpace<T> space(threads, VectorUnit::automatic);
      invert_lower(n, x.value.data(), x.ld, space);
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
          T sum = T(0);
          for (Index k = j; k <= i; ++k) sum += x(i, k) * l(k, j);
          ASSERT_LE(std::abs(sum - T(i == j)), 16 * n * unit<T>()) << n << ' ' << i << ' ' << j;
        }
    }
}

TYPED_TEST(DenseLower, ProductsAreThoseOfPlainLoops) {
  using T = TypeParam;
  for (const Index threads : {1, 3})
    for (const Index n : sizes)
      for (const Index m : {1, 7, 131}) {
        const Matrix<T> l = random_lower<T>(n);
        const Matrix<T> wide(m, n, 6), tall(n, m, 7);
        Matrix<T> right = wide, left = tall;
        DenseSpace<T> space(threads, VectorUnit::automatic);
        multiply_right_lower(m, n, l.value.data(), l.ld, right.value.data(), right.ld, space);
        multiply_left_lower_minus(n, m, l.value.data(), l.ld, left.value.data(), left.ld, space);
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < m; ++i) {
            T of_right = T(0), of_left = T(0);
            for (Index k = j; k < n; ++k) of_right += wide(i, k) * l(k, j);
            for (Index k = 0; k <= j; ++k) of_left -= l(j, k) * tall(k, i);
            ASSERT_LE(std::abs(right(i, j) - of_right), 16 * (n + 2) * unit<T>());
            ASSERT_LE(std::abs(left(j, i) - of_left), 16 * (n + 2) * unit<T>());
          }
      }
}

// The memory between the columns must not change.
TYPED_TEST(DenseLower, NothingElseIsWritten) {
  using T = TypeParam;
  const Matrix<T> l = random_lower<T>(90), wide(50, 90, 6);
  Matrix<T> right = wide;
  DenseSpace<T> space(2, VectorUnit::automatic);
  multiply_right_lower(50, 90, l.value.data(), l.ld, right.value.data(), right.ld, space);
  for (Index j = 0; j < 90; ++j)
    for (Index i = 50; i < 53; ++i) EXPECT_EQ(right(i, j), wide(i, j));
}

}  // namespace
}  // namespace echelon
