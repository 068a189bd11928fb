// tests/mpi/test_mpi_solver.cpp -- the distributed solver on however many ranks mpirun has started:
// against the solver of one process, by all engines, trees and mappings.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/mpi.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

int rank() {
  int r = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &r);
  return r;
}
int size() {
  int s = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &s);
  return s;
}

template <class T>
Csr<T> converted(const Csr<double>& a) {
  Csr<T> out;
  out.rows = a.rows;
  out.cols = a.cols;
  out.start = a.start;
  out.index = a.index;
  for (const double v : a.value) out.value.push_back(static_cast<T>(v));
  return out;
}

// A matrix, its factors on rank 0, and what comes out of A x = b.
template <class T>
struct Problem {
  Csr<T> a;
  Factors<T> factors;

  Problem(const char* spec, const char* package) : a(converted<T>(generate<double>(spec))) {
    if (std::string(package) == "superlu") make_unsymmetric();
    const bool complete = std::string(package) != "ilu0";
    if (rank() == 0)
      factors =
          factor_by_name<T>(package, a, {.order = complete ? Ordering::metis : Ordering::natural});
  }
  const Factors<T>* mine() const { return rank() == 0 ? &factors : nullptr; }

  void make_unsymmetric() {
    for (std::size_t p = 0; p < a.value.size(); ++p)
      a.value[p] *= test::number<T>(1 + 0.1 * static_cast<double>(p % 7), 0.05);
  }
  double error(const std::vector<T>& b, const std::vector<T>& x, Index count) const {
    return componentwise_error<T>(a, Vectors<const T>(x.data(), a.rows, count),
                                  Vectors<const T>(b.data(), a.rows, count)) /
           std::numeric_limits<Real<T>>::epsilon();
  }
};

// The rows a rank has of whole vectors, and back.
template <class T>
std::vector<T> rows_of(const std::vector<T>& whole, Index n, Index count, const RowRange& r) {
  std::vector<T> part;
  for (Index v = 0; v < count; ++v)
    part.insert(part.end(), whole.begin() + v * n + r.begin, whole.begin() + v * n + r.end);
  return part;
}
template <class T>
std::vector<T> collect(const std::vector<T>& part, Index n, Index count, Placement placement) {
  std::vector<T> whole(static_cast<std::size_t>(n) * count);
  const RowRange mine = row_range(n, rank(), size(), placement);
  const Index rows = mine.end - mine.begin;
  for (Index v = 0; v < count; ++v)
    std::copy_n(part.begin() + v * rows, rows, whole.begin() + v * n + mine.begin);
  std::vector<T> sum(whole.size());
  const auto numbers = static_cast<int>(whole.size() * (sizeof(T) / sizeof(Real<T>)));
  MPI_Allreduce(whole.data(), sum.data(), numbers, sizeof(Real<T>) == 8 ? MPI_DOUBLE : MPI_FLOAT,
                MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

constexpr double accepted = 200;  // of machine epsilon: a componentwise error without refinement

template <class T>
std::vector<T> solve(const MpiSolver<T>& solver, const std::vector<T>& b, Index n, Index count,
                     Placement placement) {
  const RowRange mine = solver.rows();
  const std::vector<T> part = rows_of(b, n, count, mine);
  std::vector<T> x(part.size());
  solver.solve(Vectors<const T>(part.data(), mine.end - mine.begin, count),
               Vectors<T>(x.data(), mine.end - mine.begin, count));
  return collect(x, n, count, placement);
}

template <class T>
void solve_every_way(const Problem<T>& p) {
  const Index n = p.a.rows;
  for (const Engine engine : {Engine::payload, Engine::counter, Engine::two_sided})
    for (const TreeShape tree : {TreeShape::binary, TreeShape::flat})
      for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree})
        for (const Placement placement : {Placement::root, Placement::ranges}) {
          SCOPED_TRACE(std::string(name(engine)) + " " + name(tree) + " " + name(mapping) + " " +
                       name(placement));
          const MpiSolver<T> solver(MPI_COMM_WORLD, p.mine(),
                                    {.engine = engine,
                                     .tree = tree,
                                     .mapping = mapping,
                                     .vectors = placement,
                                     .widest = 32,
                                     .together = 3,
                                     .timeout_s = 120});
          for (const Index count : {1, 8}) {
            const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * count);
            EXPECT_LE(p.error(b, solve(solver, b, n, count, placement), count), accepted);
          }
        }
}

