// tests/exec/cpu/panels/test_block_executor_values.cpp -- solves with unusual panel values:
// uninverted triangles, low precision, updates, and values that are refused.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
using test::refusal;
using test::Refusal;

template <class T>
class BlockSolves : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockSolves, Scalars);

Options options_for(Method method) {
  Options o;
  o.method = method;
  o.cpu.threads = 3;
  o.supernode.chunk_entries = 64;
  return o;
}

bool inverts(Method method) { return recipe_of(method).form != BlockForm::triangle; }

template <class T>
double worst_error(const Solver<T>& solver, const Triangle<T>& t, Index count) {
  const auto b = test::random_vector<T>(static_cast<std::size_t>(t.n()) * count);
  std::vector<T> x(b.size());
  solver.solve(Vectors<const T>(b.data(), t.n(), count), Vectors<T>(x.data(), t.n(), count));
  double worst = 0;
  for (Index c = 0; c < count; ++c) {
    const auto begin = static_cast<std::ptrdiff_t>(c) * t.n();
    worst = std::max(
        worst, test::backward_error(t, std::vector<T>(b.begin() + begin, b.begin() + begin + t.n()),
                                    std::vector<T>(x.begin() + begin, x.begin() + begin + t.n())));
  }
  return worst;
}

// A full inverse has no triangle to fall back to: it must be refused.
template <class T>
bool refuses_to_invert(const Triangle<T>& t, const Options& o) {
  if (o.method != Method::invert_full) return false;
  const std::string text = test::refusal([&] { Solver<T>(t, o); }).text;
  EXPECT_NE(text.find("the inverse of the whole triangle cannot be trusted"), std::string::npos);
  return true;
}

// Parts of about six columns can be inverted; a block of 7 alone would have parts that are too
// small.
TYPED_TEST(BlockSolves, ABlockThatCannotBeTrustedIsCutOrStaysATriangle) {
  using T = TypeParam;
  for (const Index size : {7, 40}) {
    const auto a = test::with_a_bad_block<T>(size, 5);
    for (const Method method : test::block_methods)
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        for (const Op op : {Op::none, Op::transpose}) {
          const auto t =
              triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
          Options o = options_for(method);
          o.numeric.largest_growth = 100;
          o.supernode.direction = op == Op::none ? Direction::automatic : Direction::push;
          if (refuses_to_invert(t, o)) continue;
          const Solver<T> solver(t, o);
          const SolverReport& report = solver.report();
          EXPECT_EQ(report.uninverted_blocks + report.supernodes.cut, inverts(method))
              << name(method);
          if (size == 40) {
            EXPECT_EQ(report.supernodes.cut, inverts(method)) << name(method);
          }
          for (const Index count : {1, 5})
            EXPECT_LE(worst_error(solver, t, count), accepted) << name(method) << ' ' << size;
        }
  }
}

// Why blocks are cut: the solution has size one, but the inverse times b is a sum of terms of
// size 2^40 that cancel.
TEST(BlockSolvesGrowth, AnInverseThatIsTrustedAllTheSameLosesDigits) {
  const auto a = test::with_a_bad_block<double>(40, 5);
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto rows = test::rows_of(t);
  const auto wanted = test::random_vector<double>(rows.size());
  std::vector<double> b(rows.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [j, v] : rows[i]) b[i] += v * wanted[j];
  Options o = options_for(Method::invert_off);
  EXPECT_LE(test::backward_error(t, b, Solver<double>(t, o).solve(b)), 10 * accepted);
  o.numeric.largest_growth = std::numeric_limits<double>::max();
  EXPECT_GT(test::backward_error(t, b, Solver<double>(t, o).solve(b)), 1e3 * accepted);
}

TYPED_TEST(BlockSolves, AllTrianglesMayBeKept) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(9, 10));
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    Options o = options_for(method);
    o.numeric.largest_growth = 0;
    if (refuses_to_invert(t, o)) continue;
    const Solver<T> solver(t, o);
    EXPECT_EQ(solver.report().uninverted_blocks,
              inverts(method) ? solver.report().supernodes.count : 0);
    EXPECT_LE(worst_error(solver, t, 3), accepted) << name(method);
  }
}

