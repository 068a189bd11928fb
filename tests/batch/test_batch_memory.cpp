// tests/batch/test_batch_memory.cpp -- a solve with a batch allocates nothing; a failed allocation
// is an Error.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/batch.hpp"
#include "echelon/generate.hpp"
#include "support/failing_new.hpp"

namespace echelon {
namespace {

constexpr Index count = 21;

TEST(BatchMemory, ASolveAndAnUpdateAllocateNothing) {
  const auto a = generate<double>("laplace2d:12x12:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) values.insert(values.end(), a.value.begin(), a.value.end());
  std::vector<double> x(std::size_t{3} * count * 144, 1.0);
  BatchSolver<double> many(t, count, values, {.solver = {.cpu = {.threads = 2}}});
  many.solve(x, x);
  const long before = test::allocations_made;
  for (const Op op : {Op::none, Op::transpose}) many.solve(x, x, {.op = op});
  many.update(values);
  EXPECT_EQ(test::allocations_made, before);
}

TEST(BatchMemory, EveryAllocationThatFailsIsAnErrorOfOurs) {
  const auto a = generate<double>("laplace2d:5x5:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  std::vector<double> values;
  for (Index k = 0; k < count; ++k) values.insert(values.end(), a.value.begin(), a.value.end());
  std::vector<double> x(std::size_t{2} * count * 25, 1.0);
  for (const BatchForm form : {BatchForm::interleaved, BatchForm::separate}) {
    bool failed = true;
    for (long k = 0; failed; ++k) {
      failed = false;
      test::allocations_left = k;
      try {
        const BatchSolver<double> many(t, count, values,
                                       {.form = form, .solver = {.cpu = {.threads = 2}}});
        many.solve(x, x);
      } catch (const Error& e) {
        failed = true;
        test::allocations_left = -1;
        EXPECT_EQ(e.code(), ErrorCode::out_of_memory) << e.what();
      }
    }
    test::allocations_left = -1;
  }
}

}  // namespace
}  // namespace echelon
