// tests/direct/test_direct_callers.cpp -- concurrent callers of one factorization, both layouts,
// workspaces, moves.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <thread>

#include "direct/ldl_factors.hpp"
#include "echelon/direct.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;
using test::Refusal;

constexpr Index n = 300;
constexpr double accepted = 200;  // in units of eps

Options options_for(Method method) {
  Options o;
  o.method = method;
  o.cpu.threads = 2;
  return o;
}

template <class T>
class DirectCallers : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DirectCallers, Scalars);

TYPED_TEST(DirectCallers, DivideByDInBothLayouts) {
  using T = TypeParam;
  const Factors<T> f = test::ldl_factors<T>(n);
  for (const Method method : {Method::tree, Method::team, Method::level_row})
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      const DirectSolver<T> solver(f, options_for(method));
      const Index count = 5;
      const Offset leading = (layout == Layout::column_major ? n : count) + 3;
      const auto b = test::random_vector<T>(static_cast<std::size_t>(leading) * (n + count));
      auto x = b;
      const Vectors<const T> bs(b.data(), n, count, leading, layout);
      const Vectors<T> xs(x.data(), n, count, leading, layout);
      solver.solve(bs, xs, {.part = Part::triangles});
      for (Index k = 0; k < count; ++k)
        EXPECT_LE(test::ldl_error(f, bs, Vectors<const T>(xs), k), accepted) << name(method);
    }
}

TYPED_TEST(DirectCallers, WithTheirOwnWorkspacesDoNotDisturbEachOther) {
  using T = TypeParam;
  const Factors<T> f = test::ldl_factors<T>(n);
  for (const Method method : {Method::tree, Method::dynamic, Method::spmv, Method::superstep}) {
    const DirectSolver<T> solver(f, options_for(method));
    std::vector<double> worst(3, 0);
    std::vector<std::thread> callers;
    for (unsigned caller = 0; caller < 3; ++caller)
      callers.emplace_back([&, caller] {
        auto workspace = solver.make_workspace();
        for (unsigned repeat = 0; repeat < 20; ++repeat) {
          const Index count = 1 + static_cast<Index>(repeat % 3) * 9;
          const auto b =
              test::random_vector<T>(static_cast<std::size_t>(n * count), 100 * caller + repeat);
          std::vector<T> x(b.size());
          const Vectors<const T> bs(b.data(), n, count);
          const Vectors<T> xs(x.data(), n, count);
          solver.solve(workspace, bs, xs);
          for (Index k = 0; k < count; ++k)
            worst[caller] =
                std::max(worst[caller], test::ldl_error(f, bs, Vectors<const T>(xs), k));
        }
        solver.check(workspace);
      });
    for (auto& caller : callers) caller.join();
    for (const double error : worst) EXPECT_LE(error, accepted) << name(method);
  }
}

// The product of such factors, entry by entry.
Csr<double> product_of(const Factors<double>& f) {
  Coo<double> a{f.n, f.n, {}, {}, {}};
  const Csc<double>& l = f.lower.columns;
  for (Index j = 0; j < f.n; ++j) {  // column j of L times its transpose
    std::vector<std::pair<Index, double>> column{{j, 1.0}};
    for (Offset p = l.start[j]; p < l.start[j + 1]; ++p) column.push_back({l.index[p], l.value[p]});
    for (const auto& [i, v] : column)
      for (const auto& [k, w] : column) {
        a.row.push_back(i);
        a.col.push_back(k);
        a.value.push_back(v * f.diagonal[j] * w);
      }
  }
  return to_csr(a);
}

