// tests/solver/test_solver.cpp -- the three phases: reuse, updates, and errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;
using test::Refusal;

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Solver, SolvesAThreeByThreeByHand) {
  const auto l = test::picture<double>(R"( 2 . .
                                           1 4 .
                                           . 2 5 )");
  const Solver solver(lower(l));
  EXPECT_EQ(solver.solve(std::vector<double>{2, 9, 14}), (std::vector<double>{1, 2, 2}));
}

TEST(Solver, OneAnalysisServesManyMatricesAndScalars) {
  const auto a = test::random_matrix<double>({.n = 300});
  const auto z = test::random_matrix<std::complex<float>>({.n = 300});  // the same pattern
  ASSERT_EQ(a.index, z.index);
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto u = lower(z, {.outside = OutsideEntries::ignore});
  const Analysis analysis(t);
  const auto b = test::random_vector<double>(300);
  const auto c = test::random_vector<std::complex<float>>(300);
  EXPECT_LE(test::backward_error(t, b, Solver<double>(analysis, t).solve(b)), 4);
  EXPECT_LE(test::backward_error(u, c, Solver<std::complex<float>>(analysis, u).solve(c)), 4);
}

TEST(Solver, AnUpdateChangesTheValuesAndNothingElse) {
  auto a = test::random_matrix<double>({.n = 300});
  Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}));
  for (double& v : a.value) v *= v < 0 ? 0.5 : 2;
  solver.update(a.value);
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(300);
  EXPECT_LE(test::backward_error(t, b, solver.solve(b)), 4);
}

TEST(Solver, AFailedUpdateIsNotSolvedWith) {
  auto a = test::random_matrix<double>({.n = 10});
  Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}));
  const auto good = a.value;
  const std::vector<double> b(10, 1.0);
  std::fill(a.value.begin(), a.value.end(), nan);
  EXPECT_EQ(refusal([&] { solver.update(a.value); }).code, ErrorCode::not_finite);
  EXPECT_EQ(refusal([&] { solver.solve(b); }),
            Refusal(ErrorCode::bad_argument, "the last update failed; this solver has no values"));
  solver.update(good);
  EXPECT_NO_THROW(solver.solve(b));
}

TEST(Solver, CanBeMoved) {
  const auto a = test::random_matrix<double>({.n = 50});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  Solver<double> first(t);
  Solver<double> second(std::move(first));
  const auto b = test::random_vector<double>(50);
  EXPECT_LE(test::backward_error(t, b, second.solve(b)), 4);
}

