// tests/bindings/c/test_direct.cpp -- tests of factorizations behind C handles, and of refinement.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstring>

#include "own.hpp"

using namespace echelon::test;

namespace {

using Values = std::vector<double>;

// Of tridiag(-1, 4, -1).
double residual(const Values& b, const Values& x) {
  double most = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < x.size() ? x[i + 1] : 0;
    most = std::max(most, std::abs(b[i] - 4 * x[i] + left + right));
  }
  return most;
}

TEST(CDirect, SolvesWithEveryPackageOfThisBuild) {
  const Values b(20, 1);
  std::string packages = echelon_built_with();
  int tried = 0;
  for (const char* package :
       {"automatic", "cholmod", "superlu", "umfpack", "klu", "superlu_ilu", "ilu0", "ic0"}) {
    if (package != std::string("automatic") &&
        ("," + packages + ",").find("," + std::string(package) + ",") == std::string::npos)
      continue;
    ++tried;
    for (const char* how : {"", "order=columns"}) {  // symmetric: the same matrix
      Values x(20);
      const OwnSolver s = direct(chain_arrays(20).matrix(how), package, "factor.order=natural");
      EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data())) << package;
      EXPECT_LT(residual(b, x), 1e-14) << package << " " << how;
    }
  }
  EXPECT_GE(tried, 2);
}

TEST(CDirect, TakesColumnsAsColumns) {
  const auto l = lower_arrays();  // as columns: its transpose
  const OwnSolver s = direct(l.matrix("order=columns"), "ilu0", "factor.order=natural");
  const Values b = {2, 2, 3};
  Values x(3);
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
  EXPECT_EQ((Values{1, 0, 1}), x);
  int32_t steps = -1;
  double error = 1;
  const OwnMatrix a = l.matrix("order=columns");
  x = {0, 0, 0};
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_refined(s.get(), a.get(), b.data(), x.data(), &steps, &error));
  EXPECT_EQ((Values{1, 0, 1}), x);
  EXPECT_EQ(0, error);
}

TEST(CDirect, RefinesWithAnIncompleteFactorization) {
  // A 2 x 2 block with fill that ILU(0) drops: the refined answer is better than the plain one.
  const ArraysOf<double> a{{0, 3, 5, 7}, {0, 1, 2, 0, 1, 0, 2}, {4, 1, 1, 1, 4, 1, 4}};
  const OwnMatrix m = a.matrix();
  const OwnSolver s = direct(m, "ilu0", "factor.order=natural");
  const Values b = {6, 5, 5};  // of x = 1
  Values x(3);
  double error = 1;
  const OwnWorkspace w = workspace(s, "steps=0");
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_refined_in(w.get(), m.get(), b.data(), x.data(), nullptr, &error));
  EXPECT_GT(error, 1e-6);
  EXPECT_EQ(ECHELON_OK, echelon_set(w.get(), "steps=50"));
  int32_t steps = 0;
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_refined_in(w.get(), m.get(), b.data(), x.data(), &steps, &error));
  EXPECT_GT(steps, 2);
  EXPECT_LT(error, 1e-14);
  for (const double v : x) EXPECT_NEAR(1, v, 1e-13);
}

TEST(CDirect, RefusesSettingsThatARefinedSolveDoesNotHave) {
  const OwnMatrix m = lower_arrays().matrix();
  const OwnSolver s = direct(m, "ilu0"), t = triangle(m);
  const Values b = {2, 5, 10};
  Values x(3);
  for (const char* settings : {"op=t", "part=lower", "threads=1"}) {
    const OwnWorkspace w = workspace(s, settings);
    expect_refused(ECHELON_BAD_ARGUMENT,
                   echelon_solve_refined_in(w.get(), m.get(), b.data(), x.data(), nullptr, nullptr),
                   "a refined solve is of A x = b", s.get());
  }
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_solve_refined(t.get(), m.get(), b.data(), x.data(), nullptr, nullptr),
                 "a triangular solver does not refine");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_solve_refined(s.get(), nullptr, b.data(), x.data(), nullptr, nullptr),
                 "the matrix to refine with is NULL");
  const OwnMatrix other = lower_arrays<float>().matrix();
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_solve_refined(s.get(), other.get(), b.data(), x.data(), nullptr, nullptr),
                 "another type");
}

