// tests/smoother/test_smoother_callers.cpp -- concurrent callers of one smoother, workspaces,
// moves.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "echelon/smoother.hpp"
#include "smoother/smoother_cases.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;
using test::Refusal;

SmootherOptions options_for(Method method, Sweep direction = Sweep::symmetric) {
  SmootherOptions o;
  o.direction = direction;
  o.solver.method = method;
  o.solver.cpu.threads = 2;
  return o;
}

// With and without a symmetric pattern: in place, and with a second vector.
TEST(SmootherCallers, WithTheirOwnWorkspacesDoNotDisturbEachOther) {
  const std::vector<Csr<double>> matrices{generate<double>("laplace2d:20x30:5"),
                                          test::random_matrix<double>({.n = 600, .per_row = 4})};
  for (const auto& a : matrices)
    for (const Method method : {Method::level_row, Method::superstep, Method::level_column})
      for (const Sweep direction : {Sweep::forward, Sweep::symmetric}) {
        const GaussSeidel<double> smoother(a, options_for(method, direction));
        std::vector<std::thread> callers;
        for (unsigned caller = 0; caller < 3; ++caller)
          callers.emplace_back([&, caller] {
            const GaussSeidel<double> alone(a, options_for(Method::serial, direction));
            auto workspace = smoother.make_workspace();
            for (unsigned repeat = 0; repeat < 10; ++repeat) {
              const Index count = 1 + static_cast<Index>(repeat) % 3 * 5;
              const auto b = test::random_vector<double>(static_cast<std::size_t>(600 * count),
                                                         100 * caller + repeat);
              std::vector<double> x(b.size()), expected(b.size());
              const Vectors<const double> bs(b.data(), 600, count);
              alone.solve(bs, Vectors<double>(expected.data(), 600, count), {.sweeps = 2});
              smoother.solve(workspace, bs, Vectors<double>(x.data(), 600, count), {.sweeps = 2});
              for (std::size_t k = 0; k < x.size(); ++k)
                ASSERT_NEAR(x[k], expected[k], 1e-12 * (1 + std::abs(expected[k])))
                    << name(method) << " " << name(direction);
            }
            smoother.check(workspace);
          });
        for (auto& caller : callers) caller.join();
      }
}

TEST(SmootherWorkspaces, BelongToOneSmoother) {
  const auto a = generate<double>("laplace2d:20x30:5");
  auto one = std::make_unique<GaussSeidel<double>>(a);
  auto workspace = one->make_workspace();
  const std::vector<double> b(600, 1.0);
  std::vector<double> x(600);
  const Vectors<const double> bs(b.data(), 600);
  const Vectors<double> xs(x.data(), 600);
  EXPECT_NO_THROW(one->solve(workspace, bs, xs));
  one.reset();
  one = std::make_unique<GaussSeidel<double>>(a);
  EXPECT_EQ(refusal([&] { one->solve(workspace, bs, xs); }),
            Refusal(ErrorCode::bad_argument, "this workspace was made by another smoother"));
  auto own = one->make_workspace();
  const auto moved = std::move(own);
  EXPECT_EQ(refusal([&] { one->check(own); }),  // NOLINT: specified after a move
            Refusal(ErrorCode::bad_argument, "this workspace was moved from"));
}

TEST(Smoothers, RefuseAllButAssignmentOnceTheyWereMovedFrom) {
  const auto a = generate<double>("laplace2d:20x30:5");
  GaussSeidel<double> first(a);
  auto workspace = first.make_workspace();
  GaussSeidel<double> second(std::move(first));
  const std::vector<double> b(600, 1.0);
  std::vector<double> x(600);
  const Vectors<const double> bs(b.data(), 600);
  const Vectors<double> xs(x.data(), 600);
  const auto refused = [](const auto& call) {
    return refusal(call) ==
           Refusal(ErrorCode::bad_argument, "this smoother was moved from and has no matrix");
  };
  // NOLINTBEGIN: specified after a move
  EXPECT_TRUE(refused([&] { first.solve(bs, xs); }));
  EXPECT_TRUE(refused([&] { first.solve(b, x); }));
  EXPECT_TRUE(refused([&] { first.solve(workspace, bs, xs); }));
  EXPECT_TRUE(refused([&] { first.residual(bs, xs, xs); }));
  EXPECT_TRUE(refused([&] { first.residual_norms(bs, bs); }));
  EXPECT_TRUE(refused([&] { first.residual_norm(b, x); }));
  EXPECT_TRUE(refused([&] { first.make_workspace(); }));
  EXPECT_TRUE(refused([&] { first.update(a.value); }));
  EXPECT_TRUE(refused([&] { first.check(); }));
  EXPECT_TRUE(refused([&] { first.check(workspace); }));
  EXPECT_TRUE(refused([&] { first.analysis(); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  EXPECT_TRUE(refused([&] { first.report(); }));
  EXPECT_TRUE(refused([&] { std::ostringstream() << first; }));
  // NOLINTEND
  EXPECT_NO_THROW(second.solve(workspace, bs, xs));
  first = std::move(second);
  EXPECT_NO_THROW(first.solve(workspace, bs, xs));
}

TEST(SmootherAnalyses, ThatWereMovedAreWhatTheyWere) {
  const auto a = generate<double>("laplace2d:4x5:5");
  SmootherAnalysis one(CsrView<double>(a).pattern());
  const SmootherAnalysis other(std::move(one));
  EXPECT_EQ(&one.report(), &other.report());  // NOLINT: specified after a move
}

}  // namespace
}  // namespace echelon