TEST(Solver, RefusesAllButAssignmentOnceItWasMovedFrom) {
  const auto a = test::random_matrix<double>({.n = 50});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  Solver<double> first(t);
  auto workspace = first.make_workspace();
  Solver<double> second(std::move(first));
  auto b = test::random_vector<double>(50);
  const Vectors<double> v(b.data(), 50);
  EXPECT_NO_THROW(second.solve(workspace, v, v)) << "which is of the same solver still";
  const auto refused = [](const auto& call) {
    return refusal(call) ==
           Refusal(ErrorCode::bad_argument, "this solver was moved from and has no matrix");
  };
  // NOLINTBEGIN: specified after a move
  EXPECT_TRUE(refused([&] { first.solve(v, v); }));
  EXPECT_TRUE(refused([&] { first.solve(std::span<const double>(b), b); }));
  EXPECT_TRUE(refused([&] { first.solve(b); }));
  EXPECT_TRUE(refused([&] { first.solve(workspace, v, v); }));
  EXPECT_TRUE(refused([&] { first.make_workspace(); }));
  EXPECT_TRUE(refused([&] { first.update(a.value); }));
  EXPECT_TRUE(refused([&] { first.profile(v, v); }));
  EXPECT_TRUE(refused([&] { first.check(); }));
  EXPECT_TRUE(refused([&] { first.check(workspace); }));
  EXPECT_TRUE(refused([&] { first.analysis(); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  EXPECT_TRUE(refused([&] { std::ostringstream() << first; }));
  // NOLINTEND
  first = std::move(second);
  EXPECT_NO_THROW(first.solve(b));
  auto moved = std::move(workspace);
  EXPECT_EQ(refusal([&] { first.solve(workspace, v, v); }).text, "this workspace was moved from");
  EXPECT_EQ(workspace.bytes(), 0);
  EXPECT_NO_THROW(first.solve(moved, v, v));
}

TEST(Solver, AnAnalysisThatWasMovedIsWhatItWas) {
  const auto a = test::picture<double>("1 .\n 1 1");
  Analysis one(lower(a));
  const Analysis other(std::move(one));
  EXPECT_EQ(one.report().n, 2);  // NOLINT: specified after a move
  EXPECT_EQ(&one.plan(), &other.plan());
}

TEST(Solver, DuplicatesAddUp) {
  Csr<double> a;
  a.rows = a.cols = 2;
  a.start = {0, 2, 6};
  a.index = {0, 0, 0, 1, 0, 1};
  a.value = {1, 1, 3, 2, 1, 2};  // [2 .; 4 4]
  for (const Method m : {Method::serial, Method::level_column, Method::element_column}) {
    Options o;
    o.method = m;
    EXPECT_EQ(Solver(lower(a), o).solve(std::vector<double>{2, 8}), (std::vector<double>{1, 1}));
  }
}

TEST(Solver, RefusesVectorsOfTheWrongSize) {
  const auto a = test::picture<double>("1 .\n 1 1");
  const Solver solver(lower(a));
  EXPECT_EQ(refusal([&] { solver.solve(std::vector<double>(3)); }),
            Refusal(ErrorCode::bad_argument, "b has 3 entries and x 3 for 2 unknowns"));
  std::vector<double> v(8);
  const auto solve = [&](Vectors<const double> b, Vectors<double> x) {
    return refusal([&] { solver.solve(b, x); });
  };
  EXPECT_EQ(solve({v.data(), 2, 2, 1}, {v.data() + 4, 2, 2}),
            Refusal(ErrorCode::bad_argument, "the leading dimension of b is 1, below 2"));
  EXPECT_EQ(solve({v.data(), 2, 1}, {v.data() + 4, 2, 2}),
            Refusal(ErrorCode::bad_argument,
                    "b and x differ in their number of vectors or their layout"));
  EXPECT_EQ(solve({v.data(), 2}, {v.data() + 1, 2}),
            Refusal(ErrorCode::bad_argument,
                    "b and x overlap; they must be the same memory or not overlap at all"));
  EXPECT_EQ(solve({nullptr, 2}, {v.data(), 2}),
            Refusal(ErrorCode::bad_argument, "b is a null pointer"));
}

TEST(Solver, RefusesAMatrixOfAnotherPattern) {
  const auto a = test::picture<double>("1 .\n 1 1");
  const auto d = test::picture<double>("1 .\n . 1");
  EXPECT_EQ(refusal([&] { Solver<double>(Analysis(lower(a)), lower(d)); }),
            Refusal(ErrorCode::bad_argument,
                    "the matrix has 2 rows and 2 entries, the analysis was of 2 and 3"));
  EXPECT_EQ(
      refusal([&] { Solver<double>(Analysis(lower(a)), lower(a, {.op = Op::transpose})); }).code,
      ErrorCode::bad_argument);
}

TEST(Solver, SaysWhenTheAnswerIsNotFinite) {
  const auto a = test::picture<double>(R"( 1e-200 .      .
                                           1      1e-200 .
                                           .      1      1 )");
  Options o;
  for (const Method m : {Method::serial, Method::level_row, Method::level_column,
                         Method::element_row, Method::element_column, Method::superstep}) {
    o.method = m;
    EXPECT_EQ(refusal([&] {
                Solver(lower(a), o).solve(std::vector<double>{1, 1, 1});
              }),
              Refusal(ErrorCode::not_finite,
                      "x(1) of right-hand side 0 is not finite: b is not, or the solve overflowed"))
        << name(m);
  }
  o.check_finite = false;
  EXPECT_NO_THROW(Solver(lower(a), o).solve(std::vector<double>{1, 1, 1}));
}

TEST(Solver, SaysWhenTheRightHandSideIsNotFinite) {
  const auto a = test::picture<double>("1 .\n . 1");
  EXPECT_EQ(refusal([&] {
              Solver(lower(a)).solve(std::vector<double>{1, nan});
            }).code,
            ErrorCode::not_finite);
}

TEST(Solver, RefusesOptionsThatContradictEachOther) {
  const auto a = test::picture<double>("1 .\n 1 1");
  Options o;
  o.deterministic = true;
  o.method = Method::level_column;
  EXPECT_EQ(refusal([&] { Solver(lower(a), o); }).code, ErrorCode::bad_argument);
  o = {};
  o.cpu.threads = -1;
  EXPECT_EQ(refusal([&] { Solver(lower(a), o); }),
            Refusal(ErrorCode::bad_argument, "cpu.threads is -1; it cannot be negative"));
}

TEST(Solver, RefusesAWorkspaceOfAnotherSolver) {
  const auto a = test::picture<double>("1 .\n 1 1");
  const Solver<double> one(lower(a)), other(lower(a));
  auto workspace = one.make_workspace();
  std::vector<double> x{1, 2};
  const Vectors<double> v(x.data(), 2);
  EXPECT_NO_THROW(one.solve(workspace, v, v));
  EXPECT_EQ(refusal([&] { other.solve(workspace, v, v); }),
            Refusal(ErrorCode::bad_argument, "this workspace was made by another solver"));
}

// The next solver may get the freed memory of the one before.
TEST(Solver, RefusesAWorkspaceOfOneThatIsGone) {
  const auto a = test::random_matrix<double>({.n = 20});
  const auto larger = test::random_matrix<double>({.n = 30});
  const auto t = lower(a, {.outside = OutsideEntries::ignore}),
             u = lower(larger, {.outside = OutsideEntries::ignore});
  std::vector<double> x(30, 1.0);
  const Vectors<double> v(x.data(), 30);
  for (int time = 0; time < 20; ++time) {
    auto solver = std::make_unique<Solver<double>>(t);
    auto workspace = solver->make_workspace();
    solver.reset();
    solver = std::make_unique<Solver<double>>(u);
    EXPECT_EQ(refusal([&] { solver->solve(workspace, v, v); }).text,
              "this workspace was made by another solver");
  }
}

TEST(Solver, TakesVectorsThatLieBetweenEachOther) {
  const auto a = test::picture<double>("2 .\n 2 4");
  const Solver<double> solver(lower(a));
  std::vector<double> v{2, 0, 10, 0};  // b(0) x(0) b(1) x(1)
  solver.solve(Vectors<const double>(v.data(), 2, 1, 2, Layout::row_major),
               Vectors<double>(v.data() + 1, 2, 1, 2, Layout::row_major));
  EXPECT_EQ(v, (std::vector<double>{2, 1, 10, 2}));
}

TEST(Solver, LargeComplexAnswersAreFinite) {
  using T = std::complex<double>;
  const auto a = test::picture<T>("1 .\n . 1");
  const T large(1.7e308, 1.7e308);
  EXPECT_EQ(Solver(lower(a)).solve(std::vector<T>{large, large}), (std::vector<T>{large, large}));
}

TEST(Solver, ManyDiagonalsGivenTwiceAreNoTrouble) {
  const Index n = 200000;
  Csr<double> a;
  a.rows = a.cols = n;
  for (Index i = 0; i < n; ++i) {
    a.index.insert(a.index.end(), {i, i});
    a.value.insert(a.value.end(), {1.0, 3.0});
    a.start.push_back(2 * (i + 1));
  }
  const auto x = Solver(lower(a)).solve(std::vector<double>(n, 2.0));
  EXPECT_EQ(x, std::vector<double>(n, 0.5));
}

TEST(Solver, RefusesOptionsThatAreNoNumbers) {
  const auto a = test::picture<double>("1 .\n 1 1");
  Options o;
  o.expected_solves = nan;
  EXPECT_EQ(refusal([&] { Solver(lower(a), o); }).text,
            "expected_solves must be a number from 0 on");
  o = {};
  o.schedule.hop = -1;
  EXPECT_EQ(refusal([&] { Solver(lower(a), o); }).text, "schedule.hop must be a number from 0 on");
  o = {};
  o.cpu.threads = 2000;
  EXPECT_EQ(refusal([&] { Solver(lower(a), o); }).text,
            "cpu.threads is 2000; at most 1024 can be used");
}

TEST(Solver, NamesTheStoredPlaceOfABadValueAlsoTransposed) {
  auto a = test::picture<double>("1 .\n 1 1");
  a.value[1] = nan;
  for (const Op op : {Op::none, Op::transpose})
    EXPECT_EQ(refusal([&] { Solver(lower(a, {.op = op})); }).text,
              "the entry in row 1, column 0 is not finite");
}

TEST(Automatic, IsSerialOnAChainAndParallelOnAGrid) {
  Options o;
  o.cpu.threads = 2;
  const auto chain = generate<double>("bidiagonal:100000");
  const auto grid = generate<double>("laplace2d:400x400:5");
  EXPECT_EQ(Analysis(lower(chain), o).report().method, Method::serial);
  const Analysis analysis(lower(grid, {.outside = OutsideEntries::ignore}), o);
  EXPECT_EQ(analysis.report().method, Method::superstep);
  EXPECT_EQ(analysis.report().levels, 799);
  EXPECT_DOUBLE_EQ(analysis.report().average_parallelism, 160000.0 / 799);
  EXPECT_FALSE(analysis.report().reason.empty());
}

}  // namespace
}  // namespace echelon