TEST(DirectCallersThatRefine, DoNotDisturbEachOther) {
  const Factors<double> f = test::ldl_factors<double>(n);
  const Csr<double> a = product_of(f);
  const DirectSolver<double> solver(f, options_for(Method::tree));
  std::vector<double> worst(3, 0);
  std::vector<std::thread> callers;
  for (unsigned caller = 0; caller < 3; ++caller)
    callers.emplace_back([&, caller] {
      auto workspace = solver.make_workspace();
      for (unsigned repeat = 0; repeat < 10; ++repeat) {
        const auto b = test::random_vector<double>(n, 100 * caller + repeat);
        std::vector<double> x(n);
        const auto report =
            solver.solve(workspace, CsrView<double>(a), Vectors<const double>(b.data(), n),
                         Vectors<double>(x.data(), n), {.steps = 2, .stop_when_stalled = false});
        worst[caller] = std::max(worst[caller], report.last_error);
      }
    });
  for (auto& caller : callers) caller.join();
  for (const double error : worst) EXPECT_LE(error, 1e-15);
}

TEST(DirectWorkspaces, BelongToOneSolver) {
  const Factors<double> f = test::ldl_factors<double>(n);
  auto one = std::make_unique<DirectSolver<double>>(f);
  auto workspace = one->make_workspace();
  EXPECT_GT(workspace.bytes(), 0);
  std::vector<double> x(n, 1.0);
  const Vectors<double> v(x.data(), n);
  EXPECT_NO_THROW(one->solve(workspace, v, v));
  one->update(test::ldl_factors<double>(n, 2));
  EXPECT_NO_THROW(one->solve(workspace, v, v)) << "other values need no other workspace";
  one.reset();
  one = std::make_unique<DirectSolver<double>>(f);
  EXPECT_EQ(refusal([&] { one->solve(workspace, v, v); }),
            Refusal(ErrorCode::bad_argument, "this workspace was made by another solver"));
  auto own = one->make_workspace();
  const auto moved = std::move(own);
  EXPECT_EQ(refusal([&] { one->check(own); }),  // NOLINT: specified after a move
            Refusal(ErrorCode::bad_argument, "this workspace was moved from"));
}

TEST(DirectSolvers, RefuseAllButAssignmentOnceTheyWereMovedFrom) {
  const Factors<double> f = test::ldl_factors<double>(n);
  const Csr<double> a = product_of(f);
  DirectSolver<double> first(f);
  auto workspace = first.make_workspace();
  DirectSolver<double> second(std::move(first));
  std::vector<double> x(n, 1.0), y(n);
  const Vectors<double> v(x.data(), n), w(y.data(), n);
  const auto refused = [](const auto& call) {
    return refusal(call) ==
           Refusal(ErrorCode::bad_argument, "this solver was moved from and has no factors");
  };
  // NOLINTBEGIN: specified after a move
  EXPECT_TRUE(refused([&] { first.solve(v, v); }));
  EXPECT_TRUE(refused([&] { first.solve(std::span<const double>(x), std::span<double>(y)); }));
  EXPECT_TRUE(refused([&] { first.solve(workspace, v, v); }));
  EXPECT_TRUE(refused([&] { first.solve(CsrView<double>(a), v, w); }));
  EXPECT_TRUE(refused([&] { first.solve(workspace, CsrView<double>(a), v, w); }));
  EXPECT_TRUE(refused([&] { first.solve(v, v, {.part = Part::lower}); }));
  EXPECT_TRUE(refused([&] { first.solve(v, v, {.part = Part::upper}); }));
  EXPECT_TRUE(refused([&] { first.solve(v, v, {.part = Part::triangles}); }));
  EXPECT_TRUE(refused([&] { first.solve(v, v, {.part = Part::lower, .op = Op::transpose}); }));
  EXPECT_TRUE(refused([&] { first.solve(v, v, {.part = Part::upper, .op = Op::transpose}); }));
  EXPECT_TRUE(refused([&] { first.make_workspace(); }));
  EXPECT_TRUE(refused([&] { first.check(); }));
  EXPECT_TRUE(refused([&] { first.check(workspace); }));
  EXPECT_TRUE(refused([&] { first.profile(v, v); }));
  EXPECT_TRUE(refused([&] { first.profile_levels(Uplo::lower, v, v); }));
  EXPECT_TRUE(refused([&] { first.update(f); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  // NOLINTEND
  EXPECT_NO_THROW(second.solve(workspace, v, v));
  first = std::move(second);
  EXPECT_NO_THROW(first.solve(workspace, v, v));
}

}  // namespace
}  // namespace echelon
