// tests/mpi/rank_refusal_cases.hpp -- errors of distributed solvers, equal on all ranks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Case: see rank_solver_cases.hpp.
#pragma once

#include <functional>
#include <stdexcept>

#include "mpi/rank_solver_cases.hpp"

namespace echelon::test {

template <class Case>
class RankRefusals : public RankTest<Case> {};
TYPED_TEST_SUITE_P(RankRefusals);

TYPED_TEST_P(RankRefusals, AreTheSameOnAllRanks) {
  using Solver = typename TypeParam::Solver;
  using Options = typename TypeParam::Options;
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto code = [&](const Options& o) {
    return refusal([&] { Solver(MPI_COMM_WORLD, p.mine(), o); }).code;
  };
  EXPECT_EQ(code({.ranks = {.rows = 3, .cols = 5}}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.ranks = {.max_panel_columns = -1}}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.ranks = {.rhs_per_pass = 17}}), ErrorCode::bad_argument);
  if (size() == 1) return;
  // One rank has a different option, or has the factors that only rank 0 should have.
  EXPECT_EQ(code({.ranks = {.max_panel_columns = rank() == 1 ? 64 : 32}}), ErrorCode::bad_argument);
  const Factors<double> none;
  const auto r = refusal([&] { Solver(MPI_COMM_WORLD, rank() == 1 ? &none : p.mine()); });
  EXPECT_EQ(r.code, ErrorCode::bad_argument);
  EXPECT_EQ(r.text, "only rank 0 has factors; others give null");
}

TYPED_TEST_P(RankRefusals, NameRanksThatAskForSomethingElse) {
  if (size() == 1) return;
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const Index n = p.a.rows;
  const typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(),
                                          {.ranks = {.vectors = Placement::ranges}});
  const RowRange mine = solver.rows();
  const Index count = rank() == 1 ? 2 : 1, rows = mine.end - mine.begin;
  std::vector<double> b(static_cast<std::size_t>(rows) * 2, 1.0), x(b.size());
  EXPECT_EQ(refusal([&] {
              solver.solve(Vectors<const double>(b.data(), rows, count),
                           Vectors<double>(x.data(), rows, count));
            }).code,
            ErrorCode::bad_argument);
  // One rank has a vector of the wrong length; later calls work again.
  const Index wrong = rank() == 0 ? rows + 1 : rows;
  std::vector<double> longer(static_cast<std::size_t>(rows) + 1, 1.0);
  EXPECT_EQ(refusal([&] {
              solver.solve(Vectors<const double>(longer.data(), wrong),
                           Vectors<double>(longer.data(), wrong));
            }).code,
            ErrorCode::bad_argument);
  const auto whole = random_vector<double>(static_cast<std::size_t>(n));
  EXPECT_LE(p.error(whole, this->solve(solver, whole, n, 1, Placement::ranges), 1), accepted);
}

TYPED_TEST_P(RankRefusals, TellAllRanksOfABadValue) {
  using Solver = typename TypeParam::Solver;
  Problem<double> p("laplace2d:6x7:5", "superlu");
  Csr<double> l = p.a;
  for (Index i = 0; i < l.rows; ++i)
    for (Offset q = l.start[i]; q < l.start[i + 1]; ++q)
      if (l.index[q] == i && i == l.rows - 3) l.value[q] = std::numeric_limits<double>::infinity();
  Factors<double> f;
  if (rank() == 0)
    f = factors_of(lower(l, {.outside = OutsideEntries::ignore}),
                   upper(l, {.outside = OutsideEntries::ignore}));
  for (const auto& o : TypeParam::variants())
    EXPECT_EQ(refusal([&] { Solver(MPI_COMM_WORLD, rank() == 0 ? &f : nullptr, o); }).code,
              ErrorCode::not_finite);
}

// Each rank reads factors; those of the last are wrong: all ranks name the rank and the place.
TYPED_TEST_P(RankRefusals, NameTheRankAndThePlaceOfBadFactors) {
  using Solver = typename TypeParam::Solver;
  const Problem<double> p("laplace2d:6x7:5", "superlu");
  const Factors<double> all = factor_superlu<double>(p.a);
  const RankFactors<double> good = distribute_factors(all, 8);
  const BlockMap map = map_blocks(good.lower, {1, size()}, Mapping::cyclic);
  const auto refused = [&](const std::function<void(RankFactors<double>&, BlockMap&)>& change) {
    RankFactors<double> f = good;
    BlockMap m = map;
    if (rank() == size() - 1) change(f, m);
    return refusal([&] { Solver(MPI_COMM_WORLD, f, TypeParam::variants().front(), &m); });
  };
  const std::string last = "rank " + std::to_string(size() - 1);
  const auto bad = ErrorCode::bad_argument;
  EXPECT_EQ(refused([](auto& f, auto&) { f.upper = {}; }),
            Refusal(bad, last + ": the upper triangle has 0 rows, the factors 42"));
  EXPECT_EQ(refused([](auto& f, auto&) { f.row_order.assign(42, 7); }),
            Refusal(bad, last + ": row_order[1] is 7, as is row_order[0]: it is no permutation"));
  EXPECT_EQ(refused([](auto& f, auto&) { f.row_scale.assign(41, 1.0); }),
            Refusal(bad, last + ": row_scale has 41 entries, not 42 or none"));
  EXPECT_EQ(refused([](auto& f, auto&) { f.upper_rows = {}; }).code, bad);
  EXPECT_EQ(refused([](auto&, auto& m) { m.col.back() = -1; }).code, bad);
  EXPECT_EQ(refused([](auto&, auto& m) { m.row.pop_back(); }).code, bad);
  EXPECT_EQ(refused([](auto& f, auto&) {
              f.lower_rows = [](Index, std::span<const Index>, double*, Offset) {
                throw std::runtime_error("no rows today");
              };
            }),
            Refusal(ErrorCode::backend_failed, last + ": no rows today"));
  if (size() == 1) return;
  const std::string differ = "ranks differ in their factors: " + last + " has another ";
  EXPECT_EQ(refused([](auto& f, auto&) { std::swap(f.col_order[2], f.col_order[5]); }),
            Refusal(bad, differ + "col_order than rank 0"));
  EXPECT_EQ(refused([](auto& f, auto&) {
              f = distribute_factors(factor_superlu<double>(generate<double>("laplace2d:6x7:9")),
                                     8);
            }).code,
            bad);
  EXPECT_EQ(refused([](auto&, auto& m) { m.col[0] = 1 - std::min<Index>(m.col[0], 1); }),
            Refusal(bad, differ + "map of the blocks than rank 0"));
}

