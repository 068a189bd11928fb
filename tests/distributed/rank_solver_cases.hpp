// tests/distributed/rank_solver_cases.hpp -- tests of all distributed solvers, for any number of
// ranks: against the solver of one process, with all trees, mappings and variants.
// SPDX-License-Identifier: BSD-3-Clause
//
// A Case is a solver of one scalar:
//   Number, Solver, Options;
//   missing()        why nothing can be tested here; empty if it can
//   variants()       options that all tests run with
//   restless()       more such options, and the number of consecutive solves
//   text(options)    the special property of a variant
//   ranks_of(solver) the report
//   same_bits        whether solves of one right-hand side are bitwise reproducible
#pragma once

#include <gtest/gtest.h>

#include "distributed/rank_problem.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

template <class Case>
class RankTest : public testing::Test {
 protected:
  using N = typename Case::Number;
  using S = typename Case::Solver;
  using O = typename Case::Options;

  void SetUp() override {
    const std::string why = Case::missing();
    const int mine = why.empty() ? 0 : 1;
    int any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any != 0) GTEST_SKIP() << (why.empty() ? "another rank cannot take part" : why);
  }

  static std::vector<N> solve(const S& solver, const std::vector<N>& b, Index n, Index count,
                              Placement placement) {
    const RowRange mine = solver.rows();
    const std::vector<N> part = rows_of(b, n, count, mine);
    std::vector<N> x(part.size());
    solver.solve(Vectors<const N>(part.data(), mine.end - mine.begin, count),
                 Vectors<N>(x.data(), mine.end - mine.begin, count));
    return collect(x, n, count, placement);
  }
  static std::vector<N> solve(const S& solver, const std::vector<N>& b) {
    return solve(solver, b, static_cast<Index>(b.size()), 1, Placement::root);
  }
  static O with(Index max_panel_columns, Mapping mapping = Mapping::subtree) {
    O o = Case::variants().front();
    o.ranks.max_panel_columns = max_panel_columns;
    o.ranks.mapping = mapping;
    return o;
  }

  static void solve_every_way(const Problem<N>& p) {
    for (O o : Case::variants())
      for (const TreeShape tree : {TreeShape::binary, TreeShape::flat})
        for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree})
          for (const Placement placement : {Placement::root, Placement::ranges}) {
            SCOPED_TRACE(Case::text(o) + " " + name(tree) + " " + name(mapping) + " " +
                         name(placement));
            o.ranks.tree = tree;
            o.ranks.mapping = mapping;
            o.ranks.vectors = placement;
            o.ranks.max_panel_columns = 32;
            o.ranks.rhs_per_pass = 3;
            solve_for_one_and_eight(p, o);
          }
  }

 private:
  static void solve_for_one_and_eight(const Problem<N>& p, const O& o) {
    const Index n = p.a.rows;
    const S solver(MPI_COMM_WORLD, p.mine(), o);
    for (const Index count : {1, 8}) {
      const auto b = random_vector<N>(static_cast<std::size_t>(n) * count);
      EXPECT_LE(p.error(b, solve(solver, b, n, count, o.ranks.vectors), count), accepted);
    }
  }
};

// Tests for all scalars.
template <class Case>
class RankSolvers : public RankTest<Case> {};
TYPED_TEST_SUITE_P(RankSolvers);

TYPED_TEST_P(RankSolvers, SolveWithSymmetricFactors) {
  this->solve_every_way(Problem<typename TypeParam::Number>("laplace2d:13x17:5", "cholmod"));
}
TYPED_TEST_P(RankSolvers, SolveWithUnsymmetricFactors) {
  this->solve_every_way(Problem<typename TypeParam::Number>("laplace2d:11x14:9", "superlu"));
}

// A, its factors and their transposes, against the solver of one process.
TYPED_TEST_P(RankSolvers, SolveWithEachPartAndItsTransposes) {
  using T = typename TypeParam::Number;
  for (auto o : TypeParam::variants())
    for (const char* package : {"cholmod", "superlu"}) {
      const Problem<T> p("laplace2d:12x11:5", package);
      const Index n = p.a.rows;
      o.ranks.max_panel_columns = 16;
      const typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), o);
      std::unique_ptr<DirectSolver<T>> alone;
      if (rank() == 0) alone = std::make_unique<DirectSolver<T>>(p.factors);
      const auto b = random_vector<T>(static_cast<std::size_t>(n));
      const T alpha = T(-0.5);
      for (const Part part : {Part::full, Part::lower, Part::upper, Part::triangles})
        for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
          std::vector<T> x(b.size());
          const Index mine = rank() == 0 ? n : 0;
          const SolveOptions<T> how{.alpha = alpha, .part = part, .op = op};
          solver.solve(Vectors<const T>(b.data(), mine), Vectors<T>(x.data(), mine), how);
          if (rank() != 0) continue;
          const std::vector<T> expected = alone->solve(b, how);
          double difference = 0, largest = 0;
          for (Index i = 0; i < n; ++i) {
            difference = std::max<double>(difference, std::abs(x[i] - expected[i]));
            largest = std::max<double>(largest, std::abs(expected[i]));
          }
          EXPECT_LE(difference, 1000 * largest * std::numeric_limits<Real<T>>::epsilon())
              << TypeParam::text(o) << package << static_cast<int>(part) << static_cast<int>(op);
        }
    }
}

REGISTER_TYPED_TEST_SUITE_P(RankSolvers, SolveWithSymmetricFactors, SolveWithUnsymmetricFactors,
                            SolveWithEachPartAndItsTransposes);

