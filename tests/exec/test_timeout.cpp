// tests/exec/test_timeout.cpp -- any watchdog value converts to nanoseconds without overflow.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "exec/cuda/runtime/timeout.hpp"

namespace echelon::test {
namespace {

TEST(Timeout, IsNanosecondsAndNeverOverflows) {
  EXPECT_EQ(nanoseconds_of(2000), 2000000000u);
  EXPECT_EQ(nanoseconds_of(0), 0u);
  EXPECT_EQ(nanoseconds_of(1e-9), 1u);  // not 0, which means no timeout
  const std::uint64_t now = 1u << 31 << 31, end = std::numeric_limits<std::uint64_t>::max();
  for (const double ms : {1e13, 1e100, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(nanoseconds_of(ms), 1000000000000000000u);
    EXPECT_LT(nanoseconds_of(ms), end - now);
  }
}

}  // namespace
}  // namespace echelon::test