// One rank refuses new values that rank 0 accepts: no rank changes its values, nor D.
TYPED_TEST_P(RankRefusals, LeaveTheOldValues) {
  Problem<double> p("laplace2d:6x7:5", "cholmod");
  const FactorOptions ldl{.simplicial = true};
  if (rank() == 0) p.factors = factor_cholmod<double>(p.a, ldl);
  typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), TypeParam::variants().front());
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  if (size() == 1) return;
  Csr<double> twice = p.a;
  for (double& v : twice.value) v *= 2;
  const Factors<double> other = factor_cholmod<double>(twice, ldl);
  const bool gives = rank() == 0 || rank() == size() - 1;
  EXPECT_EQ(refusal([&] { solver.update(gives ? &other : nullptr); }).code,
            ErrorCode::bad_argument);
  EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
  Factors<double> shorter = other;
  shorter.diagonal.pop_back();
  EXPECT_EQ(refusal([&] { solver.update(rank() == 0 ? &shorter : nullptr); }).code,
            ErrorCode::bad_argument);
  EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
}

TYPED_TEST_P(RankRefusals, TakeAnInfiniteTimeoutAsNoDeadline) {
  using Solver = typename TypeParam::Solver;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const Solver solver(MPI_COMM_WORLD, p.mine(), {.ranks = {.timeout_s = infinite}});
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  EXPECT_LE(p.error(b, this->solve(solver, b, p.a.rows, 1, Placement::root), 1), accepted);
  const auto code = [&](double timeout_s) {
    return refusal([&] { Solver(MPI_COMM_WORLD, p.mine(), {.ranks = {.timeout_s = timeout_s}}); })
        .code;
  };
  EXPECT_EQ(code(std::numeric_limits<double>::quiet_NaN()), ErrorCode::bad_argument);
  EXPECT_EQ(code(-infinite), ErrorCode::bad_argument);
  if (size() == 1) return;
  EXPECT_EQ(code(rank() == 1 ? 1e300 : infinite), ErrorCode::bad_argument);  // ranks differ
}

TYPED_TEST_P(RankRefusals, AreAllThatIsLeftOfAMovedSolver) {
  using Solver = typename TypeParam::Solver;
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto n = static_cast<std::size_t>(p.a.rows);
  Solver first(MPI_COMM_WORLD, p.mine());
  Solver second(std::move(first));
  std::vector<double> b(n, 1.0), x(n);
  const Vectors<const double> bs(b.data(), p.a.rows);
  const Vectors<double> xs(x.data(), p.a.rows);
  const auto refused = [](const auto& call) {
    return refusal(call) ==
           Refusal(ErrorCode::bad_argument, "this solver was moved from and has no factors");
  };
  // NOLINTBEGIN: specified after a move
  EXPECT_TRUE(refused([&] { first.solve(bs, xs); }));
  EXPECT_TRUE(refused([&] { first.solve(bs, xs, {.part = Part::lower}); }));
  EXPECT_TRUE(refused([&] { first.update(p.mine()); }));
  EXPECT_TRUE(refused([&] { first.rows(); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  // NOLINTEND
  const auto right = random_vector<double>(n);
  EXPECT_LE(p.error(right, this->solve(second, right, p.a.rows, 1, Placement::root), 1), accepted);
  first = std::move(second);
  EXPECT_LE(p.error(right, this->solve(first, right, p.a.rows, 1, Placement::root), 1), accepted);
}

REGISTER_TYPED_TEST_SUITE_P(RankRefusals, AreTheSameOnAllRanks, NameRanksThatAskForSomethingElse,
                            TellAllRanksOfABadValue, NameTheRankAndThePlaceOfBadFactors,
                            LeaveTheOldValues, TakeAnInfiniteTimeoutAsNoDeadline,
                            AreAllThatIsLeftOfAMovedSolver);

}  // namespace echelon::test
