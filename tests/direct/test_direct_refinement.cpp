// tests/direct/test_direct_refinement.cpp -- refinement reaches full accuracy, stops when it
// should, and never makes a solution worse.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "direct/direct_cases.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::direct_options;
using test::refusal;

template <class T>
class Refinement : public testing::Test {};
TYPED_TEST_SUITE(Refinement, test::Scalars);

template <class T>
constexpr double unit = static_cast<double>(std::numeric_limits<Real<T>>::epsilon());

template <class T>
struct Solved {
  std::vector<T> b, x;
  RefineReport report;
};

template <class T>
Solved<T> refine(const DirectSolver<T>& solver, const Csr<T>& a, Index count,
                 const RefineOptions& o = {}) {
  Solved<T> s{test::random_vector<T>(static_cast<std::size_t>(a.rows) * count), {}, {}};
  s.x.resize(s.b.size());
  s.report = solver.solve(CsrView<T>(a), Vectors<const T>(s.b.data(), a.rows, count),
                          Vectors<T>(s.x.data(), a.rows, count), o);
  EXPECT_EQ(s.report.last_error,
            find_backward_errors<T>(a, Vectors<const T>(s.b.data(), a.rows, count),
                                    Vectors<const T>(s.x.data(), a.rows, count))
                .componentwise);
  return s;
}

TYPED_TEST(Refinement, ReachesTheLastDigitFromLowPrecision) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>())
    for (const Method method : test::block_methods) {
      Options o = direct_options(method);
      o.numeric.low_precision = recipe_of(method).layout == PanelLayout::strips;
      const DirectSolver<T> solver(c.factor(c.a), o);
      const bool low = o.numeric.low_precision && !std::same_as<T, Low<T>>;
      EXPECT_EQ(solver.report().low_precision, low);
      for (const Index count : {1, 4}) {
        const RefineReport report = refine(solver, c.a, count).report;
        EXPECT_LE(report.last_error, 4 * unit<T>) << c.name << ' ' << name(method);
        EXPECT_LE(report.last_error, report.first_error);
        if (low) {
          EXPECT_GT(report.first_error, 1e3 * unit<T>) << c.name << ' ' << name(method);
          EXPECT_GE(report.steps, 1);
        }
      }
    }
}

TYPED_TEST(Refinement, TakesAsManyStepsAsItIsAllowed) {
  using T = TypeParam;
  const auto a = test::tridiagonal<T>(40);
  const DirectSolver<T> solver(factor_ilu0<T>(a));
  EXPECT_EQ(refine(solver, a, 1, {.steps = 0}).report.steps, 0);
  EXPECT_EQ(refine(solver, a, 1, {.steps = 3, .stop_when_stalled = false}).report.steps, 3);
}

// ILU(0) of a matrix with fill is no direct solver; refinement with it converges slowly.
TEST(RefinementWith, AnIncompleteFactorConverges) {
  const auto a = generate<double>("laplace2d:12x12");
  const DirectSolver<double> solver(factor_ilu0<double>(a, test::natural));
  const auto s = refine(solver, a, 1, {.steps = 200, .stop_when_stalled = false});
  EXPECT_GT(s.report.first_error, 1e-3);
  EXPECT_LE(s.report.last_error, 1e-12);
}

// A step that increases the error is undone: here the factors belong to another matrix.
TEST(RefinementWith, TheWrongFactorsDoesNoHarm) {
  const auto a = test::tridiagonal<double>(30);
  auto other = a;
  for (double& v : other.value) v *= 0.1;
  const DirectSolver<double> solver(factor_ilu0<double>(other));
  const auto s = refine(solver, a, 2);
  EXPECT_EQ(s.report.steps, 0);
  EXPECT_EQ(s.report.first_error, s.report.last_error);
}

TEST(RefinementRefuses, AnotherMatrixAndTheSameMemory) {
  const auto a = test::tridiagonal<double>(5), larger = test::tridiagonal<double>(6);
  const DirectSolver<double> solver(factor_ilu0<double>(a));
  std::vector<double> b(5, 1.0), x(5);
  const Vectors<double> bs(b.data(), 5), xs(x.data(), 5);
  EXPECT_EQ(refusal([&] { solver.solve(larger, bs, xs); }).text,
            "the matrix is not of the size that was factored");
  EXPECT_EQ(refusal([&] { solver.solve(a, bs, bs); }).text, "refinement needs b and x apart");
}

}  // namespace
}  // namespace echelon