template <class T>
class MpiSolvers : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<double>>;
TYPED_TEST_SUITE(MpiSolvers, Scalars);

TYPED_TEST(MpiSolvers, SolveWithSymmetricFactors) {
  solve_every_way(Problem<TypeParam>("laplace2d:13x17:5", "cholmod"));
}
TYPED_TEST(MpiSolvers, SolveWithUnsymmetricFactors) {
  solve_every_way(Problem<TypeParam>("laplace2d:11x14:9", "superlu"));
}

// Each triangle and its transposes, against what one process has.
TYPED_TEST(MpiSolvers, SolveWithOneTriangleAndItsTransposes) {
  using T = TypeParam;
  for (const char* package : {"cholmod", "superlu"}) {
    const Problem<T> p("laplace2d:12x11:5", package);
    const Index n = p.a.rows;
    const MpiSolver<T> solver(MPI_COMM_WORLD, p.mine(), {.widest = 16, .timeout_s = 120});
    std::unique_ptr<DirectSolver<T>> alone;
    if (rank() == 0) alone = std::make_unique<DirectSolver<T>>(p.factors);
    const auto b = test::random_vector<T>(static_cast<std::size_t>(n));
    for (const Uplo side : {Uplo::lower, Uplo::upper})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
        std::vector<T> x(b.size());
        const Index mine = rank() == 0 ? n : 0;
        solver.solve(side, op, Vectors<const T>(b.data(), mine), Vectors<T>(x.data(), mine));
        if (rank() != 0 || op == Op::conjugate) continue;
        std::vector<T> expected(b.size());
        const Vectors<const T> in(b.data(), n);
        const Vectors<T> out(expected.data(), n);
        if (side == Uplo::lower)
          op == Op::none ? alone->solve_lower(in, out) : alone->solve_lower_transposed(in, out);
        else
          op == Op::none ? alone->solve_upper(in, out) : alone->solve_upper_transposed(in, out);
        double difference = 0, largest = 0;
        for (Index i = 0; i < n; ++i) {
          difference = std::max<double>(difference, std::abs(x[i] - expected[i]));
          largest = std::max<double>(largest, std::abs(expected[i]));
        }
        EXPECT_LE(difference, 1000 * largest * std::numeric_limits<Real<T>>::epsilon())
            << package << static_cast<int>(side) << static_cast<int>(op);
      }
  }
}

TEST(MpiSolversOfDoubles, SolveOnEveryGrid) {
  const Problem<double> p("elasticity3d:3", "cholmod");
  const auto b = test::random_vector<double>(static_cast<std::size_t>(p.a.rows));
  for (int rows = 1; rows <= size(); ++rows) {
    if (size() % rows != 0) continue;
    for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree}) {
      const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(),
                                     {.rows = rows,
                                      .cols = size() / rows,
                                      .mapping = mapping,
                                      .widest = 24,
                                      .timeout_s = 120});
      EXPECT_LE(p.error(b, solve(solver, b, p.a.rows, 1, Placement::root), 1), accepted);
      const MpiReport r = solver.report();
      EXPECT_EQ(r.grid.rows, rows);
      EXPECT_EQ(r.ranks, size());
      EXPECT_EQ(r.solves, 1);
      if (size() > 1) {
        EXPECT_GT(r.messages.most, 0);
      }
    }
  }
}

