// tests/direct/test_direct_solver_not_finite.cpp -- an answer that is not finite names its first
// such entry, in the caller's order.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "base/number.hpp"
#include "direct/direct_cases.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::Refusal;
using test::refusal;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Refusal named(Index i, Index k) {
  return {ErrorCode::not_finite, "x(" + std::to_string(i) + ") of right-hand side " +
                                     std::to_string(k) +
                                     " is not finite: b is not, or the solve overflowed"};
}

// 2 I, with unknown i at place order[i] of the factors.
Factors<double> twice_identity(const std::vector<Index>& order) {
  Csr<double> a;
  a.rows = a.cols = static_cast<Index>(order.size());
  a.start = {0};
  for (Index i = 0; i < a.rows; ++i) {
    a.index.push_back(i);
    a.value.push_back(2);
    a.start.push_back(i + 1);
  }
  Factors<double> f = factor_ilu0<double>(a, test::natural);
  f.row_order = f.col_order = order;
  return f;
}

// The factors have x(4) at place 1, and at place 4 x(1), which is finite.
TEST(DirectNotFinite, NamesTheCallersUnknown) {
  const DirectSolver<double> solver(twice_identity({3, 4, 5, 0, 1, 2}));
  constexpr Index n = 6, count = 40;  // more than one pass
  std::vector<double> b(n * count, 6.0), x(n * count);
  b[n * 37 + 4] = not_a_number;
  const Vectors<const double> bs(b.data(), n, count);
  const Vectors<double> xs(x.data(), n, count);
  EXPECT_EQ(refusal([&] { solver.solve(bs, xs); }), named(4, 37));
  b[n * 2 + 5] = not_a_number;
  x.assign(x.size(), 0);
  EXPECT_EQ(refusal([&] { solver.solve(bs, xs); }), named(5, 2));
  EXPECT_EQ(std::ranges::count(x, 3.0), n * count - 2) << "all other answers are there";
  EXPECT_EQ(refusal([&] { solver.solve(bs, xs, {.part = Part::lower}); }), named(5, 2));
}

// Whatever the first stage that fails, the error names the first such entry of what the solve
// without the check leaves, and x holds that.
template <class T>
class DirectNotFiniteOf : public testing::Test {};
TYPED_TEST_SUITE(DirectNotFiniteOf, test::Scalars);

template <class T>
Refusal first_of(const std::vector<T>& x, Index n) {
  for (std::size_t p = 0; p < x.size(); ++p)
    if (!is_finite(x[p])) return named(static_cast<Index>(p) % n, static_cast<Index>(p) / n);
  return {};
}

TYPED_TEST(DirectNotFiniteOf, EveryPartAndOperationNamesTheFirst) {
  using T = TypeParam;
  for (const auto& c : test::direct_cases<T>()) {
    Options o = test::direct_options(Method::tree);
    const DirectSolver<T> checked(c.factor(c.a), o);
    o.check_finite = false;
    const DirectSolver<T> unchecked(c.factor(c.a), o);
    const Index n = c.a.rows;
    auto b = test::random_vector<T>(static_cast<std::size_t>(n) * 3);
    b[static_cast<std::size_t>(2 * n - n / 5)] = std::numeric_limits<Real<T>>::infinity();
    for (const Part part : {Part::full, Part::lower, Part::upper, Part::triangles})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
        std::vector<T> x(b.size()), left(b.size());
        const Vectors<const T> bs(b.data(), n, 3);
        const SolveOptions<T> how{.part = part, .op = op};
        unchecked.solve(bs, Vectors<T>(left.data(), n, 3), how);
        EXPECT_EQ(refusal([&] { checked.solve(bs, Vectors<T>(x.data(), n, 3), how); }),
                  first_of(left, n))
            << c.name << ' ' << static_cast<int>(part) << ' ' << static_cast<int>(op);
        EXPECT_EQ(first_of(x, n), first_of(left, n)) << c.name;
      }
  }
}

TYPED_TEST(DirectNotFiniteOf, AnOverflowIsNamedToo) {
  using T = TypeParam;
  const auto a = test::tridiagonal<T>(5);
  const DirectSolver<T> solver(factor_ilu0<T>(a));
  std::vector<T> b(5, std::numeric_limits<Real<T>>::max()), x(5);
  const Refusal r = refusal(
      [&] { solver.solve(std::span<const T>(b), std::span<T>(x), {.alpha = T(Real<T>(1e6))}); });
  EXPECT_EQ(r, first_of(x, 5));
  EXPECT_EQ(r.code, ErrorCode::not_finite);
}

}  // namespace
}  // namespace echelon