TYPED_TEST(BlockSolves, InLowPrecisionAreGoodToFloat) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(13, 11));
  const double units = static_cast<double>(std::numeric_limits<float>::epsilon()) /
                       static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  for (const Method method : test::block_methods) {
    if (recipe_of(method).layout == PanelLayout::plain) continue;
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      const auto t = triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore});
      Options o = options_for(method);
      const Offset bytes = Solver<T>(t, o).report().bytes;
      o.numeric.low_precision = true;
      const Solver<T> solver(t, o);
      EXPECT_LE(worst_error(solver, t, 5), accepted * units) << name(method);
      if (units > 1) {
        EXPECT_LT(solver.report().bytes, bytes * 4 / 5) << name(method);
        EXPECT_GT(worst_error(solver, t, 5), accepted) << name(method);
      }
    }
  }
}

TEST(BlockSolvesLow, NeedPanelsOfOurs) {
  const auto a = test::case_matrix<double>(test::band(5, 2));
  for (const Method method : {Method::plain, Method::stream, Method::serial, Method::superstep}) {
    Options o = options_for(method);
    o.numeric.low_precision = true;
    EXPECT_EQ(refusal([&] { Solver<double>(lower(a, {.outside = OutsideEntries::ignore}), o); }),
              Refusal(ErrorCode::bad_argument, std::string("numeric.low_precision needs panels of "
                                                           "ours; method ") +
                                                   name(method) + " has none"));
  }
}

TYPED_TEST(BlockSolves, AnUpdateIsLikeANewSolver) {
  using T = TypeParam;
  const auto columns = test::dissected_grid(9, 9);
  const auto a = test::case_matrix<T>(columns, 1), a2 = test::case_matrix<T>(columns, 2);
  const auto t2 = upper(a2, {.op = Op::conjugate, .outside = OutsideEntries::ignore});
  const auto b = test::random_vector<T>(81);
  for (const Method method : test::block_methods) {
    const Options o = options_for(method);
    Solver<T> solver(upper(a, {.op = Op::conjugate, .outside = OutsideEntries::ignore}), o);
    solver.update(a2.value);
    EXPECT_EQ(solver.solve(b), Solver<T>(t2, o).solve(b)) << name(method);
  }
}

Offset place_of(const Csr<double>& a, Index i, Index j) {
  return std::find(a.index.begin() + a.start[i], a.index.begin() + a.start[i + 1], j) -
         a.index.begin();
}

TEST(BlockSolvesRefusals, NameTheRow) {
  const auto a = test::case_matrix<double>(test::band(50, 50));
  auto zero = a.value, nan = a.value;
  zero[place_of(a, 37, 37)] = 0;
  nan[place_of(a, 45, 12)] = nan[place_of(a, 12, 45)] = std::numeric_limits<double>::quiet_NaN();
  for (const Method method : test::block_methods)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      const auto t = triangle(CsrView<double>(a), uplo, {.outside = OutsideEntries::ignore});
      Solver<double> solver(t, options_for(method));
      EXPECT_EQ(refusal([&] { solver.update(zero); }),
                Refusal(ErrorCode::zero_diagonal, "the diagonal entry of row 37 is zero"))
          << name(method);
      EXPECT_EQ(refusal([&] { solver.solve(std::vector<double>(50, 1.0)); }).code,
                ErrorCode::bad_argument);
      EXPECT_EQ(refusal([&] { solver.update(nan); }),
                Refusal(ErrorCode::not_finite,
                        "row or column 12 of the triangle has an entry that is not finite"))
          << name(method);
      EXPECT_EQ(refusal([&] { solver.update(std::span<const double>(zero).first(3)); }).code,
                ErrorCode::bad_argument);
      solver.update(a.value);
      EXPECT_LE(worst_error(solver, t, 1), accepted);
    }
}

}  // namespace
}  // namespace echelon