// A message of the solve before must not be taken for one of this: right-hand sides change, some
// are NaN or zero, and ranks are slow at random.
TEST(MpiSolversOfDoubles, SolveManyTimesWithRanksThatAreSlow) {
  const Problem<double> p("laplace2d:9x8:5", "superlu");
  const Index n = p.a.rows;
  for (const Engine engine : {Engine::payload, Engine::counter, Engine::two_sided})
    for (const double shake_us : {0.0, 60.0}) {
      const MpiSolver<double> solver(
          MPI_COMM_WORLD, p.mine(),
          {.engine = engine, .mapping = Mapping::cyclic, .widest = 8, .shake_us = shake_us});
      std::vector<double> first;
      for (unsigned k = 0; k < (shake_us > 0 ? 30 : 200); ++k) {
        auto b = test::random_vector<double>(static_cast<std::size_t>(n), k % 5);
        if (k % 7 == 3) std::fill(b.begin(), b.end(), 0.0);
        if (k % 11 == 6) {
          b[k % n] = std::numeric_limits<double>::quiet_NaN();
          const auto r = test::refusal([&] { solve(solver, b, n, 1, Placement::root); });
          ASSERT_EQ(r.code, ErrorCode::not_finite) << r.text;
          continue;
        }
        const std::vector<double> x = solve(solver, b, n, 1, Placement::root);
        ASSERT_LE(p.error(b, x, 1), accepted) << name(engine) << " solve " << k;
        if (k % 5 != 0 || k % 7 == 3) continue;
        if (first.empty()) first = x;
        ASSERT_EQ(x, first) << "other bits";
      }
    }
}

TEST(MpiSolversOfDoubles, TakeNewValues) {
  Problem<double> p("laplace2d:10x9:5", "cholmod");
  const Index n = p.a.rows;
  MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), {.widest = 16});
  const auto b = test::random_vector<double>(static_cast<std::size_t>(n));
  for (double& v : p.a.value) v *= 3;
  if (rank() == 0) p.factors = factor_cholmod<double>(p.a);
  solver.update(p.mine());
  EXPECT_LE(p.error(b, solve(solver, b, n, 1, Placement::root), 1), accepted);
  // Factors in another order are refused at once, and the old values stay.
  const Problem<double> other("laplace2d:10x9:9", "cholmod");
  EXPECT_EQ(test::refusal([&] { solver.update(other.mine()); }).code, ErrorCode::bad_argument);
  EXPECT_LE(p.error(b, solve(solver, b, n, 1, Placement::root), 1), accepted);
}

// What is wrong shows only while rows are on their way: all ranks say so, solves are refused, and
// the right factors are taken again.
TEST(MpiSolversOfDoubles, RefuseAnotherPatternAndGoOn) {
  const Problem<double> p("laplace2d:30x30:5", "ilu0"), other("laplace3d:10x10x9:7", "ilu0");
  const Index n = p.a.rows;
  const auto b = test::random_vector<double>(static_cast<std::size_t>(n));
  MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), {.mapping = Mapping::cyclic, .widest = 8});
  const std::vector<double> x = solve(solver, b, n, 1, Placement::root);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(test::refusal([&] { solver.update(other.mine()); }).code, ErrorCode::bad_argument);
    EXPECT_EQ(test::refusal([&] { solve(solver, b, n, 1, Placement::root); }).code,
              ErrorCode::bad_argument);
    solver.update(p.mine());
    EXPECT_EQ(solve(solver, b, n, 1, Placement::root), x);
  }
}

TEST(MpiSolversOfDoubles, TakeFactorsEachRankReads) {
  const Problem<double> p("laplace2d:10x12:5", "superlu");
  // Every rank factors for itself, and reads its rows.
  const Factors<double> all = factor_superlu<double>(p.a);
  const RankFactors<double> read = share_out(all, 16);
  const MpiSolver<double> solver(MPI_COMM_WORLD, read, nullptr, {.timeout_s = 120});
  const auto b = test::random_vector<double>(static_cast<std::size_t>(p.a.rows));
  EXPECT_LE(p.error(b, solve(solver, b, p.a.rows, 1, Placement::root), 1), accepted);
}

