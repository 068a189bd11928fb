// tests/solver/test_solver_memory.cpp -- a solve allocates nothing; any failed allocation is an
// Error, and nothing leaks (the sanitizer checks).
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/failing_new.hpp"

namespace echelon {
namespace {

constexpr Method methods[] = {Method::serial,      Method::level_row,      Method::level_column,
                              Method::element_row, Method::element_column, Method::superstep};

TEST(Memory, ASolveAndAnUpdateAllocateNothing) {
  const auto a = generate<double>("laplace2d:40x40:5");
  const std::vector<double> b(1600 * 3, 1.0);
  std::vector<double> x(1600 * 3);
  for (const Method method : methods) {
    Options o;
    o.method = method;
    o.cpu.threads = 2;
    Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}), o);
    solver.solve(Vectors<const double>(b.data(), 1600, 3), Vectors<double>(x.data(), 1600, 3));
    const long before = test::allocations_made;
    solver.solve(Vectors<const double>(b.data(), 1600, 3), Vectors<double>(x.data(), 1600, 3));
    EXPECT_EQ(test::allocations_made, before) << name(method);
    solver.update(a.value);
    EXPECT_EQ(test::allocations_made, before) << name(method);
    const auto turned = [&] {
      solver.solve(Vectors<const double>(b.data(), 1600, 3), Vectors<double>(x.data(), 1600, 3),
                   {.op = Op::transpose});
    };
    turned();
    const long after = test::allocations_made;
    turned();
    EXPECT_EQ(test::allocations_made, after) << name(method) << ", the second of a transpose";
  }
}

TEST(Memory, EveryAllocationThatFailsIsAnErrorOfOurs) {
  const auto a = generate<double>("laplace2d:9x9:5");
  std::vector<double> x(81, 1.0);
  for (const Method method : methods) {
    for (const Op op : {Op::none, Op::transpose}) {
      Options o;
      o.method = method;
      o.cpu.threads = 2;
      const auto t = lower(a, {.op = op, .outside = OutsideEntries::ignore});
      bool failed = true;
      for (long k = 0; failed; ++k) {
        failed = false;
        test::allocations_left = k;
        try {
          const Solver<double> solver(t, o);
          solver.solve(Vectors<double>(x.data(), 81), Vectors<double>(x.data(), 81),
                       {.op = Op::transpose});
        } catch (const Error& e) {
          failed = true;
          EXPECT_EQ(e.code(), ErrorCode::out_of_memory);
        }
        test::allocations_left = -1;
        ASSERT_LT(k, 10000);
      }
    }
  }
}

}  // namespace
}  // namespace echelon
