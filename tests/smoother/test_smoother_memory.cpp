// tests/smoother/test_smoother_memory.cpp -- sweeps allocate nothing; any failed allocation is an
// Error, and nothing leaks (the sanitizer checks).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/generate.hpp"
#include "echelon/smoother.hpp"
#include "support/failing_new.hpp"

namespace echelon {
namespace {

SmootherOptions options_for(Sweep direction, SweepForm form) {
  SmootherOptions o;
  o.direction = direction;
  o.form = form;
  o.omega = 1.5;
  o.solver.method = Method::superstep;
  o.solver.cpu.threads = 2;
  return o;
}

TEST(SmootherMemory, SweepsAndUpdatesAllocateNothing) {
  for (const char* spec : {"laplace2d:40x40:5", "random:1600:4:1"}) {
    const auto a = generate<double>(spec);
    const std::vector<double> b(1600 * 3, 1.0);
    std::vector<double> x(1600 * 3);
    const Vectors<const double> bs(b.data(), 1600, 3);
    const Vectors<double> xs(x.data(), 1600, 3);
    for (const Sweep direction : {Sweep::forward, Sweep::backward, Sweep::symmetric})
      for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
        GaussSeidel<double> smoother(a, options_for(direction, form));
        long before = test::allocations_made;  // with one vector, not even the first sweep
        smoother.solve(std::span<const double>(b).first(1600), std::span<double>(x).first(1600));
        EXPECT_EQ(test::allocations_made, before) << name(direction) << ' ' << name(form);
        smoother.solve(bs, xs, {.sweeps = 2});
        before = test::allocations_made;
        smoother.solve(bs, xs, {.sweeps = 2});
        smoother.update(a.value);
        EXPECT_EQ(test::allocations_made, before) << name(direction) << ' ' << name(form);
      }
  }
}

TEST(SmootherMemory, EveryAllocationThatFailsIsAnErrorOfOurs) {
  const auto a = generate<double>("laplace2d:9x9:5");
  const std::vector<double> b(81 * 2, 1.0);
  for (const SweepForm form : {SweepForm::row, SweepForm::column}) {
    bool failed = true;
    for (long k = 0; failed; ++k) {
      std::vector<double> x(81 * 2);
      failed = false;
      test::allocations_left = k;
      try {
        const GaussSeidel<double> smoother(a, options_for(Sweep::symmetric, form));
        smoother.solve(Vectors<const double>(b.data(), 81, 2), Vectors<double>(x.data(), 81, 2));
      } catch (const Error& e) {
        failed = true;
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
      }
      test::allocations_left = -1;
      ASSERT_LT(k, 10000);
    }
  }
}

}  // namespace
}  // namespace echelon
