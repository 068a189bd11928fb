// tests/factor/test_input.cpp -- CSR and CSC matrices give the same factors, sorted ones uncopied.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "factor/input.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

// Hermitian positive definite; complex entries have imaginary parts.
template <class T>
Csr<T> hermitian() {
  Csr<T> a = generate<T>("laplace2d:9x7:5");
  if constexpr (is_complex<T>) {
    const auto phase = [](Index i) { return std::polar(Real<T>(1), Real<T>(i % 5)); };
    for (Index i = 0; i < a.rows; ++i)
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        a.value[p] *= phase(i) * std::conj(phase(a.index[p]));
  }
  return a;
}

// The same matrix with each list shuffled and its last entry given as two.
template <class T, Order order>
Compressed<T, order> untidy(const Compressed<T, order>& a) {
  Compressed<T, order> out{a.rows, a.cols, Buffer<Offset>(1, 0), {}, {}};
  std::mt19937 random(7);
  for (Index k = 0; k < a.rows; ++k) {
    std::vector<std::pair<Index, T>> list;
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) list.emplace_back(a.index[p], a.value[p]);
    list.back().second /= T(2);
    list.push_back(list.back());
    std::shuffle(list.begin(), list.end(), random);
    for (const auto& [index, value] : list) {
      out.index.push_back(index);
      out.value.push_back(value);
    }
    out.start.push_back(static_cast<Offset>(out.index.size()));
  }
  return out;
}

template <class T>
class FactorInput : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FactorInput, Scalars);

TYPED_TEST(FactorInput, RowsAndColumnsHaveTheSameAnswer) {
  using T = TypeParam;
  const Csr<T> rows = hermitian<T>();
  const Csc<T> columns = to_csc(CsrView<T>(rows));
  std::vector<T> b(static_cast<std::size_t>(rows.rows));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(Real<T>(1 + i % 3));
  for (const std::string& package : factor_packages()) {
    SCOPED_TRACE(package);
    FactorOptions o;
    o.order = Ordering::natural;
    const auto solve = [&](const auto& a) {
      return DirectSolver<T>(factor_by_name(package, a, o)).solve(b);
    };
    const std::vector<T> expected = solve(rows);
    const std::vector<std::vector<T>> others{solve(columns), solve(untidy(rows)),
                                             solve(untidy(columns))};
    for (const std::vector<T>& x : others)
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_LT(std::abs(x[i] - expected[i]),
                  100 * std::numeric_limits<Real<T>>::epsilon() * std::abs(expected[i]))
            << "x(" << i << ")";
  }
}

// A matrix whose transpose differs, so that a mixed-up order shows.
TYPED_TEST(FactorInput, ColumnsAreNotTakenForRows) {
  using T = TypeParam;
  const Csr<T> rows{3, 3, {0, 2, 4, 5}, {0, 2, 0, 1, 2}, {T(4), T(3), T(2), T(5), T(1)}};
  const Csc<T> columns = to_csc(CsrView<T>(rows));
  const std::vector<T> b{T(7), T(7), T(1)};  // x = 1
  for (const std::string package : {"superlu", "ilu0"}) {
    const auto names = factor_packages();
    if (std::find(names.begin(), names.end(), package) == names.end()) continue;
    SCOPED_TRACE(package);
    for (const T v : DirectSolver<T>(factor_by_name(package, columns)).solve(b))
      EXPECT_LT(std::abs(v - T(1)), 10 * std::numeric_limits<Real<T>>::epsilon());
  }
}

TYPED_TEST(FactorInput, SortedListsAreReadWhereTheyLie) {
  using T = TypeParam;
  const Csr<T> rows = hermitian<T>();
  const Csc<T> columns = to_csc(CsrView<T>(rows));
  for (const Half half : {Half::both, Half::lower}) {
    const SortedInput<T> by_rows(rows, half, Order::rows),
        by_columns(columns, half, Order::columns);
    EXPECT_EQ(by_rows.view().value.data(), rows.value.data());
    EXPECT_EQ(by_columns.view().value.data(), columns.value.data());
    EXPECT_EQ(by_columns.view().index.data(), columns.index.data());
    const SortedInput<T> turned(rows, half, Order::columns);
    EXPECT_NE(turned.view().value.data(), rows.value.data());
    EXPECT_FALSE(SortedInput<T>(untidy(rows), half, Order::rows).borrowed());
  }
}

TYPED_TEST(FactorInput, ValuesOfTheCallerAreNotChanged) {
  using T = TypeParam;
  Csc<T> columns = to_csc(CsrView<T>(hermitian<T>()));
  for (T& v : columns.value) v *= T(Real<T>(1e-3));
  columns.value[0] *= T(Real<T>(1e4));  // SuperLU scales such a matrix
  const Buffer<T> before = columns.value;
  for (const std::string& package : factor_packages()) (void)factor_by_name(package, columns);
  EXPECT_TRUE(std::equal(before.begin(), before.end(), columns.value.begin()));
}

TEST(FactorInputs, NamesTheEntryByRowAndColumnInEitherOrder) {
  Csr<double> rows = hermitian<double>();
  const Offset p = rows.start[2];
  rows.value[p] = std::numeric_limits<double>::infinity();
  const std::string expected =
      "the entry in row 2, column " + std::to_string(rows.index[p]) + " is not finite";
  EXPECT_EQ(refusal([&] { (void)factor_ilu0(rows); }).text, expected);
  EXPECT_EQ(refusal([&] { (void)factor_ilu0(to_csc(CsrView<double>(rows))); }).text, expected);
}

}  // namespace
}  // namespace echelon