TEST(MpiRefusals, AreTheSameOnAllRanks) {
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const auto code = [&](const MpiOptions& o) {
    return test::refusal([&] { MpiSolver<double>(MPI_COMM_WORLD, p.mine(), o); }).code;
  };
  EXPECT_EQ(code({.rows = 3, .cols = 5}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.widest = -1}), ErrorCode::bad_argument);
  EXPECT_EQ(code({.together = 17}), ErrorCode::bad_argument);
  if (size() == 1) return;
  // One rank alone has another option, or the factors that rank 0 should have.
  EXPECT_EQ(code({.widest = rank() == 1 ? 64 : 32}), ErrorCode::bad_argument);
  const Factors<double> none;
  const auto r =
      test::refusal([&] { MpiSolver<double>(MPI_COMM_WORLD, rank() == 1 ? &none : p.mine()); });
  EXPECT_EQ(r.code, ErrorCode::bad_argument);
  EXPECT_EQ(r.text, "only rank 0 has factors; others give null");
}

TEST(MpiRefusals, NameRanksThatAskForSomethingElse) {
  if (size() == 1) return;
  const Problem<double> p("laplace2d:6x7:5", "cholmod");
  const Index n = p.a.rows;
  const MpiSolver<double> solver(MPI_COMM_WORLD, p.mine(), {.vectors = Placement::ranges});
  const RowRange mine = solver.rows();
  const Index count = rank() == 1 ? 2 : 1, rows = mine.end - mine.begin;
  std::vector<double> b(static_cast<std::size_t>(rows) * 2, 1.0), x(b.size());
  EXPECT_EQ(test::refusal([&] {
              solver.solve(Vectors<const double>(b.data(), rows, count),
                           Vectors<double>(x.data(), rows, count));
            }).code,
            ErrorCode::bad_argument);
  // One rank has a vector too short; then all is well again.
  const Index wrong = rank() == 0 ? rows + 1 : rows;
  std::vector<double> longer(static_cast<std::size_t>(rows) + 1, 1.0);
  EXPECT_EQ(test::refusal([&] {
              solver.solve(Vectors<const double>(longer.data(), wrong),
                           Vectors<double>(longer.data(), wrong));
            }).code,
            ErrorCode::bad_argument);
  const auto whole = test::random_vector<double>(static_cast<std::size_t>(n));
  EXPECT_LE(p.error(whole, solve(solver, whole, n, 1, Placement::ranges), 1), accepted);
}

TEST(MpiRefusals, TellAllRanksOfABadValue) {
  Problem<double> p("laplace2d:6x7:5", "superlu");
  Csr<double> l = p.a;
  for (Index i = 0; i < l.rows; ++i)
    for (Offset q = l.start[i]; q < l.start[i + 1]; ++q)
      if (l.index[q] == i && i == l.rows - 3) l.value[q] = std::numeric_limits<double>::infinity();
  Factors<double> f;
  if (rank() == 0)
    f = factors_of(lower(l, {.other = Other::ignore}), upper(l, {.other = Other::ignore}));
  EXPECT_EQ(
      test::refusal([&] { MpiSolver<double>(MPI_COMM_WORLD, rank() == 0 ? &f : nullptr); }).code,
      ErrorCode::not_finite);
}

}  // namespace
}  // namespace echelon

// All ranks run the same tests; only the first prints what goes well.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  testing::InitGoogleTest(&argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) delete listeners.Release(listeners.default_result_printer());
  int result = RUN_ALL_TESTS(), worst = 0;
  MPI_Allreduce(&result, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && result == 0 && worst != 0) std::puts("[  FAILED  ] on another rank");
  MPI_Finalize();
  return worst;
}
