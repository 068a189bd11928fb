// tests/matrix/test_check_vectors.cpp -- valid and invalid overlaps of b and x: all small shapes
// and places against a comparison of all pairs of entries.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "echelon/matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

template <class T>
std::vector<const double*> entries_of(const Vectors<T>& v) {
  std::vector<const double*> all;
  for (Index k = 0; k < v.count; ++k)
    for (Index i = 0; i < v.n; ++i) all.push_back(v.data + i * v.step() + k * v.stride());
  return all;
}

bool same_or_apart(const Vectors<const double>& b, const Vectors<double>& x) {
  const auto of_b = entries_of(b), of_x = entries_of(x);
  const std::set<const double*> set(of_b.begin(), of_b.end());
  bool apart = true;
  for (const double* p : of_x) apart = apart && set.count(p) == 0;
  return apart || of_b == of_x;
}

TEST(CheckVectors, TakesTheSameMemoryOrNoneInCommon) {
  std::vector<double> memory(100);
  int taken = 0, refused = 0;
  for (const Layout layout : {Layout::column_major, Layout::row_major})
    for (const Index n : {1, 2, 3, 4})
      for (const Index count : {1, 2, 3}) {
        const Index line = layout == Layout::column_major ? n : count;
        for (Index of_b = line; of_b < line + 4; ++of_b)
          for (Index of_x = line; of_x < line + 4; ++of_x)
            for (Index shift = -30; shift <= 30; ++shift) {
              const Vectors<const double> b(memory.data() + 40, n, count, of_b, layout);
              const Vectors<double> x(memory.data() + 40 + shift, n, count, of_x, layout);
              const bool right = same_or_apart(b, x);
              ASSERT_EQ(refusal([&] { check_vectors(n, b, x); }).code == ErrorCode{}, right)
                  << n << " by " << count << ", leading " << of_b << " and " << of_x << ", shift "
                  << shift;
              ++(right ? taken : refused);
            }
      }
  EXPECT_GT(taken, 1000);
  EXPECT_GT(refused, 1000);
}

TEST(CheckVectors, RefusesOneVectorWithTwoSteps) {
  std::vector<double> m(64);
  const Vectors<const double> b(m.data(), 8, 1, 2, Layout::row_major);
  const Vectors<double> x(m.data(), 8, 1, 3, Layout::row_major);  // x(2) is b(3)
  EXPECT_EQ(refusal([&] { check_vectors(8, b, x); }).text,
            "b and x overlap; they must be the same memory or not overlap at all");
}

}  // namespace
}  // namespace echelon
