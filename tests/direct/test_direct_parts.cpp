// tests/direct/test_direct_parts.cpp -- factors with blocks that cannot be inverted as a whole.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "direct/direct_cases.hpp"

namespace echelon {
namespace {

using test::direct_options;

template <class T>
class DirectParts : public testing::Test {};
TYPED_TEST_SUITE(DirectParts, test::Scalars);

// L and U as they stand in one matrix; the second of two full blocks has a bad inverse.
template <class T>
Factors<T> bad_factors(const Csr<T>& a) {
  return factors_of<T>(lower(a, {.outside = OutsideEntries::ignore}),
                       upper(a, {.outside = OutsideEntries::ignore}));
}

// The largest backward error of the triangles, with all operations.
template <class T>
double worst_error(const DirectSolver<T>& solver, const Csr<T>& a) {
  double worst = 0;
  const auto b = test::random_vector<T>(static_cast<std::size_t>(a.rows));
  for (const Part part : {Part::lower, Part::upper})
    for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
      const auto t = triangle(CsrView<T>(a), part == Part::lower ? Uplo::lower : Uplo::upper,
                              {.op = op, .outside = OutsideEntries::ignore});
      worst =
          std::max(worst, test::backward_error(t, b, solver.solve(b, {.part = part, .op = op})));
    }
  return worst;
}

constexpr Method methods[] = {Method::invert_off, Method::dynamic, Method::spmv, Method::tree};

Options strict_options(Method method) {
  Options o = direct_options(method);
  o.numeric.largest_growth = 100;
  return o;
}

constexpr double accepted_parts = 8;  // in units of n eps

TYPED_TEST(DirectParts, AreCutOnceAndStay) {
  using T = TypeParam;
  const auto bad = test::with_a_bad_block<T>(40, 5);
  const auto good = test::case_matrix<T>(test::two_blocks(40, 5));
  for (const Method method : methods) {
    const Options o = strict_options(method);
    DirectSolver<T> solver(bad_factors(bad), o);
    const DirectReport report = solver.report();
    EXPECT_EQ(report.uninverted_blocks, 0) << name(method);
    EXPECT_GE(report.lower.cut, 1) << name(method);
    EXPECT_EQ(report.lower.tasks, solver.report().lower.tasks);
    EXPECT_LE(worst_error(solver, bad), accepted_parts) << name(method);

    auto caller = solver.make_workspace();
    solver.update(bad_factors(good));
    EXPECT_EQ(solver.report().lower.cut, report.lower.cut) << name(method);
    EXPECT_LE(worst_error(solver, good), accepted_parts) << name(method);
    const auto b = test::random_vector<T>(static_cast<std::size_t>(good.rows));
    std::vector<T> x(b.size());
    solver.solve(caller, Vectors<const T>(b.data(), good.rows), Vectors<T>(x.data(), good.rows));
    EXPECT_EQ(x, solver.solve(b));
  }
}

// Workspaces fit the plan, so that later values change no partition.
TYPED_TEST(DirectParts, AreNotCutByAnUpdate) {
  using T = TypeParam;
  const auto bad = test::with_a_bad_block<T>(40, 5);
  const auto good = test::case_matrix<T>(test::two_blocks(40, 5));
  for (const Method method : methods) {
    const Options o = strict_options(method);
    DirectSolver<T> solver(bad_factors(good), o);
    solver.update(bad_factors(bad));
    EXPECT_EQ(solver.report().lower.cut, 0) << name(method);
    EXPECT_GT(solver.report().uninverted_blocks, 0) << name(method);
    EXPECT_LE(worst_error(solver, bad), accepted_parts) << name(method);
  }
}

}  // namespace
}  // namespace echelon
