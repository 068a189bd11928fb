// tests/base/test_units.cpp -- times and sizes as a person reads them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "echelon/tools/units.hpp"

using echelon::size_text;
using echelon::time_text;

TEST(Units, TimesHaveThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(time_text(6.46), "6.46 s");
  EXPECT_EQ(time_text(0.0123), "12.3 ms");
  EXPECT_EQ(time_text(4.56e-6), "4.56 us");
  EXPECT_EQ(time_text(7.8e-8), "78.0 ns");
  EXPECT_EQ(time_text(0.5), "500 ms");
  EXPECT_EQ(time_text(0), "0 s");
}

TEST(Units, ARoundedTimeTakesTheNextUnit) {
  EXPECT_EQ(time_text(0.9996e-3), "1.00 ms");
  EXPECT_EQ(time_text(0.9994e-3), "999 us");
  EXPECT_EQ(time_text(9.996), "10.0 s");
  EXPECT_EQ(time_text(99.96), "1 min 40 s");
}

TEST(Units, LongTimesAreMinutesAndHours) {
  EXPECT_EQ(time_text(725), "12 min 5 s");
  EXPECT_EQ(time_text(11000), "3 h 3 min");
}

TEST(Units, WhatIsNoTimeIsSaid) {
  EXPECT_EQ(time_text(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(time_text(std::numeric_limits<double>::infinity()), "forever");
  EXPECT_EQ(time_text(-0.002), "-2.00 ms");
}

TEST(Units, SizesAreInPowersOfThousand) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(999), "999 B");
  EXPECT_EQ(size_text(1000), "1.00 kB");
  EXPECT_EQ(size_text(8.21e6), "8.21 MB");
  EXPECT_EQ(size_text(123.4e9), "123 GB");
}
