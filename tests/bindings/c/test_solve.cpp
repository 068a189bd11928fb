// tests/bindings/c/test_solve.cpp -- tests of right-hand sides, layouts, workspaces and threads.
// SPDX-License-Identifier: BSD-3-Clause
#include <thread>

#include "own.hpp"

using namespace echelon::test;

namespace {

using Values = std::vector<double>;

TEST(CSolve, TakesAnotherNumberOfRightSidesEachTime) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  for (const int count : {1, 5, 0, 2, 40}) {
    Values b, x(static_cast<std::size_t>(3 * count), -1), expected;
    for (int k = 1; k <= count; ++k) {
      b.insert(b.end(), {2.0 * k, 5.0 * k, 10.0 * k});
      expected.insert(expected.end(), {1.0 * k, 2.0 * k, 2.0 * k});
    }
    EXPECT_EQ(ECHELON_OK,
              echelon_solve_many(s.get(), count, b.data(), 0, x.data(), 3, ECHELON_COLUMN_MAJOR));
    EXPECT_EQ(expected, x);
  }
}

TEST(CSolve, KeepsGapsOfLeadingDimensions) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  const Values b = {2, 4, 5, 10, 10, 20};  // by rows, two right-hand sides
  Values x(12, 7);
  EXPECT_EQ(ECHELON_OK,
            echelon_solve_many(s.get(), 2, b.data(), 0, x.data(), 4, ECHELON_ROW_MAJOR));
  EXPECT_EQ((Values{1, 2, 7, 7, 2, 4, 7, 7, 2, 4, 7, 7}), x);
}

TEST(CSolve, IsInPlaceWhereXIsB) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  Values x = {2, 5, 10};
  EXPECT_EQ(ECHELON_OK, echelon_solve(s.get(), x.data(), x.data()));
  EXPECT_EQ((Values{1, 2, 2}), x);
}

TEST(CSolve, RefusesWrongVectors) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  Values b(12, 1), x(12, 1);
  const auto many = [&](int64_t nrhs, int64_t ldb, int64_t ldx, int layout, const char* words) {
    expect_refused(ECHELON_BAD_ARGUMENT,
                   echelon_solve_many(s.get(), nrhs, b.data(), ldb, x.data(), ldx,
                                      static_cast<echelon_layout>(layout)),
                   words, s.get());
  };
  many(-1, 0, 0, 0, "nrhs is -1");
  many(int64_t{1} << 31, 0, 0, 0, "nrhs is 2147483648");
  many(2, -3, 3, 0, "negative");
  many(2, 2, 3, 0, "leading dimension of b is 2, below 3");
  many(4, 0, 3, 1, "leading dimension of x is 3, below 4");
  many(2, 3, 3, 2, "there is no layout 2");
  const auto solve = [&](const double* from, double* to, const char* words) {
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(s.get(), from, to), words, s.get());
  };
  solve(nullptr, x.data(), "b is a null pointer");
  solve(b.data(), nullptr, "x is a null pointer");
  solve(b.data(), b.data() + 1, "overlap");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_solve(nullptr, b.data(), x.data()), "is NULL");
}

TEST(CWorkspace, KeepsItsSettings) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  const OwnWorkspace w = workspace(s, "op=t, nrhs=2, layout=row");
  const Values b = {2, 4, 2, 4, 3, 6};
  Values x(6);
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b.data(), x.data()));
  EXPECT_EQ((Values{1, 2, 0, 0, 1, 2}), x);
  EXPECT_EQ(ECHELON_OK, echelon_set(w.get(), "op=n,nrhs=1"));
  const double minus = -1, c[] = {2, 5, 10};
  EXPECT_EQ(ECHELON_OK, echelon_set_alpha(w.get(), &minus));
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), c, x.data()));
  EXPECT_EQ(-2, x[2]);
}

TEST(CWorkspace, OfAComplexSolverTakesAComplexAlpha) {
  using Complex = std::complex<float>;
  const OwnSolver s = triangle(lower_arrays<Complex>().matrix());
  const OwnWorkspace w = workspace(s);
  const Complex i(0, 1), b[] = {2, 5, 10};
  Complex x[3];
  EXPECT_EQ(ECHELON_OK, echelon_set_alpha(w.get(), &i));
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), b, x));
  EXPECT_EQ(2.0F * i, x[2]);
}

TEST(CWorkspace, OutlivesTheHandleOfItsSolver) {
  OwnSolver s = triangle(lower_arrays().matrix());
  const OwnWorkspace w = workspace(s);
  s.reset();
  Values x = {2, 5, 10};
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), x.data(), x.data()));
  EXPECT_EQ(2, x[2]);
}

TEST(CWorkspace, RefusesWhatItsSolverDoesNotHave) {
  const OwnSolver t = triangle(lower_arrays().matrix());
  const OwnSolver g = gauss_seidel(lower_arrays().matrix());
  const OwnSolver d = direct(lower_arrays().matrix(), "ilu0");
  const auto refuse = [](const OwnSolver& s, const char* settings, const char* words) {
    echelon_workspace* w = nullptr;
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_workspace(&w, s.get(), settings), words,
                   s.get());
    EXPECT_EQ(nullptr, w);
    const OwnWorkspace plain = workspace(s);
    expect_refused(ECHELON_BAD_ARGUMENT, echelon_set(plain.get(), settings), words, s.get());
  };
  refuse(t, "sweeps=3", "a triangular solver has no sweeps");
  refuse(d, "guess=zero", "a direct solver has no sweeps");
  refuse(g, "op=t", "Gauss-Seidel has no part, op or alpha");
  refuse(t, "nrhs=-2", "nrhs is -2");
  refuse(t, "opp=t", "op");
  refuse(t, "layout=diagonal", "diagonal");
  const double two = 2;
  const OwnWorkspace w = workspace(g);
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_set_alpha(w.get(), &two), "has no part");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_set_alpha(w.get(), nullptr), "alpha is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_create_workspace(nullptr, t.get(), nullptr),
                 "place for the new workspace is NULL");
  expect_refused(ECHELON_BAD_ARGUMENT, echelon_set(nullptr, "op=t"), "is NULL");
  echelon_destroy_workspace(nullptr);
}

// A refused setting leaves the workspace as it was.
TEST(CWorkspace, IsNotChangedByARefusedText) {
  const OwnSolver s = triangle(lower_arrays().matrix());
  const OwnWorkspace w = workspace(s);
  EXPECT_NE(ECHELON_OK, echelon_set(w.get(), "op=t,nrhs=-1"));
  Values x = {2, 5, 10};
  EXPECT_EQ(ECHELON_OK, echelon_solve_in(w.get(), x.data(), x.data()));
  EXPECT_EQ((Values{1, 2, 2}), x);
}

TEST(CWorkspace, GivesEachThreadItsSolves) {
  const auto a = chain_arrays(400);
  const OwnSolver s = triangle(a.matrix("outside=ignore"), "cpu.threads=2");
  Values b(400, 1), expected(400);
  ASSERT_EQ(ECHELON_OK, echelon_solve(s.get(), b.data(), expected.data()));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      const OwnWorkspace w = workspace(s, "threads=1");
      for (int k = 0; k < 100; ++k) {
        Values x(400);
        const bool ok = echelon_solve_in(w.get(), b.data(), x.data()) == ECHELON_OK;
        wrong[t] += ok && x == expected ? 0 : 1;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ((std::vector<int>(4, 0)), wrong);
}

}  // namespace
