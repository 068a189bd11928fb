// tests/io/test_scan.cpp -- numbers in every notation, against the standard library.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>

#include "io/scan.hpp"

namespace echelon {
namespace {

std::string padded(const std::string& text) { return text + std::string(16, '\n'); }

template <class R>
Scan scan(const std::string& text, R& v) {
  const std::string line = padded(text);
  const char* p = line.data();
  const Scan result = scan_real(p, v);
  EXPECT_EQ(p - line.data(), result == Scan::ok ? static_cast<std::ptrdiff_t>(text.size()) : 0);
  return result;
}

template <class R>
R value(const std::string& text) {
  R v = -77;
  EXPECT_EQ(scan(text, v), Scan::ok) << text;
  return v;
}

bool refuses(const std::string& text) {
  double v = 0;
  return scan(text, v) == Scan::not_a_number;
}

// The same bits, including the sign of zero.
template <class R>
bool same(R a, R b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(Scan, WholeNumbers) {
  for (const auto& [text, want] : {std::pair<std::string, std::int64_t>{"0", 0},
                                   {"7", 7},
                                   {"+12", 12},
                                   {"-3", -3},
                                   {"00042", 42},
                                   {"2147483648", 2147483648},
                                   {"123456789012345678", 123456789012345678},
                                   {"99999999999999999999999999", huge_integer}}) {
    const std::string line = padded(text);
    const char* p = line.data();
    std::int64_t v = 0;
    EXPECT_TRUE(scan_integer(p, v)) << text;
    EXPECT_EQ(v, want);
    EXPECT_EQ(*p, '\n');
  }
  for (const char* text : {"", "-", "1.5", "1e3", "x", "12x", "--1"}) {
    const std::string line = padded(text);
    const char* p = line.data();
    std::int64_t v = 0;
    EXPECT_FALSE(scan_integer(p, v)) << text;
  }
}

TEST(Scan, RealNumbersInEverySpelling) {
  EXPECT_EQ(value<double>("1"), 1);
  EXPECT_EQ(value<double>("+1.5"), 1.5);
  EXPECT_EQ(value<double>("-.25"), -0.25);
  EXPECT_EQ(value<double>("5."), 5);
  EXPECT_EQ(value<double>("1e3"), 1000);
  EXPECT_EQ(value<double>("1.5E-3"), 1.5e-3);
  EXPECT_EQ(value<double>("1.5D+03"), 1500);
  EXPECT_EQ(value<double>("-1.5d2"), -150);
  EXPECT_EQ(value<double>("1.5+300"), 1.5e300);
  EXPECT_EQ(value<double>("1.5-300"), 1.5e-300);
  EXPECT_EQ(value<double>("0.1"), 0.1);
  EXPECT_EQ(value<double>("0.30000000000000004"), 0.30000000000000004);
  EXPECT_EQ(value<double>("12345678901234567890123456789"), 12345678901234567890123456789.0);
  EXPECT_EQ(value<double>("1.7976931348623157e308"), std::numeric_limits<double>::max());
  EXPECT_EQ(value<double>("4.9406564584124654D-324"), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(value<double>("0.000000000000000000000000000001"), 1e-30);
  EXPECT_TRUE(same(value<double>("-0"), -0.0));
  EXPECT_TRUE(same(value<double>("0e99999"), 0.0));
}

TEST(Scan, InfinityAndNanAreNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value<double>("inf"), infinity);
  EXPECT_EQ(value<double>("-Inf"), -infinity);
  EXPECT_EQ(value<double>("+INFINITY"), infinity);
  EXPECT_TRUE(std::isnan(value<double>("NaN")));
  EXPECT_TRUE(std::isnan(value<float>("-nan")));
}

TEST(Scan, WhatIsNoNumberIsRefused) {
  for (const char* text :
       {"",    "x",   "-",   "+",  ".",    "e5",  "1e",   "1e+", "1.5.2", "1,5",
        "--1", "+-1", "-+1", "1d", "0x10", "1_0", "infx", "- 1", "1e5x",  "1.5+"})
    EXPECT_TRUE(refuses(text)) << text;
}

TEST(Scan, TooLargeIsRefusedAndTooSmallIsZero) {
  double d = 1;
  float f = 1;
  EXPECT_EQ(scan("1e309", d), Scan::too_large);
  EXPECT_EQ(scan("-1D+99999999999999999999", d), Scan::too_large);
  EXPECT_EQ(scan("1e39", f), Scan::too_large);
  EXPECT_EQ(scan(std::string(400, '9'), d), Scan::too_large);
  EXPECT_TRUE(same(value<double>("1e-400"), 0.0));
  EXPECT_TRUE(same(value<double>("-1e-400"), -0.0));
  EXPECT_TRUE(same(value<float>("1e-60"), 0.0f));
  EXPECT_TRUE(same(value<double>("0." + std::string(400, '0') + "1"), 0.0));
  EXPECT_EQ(value<double>("0." + std::string(400, '0') + "1e401"), 1);
}

TEST(Scan, AShiftMovesThePointExactly) {
  double v = 0;
  EXPECT_EQ(scan_unusual_real("12345", -2, v), Scan::ok);
  EXPECT_EQ(v, 123.45);
  EXPECT_EQ(scan_unusual_real("-1.5D2", -1, v), Scan::ok);
  EXPECT_EQ(v, -15);
}

// Random digits, points and exponents: the fast path and the slow one must agree with
// std::from_chars to the last bit.
template <class R>
void compare_with_library() {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t n) { return random() % n; };
  for (int k = 0; k < 40000; ++k) {
    std::string text;
    if (below(2) == 0) text += '-';
    for (auto n = 1 + below(10); n > 0; --n) text += static_cast<char>('0' + below(10));
    if (below(4) != 0) text += '.';
    if (text.back() == '.')
      for (auto n = below(14); n > 0; --n) text += static_cast<char>('0' + below(10));
    if (below(2) == 0) text.append("e").append(std::to_string(static_cast<int>(below(40)) - 20));
    R want = 0;
    std::from_chars(text.data(), text.data() + text.size(), want);
    ASSERT_TRUE(same(value<R>(text), want)) << text;
  }
}

TEST(Scan, RoundsAsTheLibraryDoes) {
  compare_with_library<double>();
  compare_with_library<float>();
}

}  // namespace
}  // namespace echelon
