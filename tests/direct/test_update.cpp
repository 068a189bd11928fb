// tests/direct/test_update.cpp -- new factors for an existing plan: the same solutions as a new
// solver, or an error.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "direct/direct_cases.hpp"

namespace echelon {
namespace {

using test::direct_options;
using test::refusal;

template <class T>
class DirectUpdate : public testing::Test {};
TYPED_TEST_SUITE(DirectUpdate, test::Scalars);

template <class T>
std::vector<T> solve(const DirectSolver<T>& solver, Index n) {
  const auto b = test::random_vector<T>(static_cast<std::size_t>(n));
  std::vector<T> x(b.size());
  solver.solve(std::span<const T>(b), std::span<T>(x));
  return x;
}

// Another matrix with the same pattern; Hermitian if the first is.
template <class T>
Csr<T> scaled(Csr<T> a) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= Real<T>(a.index[p] == i ? 1.25 : 0.75);
  return a;
}

TYPED_TEST(DirectUpdate, IsLikeANewSolver) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    if (c.name == "superlu that pivots") continue;  // other pivots give another structure
    const Csr<T> a2 = scaled(c.a);
    for (const Method method : test::block_methods) {
      DirectSolver<T> solver(c.factor(c.a), direct_options(method));
      solver.update(c.factor(a2));
      const DirectSolver<T> fresh(c.factor(a2), direct_options(method));
      EXPECT_EQ(solve(solver, a2.rows), solve(fresh, a2.rows)) << c.name << ' ' << name(method);
    }
  }
}

// Separate columns may hold anything; nothing may be written outside the panels.
TYPED_TEST(DirectUpdate, RefusesAPatternThatGrew) {
  using T = TypeParam;
  const auto small = test::tridiagonal<T>(30), a = test::random_matrix<T>({.n = 30});
  for (const Method method : test::block_methods) {
    DirectSolver<T> solver(factor_ilu0<T>(small, test::natural), direct_options(method));
    const auto before = solve(solver, 30);
    const auto grown = refusal([&] { solver.update(factor_ilu0<T>(a, test::natural)); });
    EXPECT_EQ(grown.code, ErrorCode::bad_argument) << name(method);
    EXPECT_NE(grown.text.find("its pattern is not the one that was analyzed"), std::string::npos);
    EXPECT_EQ(refusal([&] { solve(solver, 30); }).text,
              "the last update failed; this solver has no values");
    solver.update(factor_ilu0<T>(small, test::natural));
    EXPECT_EQ(solve(solver, 30), before);
  }
}

TYPED_TEST(DirectUpdate, RefusesPanelsThatGrew) {
  using T = TypeParam;
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD in this build";
  const auto small = test::tridiagonal<T>(40);
  Csr<T> chain = small;  // a distant entry: fill in all columns between
  Coo<T> coo{40, 40, {}, {}, {}};
  for (Index i = 0; i < 40; ++i)
    for (Offset p = chain.start[i]; p < chain.start[i + 1]; ++p) {
      coo.row.push_back(i);
      coo.col.push_back(chain.index[p]);
      coo.value.push_back(chain.value[p]);
    }
  for (const auto& [i, j] : {std::pair<Index, Index>{35, 3}, {3, 35}}) {
    coo.row.push_back(i);
    coo.col.push_back(j);
    coo.value.push_back(T(0.5));
  }
  for (const Method method : test::block_methods) {
    DirectSolver<T> solver(factor_cholmod<T>(small, test::natural), direct_options(method));
    EXPECT_EQ(refusal([&] { solver.update(factor_cholmod<T>(to_csr(coo), test::natural)); }).code,
              ErrorCode::bad_argument)
        << name(method);
  }
}

TEST(DirectUpdateRefuses, AnotherSizeOrKind) {
  const auto a = test::tridiagonal<double>(9), other = test::tridiagonal<double>(8);
  DirectSolver<double> solver(factor_ilu0<double>(a));
  EXPECT_EQ(refusal([&] { solver.update(factor_ilu0<double>(other)); }).text,
            "the new factors are of another size or kind");
  EXPECT_EQ(refusal([&] { solver.update(factor_ic0<double>(a)); }).text,
            "the new factors are of another size or kind");
  Factors<double> turned = factor_ilu0<double>(a, test::natural);
  turned.col_order.assign(9, 0);
  for (Index j = 0; j < 9; ++j) turned.col_order[j] = 8 - j;
  EXPECT_EQ(refusal([&] { solver.update(turned); }).text,
            "the new factors have another order of columns");
  EXPECT_EQ(refusal([&] { solve(solver, 9); }).text,
            "the last update failed; this solver has no values");
}

TEST(DirectUpdateRefuses, ValuesThatCannotBeSolvedWith) {
  const auto a = test::tridiagonal<double>(9);
  const Factors<double> f = factor_ilu0<double>(a, test::natural);
  DirectSolver<double> solver(f);
  Factors<double> zero = f, bad = f;
  zero.upper.columns.value[zero.upper.columns.start[4]] = 0;
  bad.lower.columns.value[2] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal([&] { solver.update(zero); }).text, "the diagonal entry of row 4 is zero");
  EXPECT_EQ(refusal([&] { solver.update(bad); }).code, ErrorCode::not_finite);
  solver.update(f);
  EXPECT_EQ(solve(solver, 9).size(), 9u);
}

}  // namespace
}  // namespace echelon
