// tests/bench/test_matrix_kind.cpp -- kinds of small matrices, and the part that packages read.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <complex>
#include <factor_solve/matrix_kind.hpp>

namespace echelon {
namespace {

using bench::find_matrix_kind;
using bench::MatrixKind;
using bench::package_rows;

// [a b; c d]; zeros are not stored.
template <Scalar T>
Csr<T> two_by_two(T a, T b, T c, T d) {
  Csr<T> m;
  m.rows = m.cols = 2;
  for (const std::pair<T, T>& row : {std::pair(a, b), std::pair(c, d)}) {
    Index j = 0;
    for (const T value : {row.first, row.second}) {
      if (value != T(0)) {
        m.index.push_back(j);
        m.value.push_back(value);
      }
      ++j;
    }
    m.start.push_back(static_cast<Offset>(m.index.size()));
  }
  return m;
}

template <Scalar T>
MatrixKind kind_of(T a, T b, T c, T d) {
  return find_matrix_kind(CsrView<T>(two_by_two<T>(a, b, c, d)));
}

TEST(MatrixKind, RealMatrices) {
  EXPECT_EQ(kind_of(2.0, 1.0, 1.0, 2.0), MatrixKind::positive);
  EXPECT_EQ(kind_of(2.0, 1.0, 1.0, -2.0), MatrixKind::hermitian);
  EXPECT_EQ(kind_of(0.0, 1.0, 1.0, 0.0), MatrixKind::hermitian);
  EXPECT_EQ(kind_of(2.0, 1.0, 3.0, 2.0), MatrixKind::general);
  EXPECT_EQ(kind_of(2.0, 1.0, 0.0, 2.0), MatrixKind::general);
  EXPECT_EQ(kind_of(2.0, 1.0, 1.0 + 1e-15, 2.0), MatrixKind::positive);  // rounding
}

TEST(MatrixKind, ComplexMatrices) {
  using T = std::complex<double>;
  EXPECT_EQ(kind_of<T>(2.0, {1, 1}, {1, -1}, 2.0), MatrixKind::positive);
  EXPECT_EQ(kind_of<T>(2.0, {1, 1}, {1, -1}, -2.0), MatrixKind::hermitian);
  EXPECT_EQ(kind_of<T>(2.0, {1, 1}, {1, 1}, 2.0), MatrixKind::symmetric);
  EXPECT_EQ(kind_of<T>(2.0, {1, 1}, {1, 2}, 2.0), MatrixKind::general);
}

TEST(MatrixKind, HalfIsKeptWithAFullDiagonal) {
  const Csr<double> a = two_by_two(0.0, 3.0, 3.0, 4.0);
  const auto half = package_rows(CsrView<double>(a), MatrixKind::hermitian);
  EXPECT_EQ(half.start, (std::vector<int>{0, 2, 3}));
  EXPECT_EQ(half.index, (std::vector<int>{0, 1, 1}));
  EXPECT_EQ(half.value, (std::vector<double>{0, 3, 4}));
  const auto all = package_rows(CsrView<double>(a), MatrixKind::general);
  EXPECT_EQ(all.start, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(all.index, (std::vector<int>{1, 0, 1}));
}

}  // namespace
}  // namespace echelon
