// tests/exec/mpi/test_mpi_solver.cpp -- the tests of distributed solvers for MpiSolver, by all
// engines.
// SPDX-License-Identifier: BSD-3-Clause
#include <atomic>
#include <sstream>
#include <thread>

#include "distributed/rank_refusal_cases.hpp"
#include "distributed/rank_sequence_cases.hpp"
#include "support/enum_names.hpp"

namespace echelon::test {
namespace {

template <class T>
struct OnCpus {
  using Number = T;
  using Solver = MpiSolver<T>;
  using Options = MpiOptions;
  static constexpr bool same_bits = true;

  static std::string missing() { return ""; }
  static std::vector<Options> variants() {
    return {{.ranks = {.timeout_s = 120}, .engine = Engine::payload},
            {.ranks = {.timeout_s = 120}, .engine = Engine::counter},
            {.ranks = {.timeout_s = 120}, .engine = Engine::two_sided}};
  }
  static std::vector<std::pair<Options, int>> restless() {
    std::vector<std::pair<Options, int>> all;
    for (Options o : variants()) {
      all.emplace_back(o, 200);
      o.shake_us = 60;
      all.emplace_back(o, 30);
    }
    return all;
  }
  static std::string text(const Options& o) { return name(o.engine); }
  static RankReport ranks_of(const Solver& solver) { return solver.report(); }
};

// 0 and infinity mean no timeout; all ranks must have the same.
TEST(MpiTimeouts, MayBeInfinite) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto code = [&](double timeout_s) {
    return refusal([&] {
             MpiSolver<double>(MPI_COMM_WORLD, p.mine(), {.ranks = {.timeout_s = timeout_s}});
           })
        .code;
  };
  EXPECT_EQ(code(std::numeric_limits<double>::quiet_NaN()), ErrorCode::bad_argument);
  EXPECT_EQ(code(-infinite), ErrorCode::bad_argument);
  if (size() > 1) {
    EXPECT_EQ(code(rank() == 1 ? 1e300 : infinite), ErrorCode::bad_argument);
  }
  const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), {.ranks = {.timeout_s = infinite}});
  const auto b = random_vector<double>(rank() == 0 ? static_cast<std::size_t>(p.a.rows) : 0);
  std::vector<double> x(b.size());
  const auto n = static_cast<Index>(b.size());
  solver.solve(Vectors<const double>(b.data(), n), Vectors<double>(x.data(), n));
  if (rank() == 0) {
    EXPECT_LE(p.error(b, x, 1), accepted);
  }
}

TEST(MpiEngines, HaveNames) { expect_names<Engine>(); }

// As the first lines of mpi.hpp have it.
TEST(MpiFirstLines, Compile) {
  const Problem<double> p("laplace2d:6x7:5", "ilu0");
  MpiSolver solver(MPI_COMM_WORLD, rank() == 0 ? &p.factors : nullptr);
  static_assert(std::same_as<decltype(solver), MpiSolver<double>>);
  const std::vector<double> b(rank() == 0 ? static_cast<std::size_t>(p.a.rows) : 0, 1.0);
  std::vector<double> x(b.size());
  solver.solve(b, x);
  EXPECT_EQ(solver.report().method, "payload");
  std::ostringstream text;
  text << solver;
  EXPECT_NE(text.str().find("engine payload"), std::string::npos) << text.str();
}

// Only on one rank: others would wait for the call that was refused.
TEST(MpiThreads, AreRefusedWhileAnotherCallRuns) {
  if (size() > 1) GTEST_SKIP() << "one rank";
  const Problem<double> p("laplace2d:30x30:5", "ilu0");
  const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine());
  const std::vector<double> b(static_cast<std::size_t>(p.a.rows), 1.0);
  const std::vector<double> right = solver.solve(b);
  std::atomic<int> refused = 0, wrong = 0;
  const auto call = [&] {
    for (int k = 0; k < 100000 && refused == 0; ++k) try {
        if (solver.solve(b) != right) ++wrong;
      } catch (const Error& e) {
        ++(e.code() == ErrorCode::bad_argument ? refused : wrong);
      }
  };
  std::thread other(call);
  call();
  other.join();
  EXPECT_GT(refused, 0);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(solver.solve(b), right);
}

TEST(MpiTraces, ShowBothPassesOfAllRanks) {
  const Problem<double> p("laplace2d:30x30:5", "superlu");
  const Index mine = rank() == 0 ? p.a.rows : 0;
  const auto b = random_vector<double>(static_cast<std::size_t>(p.a.rows));
  for (const MpiOptions& o : OnCpus<double>::variants()) {
    const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), o);
    std::vector<double> x(b.size());
    const auto solve = [&] {
      solver.solve(Vectors<const double>(b.data(), mine), Vectors<double>(x.data(), mine));
    };
    solver.trace(solve);
    solver.report();
    const Timeline t = solver.trace(solve);  // a new trace
    const MpiReport report = solver.report();
    if (rank() != 0) {
      EXPECT_TRUE(t.empty());
      continue;
    }
    EXPECT_LE(p.error(b, x, 1), accepted);
    std::vector<double> end(static_cast<std::size_t>(size()), 0), work(end);
    Offset sends = 0;
    for (const Span& s : t) {
      EXPECT_GE(s.begin_s, end[s.rank]);  // the backward pass comes after the forward one
      EXPECT_GT(s.end_s, s.begin_s);
      end[s.rank] = s.end_s;
      work[s.rank] += s.doing == Doing::product || s.doing == Doing::sum ? s.end_s - s.begin_s : 0;
      sends += s.doing == Doing::send;
    }
    for (const double seconds : work) EXPECT_GT(seconds, 0);
    EXPECT_EQ(static_cast<double>(sends), report.messages.mean * size());
  }
}

using Scalars = testing::Types<OnCpus<float>, OnCpus<double>, OnCpus<std::complex<double>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankSolvers, Scalars);
using Doubles = testing::Types<OnCpus<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankSolversOfDoubles, Doubles);
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankRefusals, Doubles);
using Sequences = testing::Types<OnCpus<double>, OnCpus<std::complex<double>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Mpi, RankSequences, Sequences);

}  // namespace
}  // namespace echelon::test