// op and diagonal=unit are of triangles; the factorization would not see them.
TEST(CDirect, RefusesAMatrixReadAsATriangle) {
  echelon_solver* s = nullptr;
  for (const char* how : {"op=t", "op=h", "diagonal=unit"}) {
    const OwnMatrix m = lower_arrays().matrix(how);
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(&s, m.get(), "ilu0", nullptr),
                   "which only triangles have");
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_gauss_seidel(&s, m.get(), nullptr),
                   "which only triangles have");
  }
}

TEST(CDirect, TakesTheOptionsOfTheChoice) {
  const OwnMatrix m = lower_arrays().matrix();
  echelon_solver* s = nullptr;
  EXPECT_EQ(ECHELON_OK,
            echelon_create_direct(&s, m.get(), "ilu0", "measure=false,supernode.level_work=1000"));
  const char* method = nullptr;
  EXPECT_EQ(ECHELON_OK, echelon_report_text(s, "upper_method", &method));
  EXPECT_STREQ("serial", method);
  echelon_destroy(s);
  s = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_direct(&s, m.get(), "ilu0", "supernode.level_work=-1"),
                 "supernode.level_work must be");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(&s, m.get(), "ilu0", "measure=maybe"),
                 "measure is true or false");
}

TEST(CDirect, NamesPackagesAndOptions) {
  const OwnMatrix m = lower_arrays().matrix();
  echelon_solver* s = nullptr;
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(&s, m.get(), "pardiso", nullptr),
                 "pardiso");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(&s, m.get(), nullptr, nullptr),
                 "here it is");
  expect_refused(ECHELON_BAD_ARGUMENT,
                 echelon_create_direct(&s, m.get(), "ilu0", "factor.ordr=metis"), "factor.order");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(&s, nullptr, "ilu0", nullptr),
                 "the matrix to factor is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_direct(nullptr, m.get(), "ilu0", nullptr),
                 "the place for the new solver is NULL");
  EXPECT_EQ(nullptr, s);
}

TEST(CDirect, RefusesAfterAFailedUpdateUntilOneSucceeds) {
  const auto a = lower_arrays();
  const OwnMatrix m = a.matrix();
  const OwnSolver s = direct(m, "ilu0", "factor.order=natural");
  const Values b = {2, 5, 10}, zero = {2, 1, 0, 2, 3}, other = {1, 1, 2, 2, 3};
  Values x(3);
  EXPECT_EQ(ECHELON_OK, echelon_set_values(m.get(), zero.data()));
  expect_refused(ECHELON_ZERO_DIAGONAL, echelon_update(s.get(), m.get()), "row 1", s.get());
  EXPECT_EQ(1, echelon_last_error_row(s.get()));
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s.get(), b.data(), x.data()),
                 "the last update of this solver failed", s.get());
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update_factors(s.get(), m.get(), m.get()),
                 "use echelon_update", s.get());
  EXPECT_EQ(ECHELON_OK, echelon_set_values(m.get(), other.data()));
  EXPECT_EQ(ECHELON_OK, echelon_update(s.get(), m.get()));
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), x.data()));
  EXPECT_EQ(1.5, x[1]);
  EXPECT_NEAR(7.0 / 3, x[2], 1e-15);
}

TEST(CFactors, AreSolvedPartByPart) {
  const OwnMatrix l = lower_arrays().matrix(), u = lower_arrays().matrix("op=t");
  echelon_solver* made = nullptr;
  ASSERT_EQ(ECHELON_OK, echelon_create_factors(&made, l.get(), u.get(), "cpu.threads=1"));
  const OwnSolver s(made);
  const Values b = {2, 5, 10};
  Values lower(3), full(3), upper(3);
  const OwnWorkspace w = workspace(s, "part=lower");
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), lower.data()));
  EXPECT_EQ((Values{1, 2, 2}), lower);
  EXPECT_EQ(ECHELON_OK, echelon_set(w.get(), "part=upper"));
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), lower.data(), upper.data()));
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), full.data()));
  EXPECT_EQ(full, upper);
  EXPECT_EQ(ECHELON_OK, echelon_update_factors(s.get(), l.get(), u.get()));
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_update(s.get(), l.get()),
                 "use echelon_update_factors");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_factors(&made, l.get(), nullptr, nullptr),
                 "the matrix U is NULL");
}

}  // namespace
