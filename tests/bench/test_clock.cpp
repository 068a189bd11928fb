// tests/bench/test_clock.cpp -- the number of timed updates, and their median.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <support/clock.hpp>

namespace echelon::bench {
namespace {

TEST(Updates, AreTimedFiveTimesWithWhatIsMadeForEach) {
  int made = 0, called = 0;
  const double seconds =
      time_updates([&] { return ++made; }, [&](int given) { EXPECT_EQ(given, ++called); });
  EXPECT_EQ(called, 5);
  EXPECT_GE(seconds, 0);
}

TEST(Updates, GiveTheMiddleOfTheirTimes) {
  EXPECT_EQ(middle({3, 1, 2}), 2);
  EXPECT_EQ(middle({7}), 7);
}

}  // namespace
}  // namespace echelon::bench