// Tests for double only.
template <class Case>
class RankSolversOfDoubles : public RankTest<Case> {};
TYPED_TEST_SUITE_P(RankSolversOfDoubles);

TYPED_TEST_P(RankSolversOfDoubles, SolveOnEveryGrid) {
  const Problem<double> p("elasticity3d:3", "cholmod");
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  Offset nnz = rank() == 0 ? DirectSolver<double>(p.factors).report().nnz : 0;
  MPI_Bcast(&nnz, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
  for (auto o : TypeParam::variants())
    for (int rows = 1; rows <= size(); ++rows) {
      if (size() % rows != 0) continue;
      for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree}) {
        o.ranks.rows = rows;
        o.ranks.cols = size() / rows;
        o.ranks.mapping = mapping;
        o.ranks.max_panel_columns = 24;
        const typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), o);
        EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
        const RankReport r = TypeParam::ranks_of(solver);
        EXPECT_EQ(r.grid.rows, rows);
        EXPECT_EQ(r.ranks, size());
        EXPECT_EQ(r.nnz, nnz);
        EXPECT_EQ(r.solves, 1);
        EXPECT_GT(r.solve_s.least, 0);
        if (size() > 1) {
          EXPECT_GT(r.messages.most, 0);
        }
      }
    }
}

// A message of an earlier solve must not be taken for one of this solve: right-hand sides change,
// some are NaN or zero, and ranks may be slow at random.
TYPED_TEST_P(RankSolversOfDoubles, SolveManyTimes) {
  const Problem<double> p("laplace2d:9x8:5", "superlu");
  const Index n = p.a.rows;
  for (auto [o, solves] : TypeParam::restless()) {
    o.ranks.mapping = Mapping::cyclic;
    o.ranks.max_panel_columns = 8;
    const typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), o);
    std::vector<double> first;
    for (unsigned k = 0; k < static_cast<unsigned>(solves); ++k) {
      auto b = random_vector<double>(static_cast<std::size_t>(n), k % 5);
      if (k % 7 == 3) std::fill(b.begin(), b.end(), 0.0);
      if (k % 11 == 6) {
        b[k % n] = std::numeric_limits<double>::quiet_NaN();
        const auto r = refusal([&] { this->solve(solver, b); });
        ASSERT_EQ(r.code, ErrorCode::not_finite) << r.text;
        continue;
      }
      const std::vector<double> x = this->solve(solver, b);
      ASSERT_LE(p.error(b, x, 1), accepted) << TypeParam::text(o) << " solve " << k;
      if (k % 5 != 0 || k % 7 == 3) continue;
      if (first.empty()) first = x;
      if (TypeParam::same_bits) {
        ASSERT_EQ(x, first) << "other bits";
      }
    }
  }
}

TYPED_TEST_P(RankSolversOfDoubles, TakeNewValues) {
  for (auto o : TypeParam::variants()) {
    Problem<double> p("laplace2d:10x9:5", "cholmod");
    o.ranks.max_panel_columns = 16;
    typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), o);
    const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
    for (double& v : p.a.value) v *= 3;
    if (rank() == 0) p.factors = factor_cholmod<double>(p.a);
    solver.update(p.mine());
    EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
    // Factors in another order are refused at once, and the old values remain.
    const Problem<double> other("laplace2d:10x9:9", "cholmod");
    EXPECT_EQ(refusal([&] { solver.update(other.mine()); }).code, ErrorCode::bad_argument);
    EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
  }
}

// The error is found only while rows are being sent: all ranks report it, solves are refused, and
// correct factors are accepted again.
TYPED_TEST_P(RankSolversOfDoubles, RefuseAnotherPatternAndGoOn) {
  const Problem<double> p("laplace2d:30x30:5", "ilu0"), other("laplace3d:10x10x9:7", "ilu0");
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  typename TypeParam::Solver solver(MPI_COMM_WORLD, p.mine(), this->with(8, Mapping::cyclic));
  const std::vector<double> x = this->solve(solver, b);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(refusal([&] { solver.update(other.mine()); }).code, ErrorCode::bad_argument);
    EXPECT_EQ(refusal([&] { this->solve(solver, b); }).code, ErrorCode::bad_argument);
    solver.update(p.mine());
    const std::vector<double> again = this->solve(solver, b);
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      difference = std::max(difference, std::abs(again[i] - x[i]));
      largest = std::max(largest, std::abs(x[i]));
    }
    EXPECT_LE(difference, TypeParam::same_bits ? 0 : 1e-12 * largest);
  }
}

TYPED_TEST_P(RankSolversOfDoubles, TakeFactorsEachRankReads) {
  const Problem<double> p("laplace2d:10x12:5", "superlu");
  // Every rank factors for itself, and reads its own rows.
  const Factors<double> all = factor_superlu<double>(p.a);
  const RankFactors<double> read = distribute_factors(all, 16);
  for (const auto& o : TypeParam::variants()) {
    const typename TypeParam::Solver solver(MPI_COMM_WORLD, read, o);
    const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
    EXPECT_LE(p.error(b, this->solve(solver, b), 1), accepted);
  }
}

REGISTER_TYPED_TEST_SUITE_P(RankSolversOfDoubles, SolveOnEveryGrid, SolveManyTimes, TakeNewValues,
                            RefuseAnotherPatternAndGoOn, TakeFactorsEachRankReads);

}  // namespace echelon::test
