// tests/bench/test_factor_rows.cpp -- the triangles of factors by rows, against the solver that
// stores them in panels.
// SPDX-License-Identifier: BSD-3-Clause
#include <factor_solve/factor_rows.hpp>

#include "direct/direct_cases.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using bench::RowTriangle;

template <class T>
class FactorRows : public testing::Test {};
TYPED_TEST_SUITE(FactorRows, test::Scalars);

template <class T>
void expect_sorted_triangle(const RowTriangle<T>& t) {
  for (Index i = 0; i < t.rows.rows; ++i)
    for (Offset p = t.rows.start[i]; p < t.rows.start[i + 1]; ++p) {
      const Index j = t.rows.index[p];
      EXPECT_TRUE(t.part == Uplo::lower ? j <= i : j >= i);
      if (p == t.rows.start[i]) continue;
      EXPECT_LT(t.rows.index[p - 1], j);
    }
}

TYPED_TEST(FactorRows, GiveTheAnswersOfTheirPanels) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const Factors<T> factors = c.factor(c.a);
    const DirectSolver<T> solver(Factors<T>(factors), test::direct_options(Method::team));
    const Index n = c.a.rows;
    const auto b = test::random_vector<T>(static_cast<std::size_t>(n));
    for (const Uplo part : {Uplo::lower, Uplo::upper}) {
      SCOPED_TRACE(c.name);
      const RowTriangle<T> t =
          part == Uplo::lower ? bench::lower_rows(factors) : bench::upper_rows(factors);
      EXPECT_EQ(t.part, part);
      expect_sorted_triangle(t);
      std::vector<T> x(b.size());
      part == Uplo::lower ? solver.solve(Vectors<const T>{b.data(), n}, Vectors<T>{x.data(), n},
                                         {.part = Part::lower, .threads = 1})
                          : solver.solve(Vectors<const T>{b.data(), n}, Vectors<T>{x.data(), n},
                                         {.part = Part::upper, .threads = 1});
      const auto seen = triangle(CsrView<T>(t.rows), part, {.diagonal = t.diagonal});
      EXPECT_LE(test::backward_error(seen, b, x), 8);
    }
  }
}

TYPED_TEST(FactorRows, LeaveOutTheZerosOfPanels) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    const Factors<T> factors = c.factor(c.a);
    const RowTriangle<T> t = bench::lower_rows(factors);
    const Offset diagonal = t.diagonal == Diagonal::unit ? factors.n : 0;
    EXPECT_LE(t.rows.nonzeros() + diagonal, factors.lower.nonzeros) << c.name;
  }
}

}  // namespace
}  // namespace echelon
