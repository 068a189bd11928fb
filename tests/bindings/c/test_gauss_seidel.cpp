// tests/bindings/c/test_gauss_seidel.cpp -- tests of sweeps behind C handles.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "own.hpp"

using namespace echelon::test;

namespace {

using Values = std::vector<double>;

TEST(CGaussSeidel, SweepsByHand) {
  const ArraysOf<double> a{{0, 2, 4}, {0, 1, 0, 1}, {2, 1, 1, 4}};
  const Values b = {3, 5};
  Values x(2, 0);
  const OwnSolver forward = gauss_seidel(a.matrix(), "smoother.direction=forward");
  EXPECT_EQ(ECHELON_OK, echelon_solve(forward.get(), b.data(), x.data()));
  EXPECT_EQ((Values{1.5, 0.875}), x);  // 3 / 2, then (5 - 1.5) / 4
  const OwnSolver backward = gauss_seidel(a.matrix(), "smoother.direction=backward");
  const OwnWorkspace w = workspace(backward, "guess=zero");
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), x.data()));
  EXPECT_EQ((Values{0.875, 1.25}), x);  // 5 / 4, then (3 - 1.25) / 2
}

TEST(CGaussSeidel, ConvergesInManySweeps) {
  const OwnSolver s = gauss_seidel(chain_arrays(50).matrix(), "smoother.omega=1.1");
  const OwnWorkspace w = workspace(s, "sweeps=60,guess=zero,nrhs=2");
  Values b(100, 2), x(100);
  b[0] = b[49] = b[50] = b[99] = 3;  // of x = 1
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), x.data()));
  for (const double v : x) EXPECT_NEAR(1, v, 1e-12);
}

// All other matrices would be swept with values at wrong places.
TEST(CGaussSeidel, AnUpdateIsOfTheSameMatrix) {
  const OwnSolver s = gauss_seidel(chain_arrays(5).matrix());
  const auto chain = chain_arrays(5);
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update(s.get(), chain_arrays(4).matrix().get()),
                 "the matrix has 4 rows and 10 entries by rows");
  const OwnMatrix columns = chain.matrix("order=columns");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update(s.get(), columns.get()), "by columns");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update(s.get(), nullptr), "is NULL");
  const Values b = {1, 1, 1, 1, 1};
  Values x(5);
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s.get(), b.data(), x.data()),
                 "the last update");
  const OwnMatrix same = chain.matrix();
  EXPECT_EQ(ECHELON_OK, echelon_update(s.get(), same.get()));
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
}

TEST(CGaussSeidel, RefusesXThatIsB) {
  const OwnSolver s = gauss_seidel(chain_arrays(5).matrix());
  Values x(5, 1);
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s.get(), x.data(), x.data()), "", s.get());
  EXPECT_EQ((Values(5, 1)), x);
}

TEST(CGaussSeidel, RefusesItsOwnWrongOptions) {
  const OwnMatrix m = chain_arrays(5).matrix();
  echelon_solver* s = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_gauss_seidel(&s, m.get(), "smoother.omega=2"),
                 "omega");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_gauss_seidel(&s, m.get(), "smoother.direction=up"), "up");
  const ArraysOf<double> zero{{0, 1, 2}, {0, 0}, {1, 1}};
  expect_refused(ECHELON_ZERO_DIAGONAL,
                 echelon_create_gauss_seidel(&s, zero.matrix().get(), nullptr), "row 1");
}

}  // namespace
