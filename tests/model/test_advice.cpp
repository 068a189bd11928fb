// tests/model/test_advice.cpp -- the number of solves after which a method pays off, by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "echelon/error.hpp"
#include "echelon/estimate.hpp"

namespace echelon {
namespace {

const Alternative loop{"a plain loop", 0, 3};

TEST(Advice, FindsTheSolveThatPaysBack) {
  // 3 N against 10 + N: 15 and 15 at the fifth solve.
  const std::vector<Alternative> two{loop, {"superstep", 10, 1}};
  const Advice few = advise(two, 4), many = advise(two, 100);
  EXPECT_EQ(few.best, 0u);
  EXPECT_DOUBLE_EQ(few.total_s, 12);
  EXPECT_EQ(many.best, 1u);
  EXPECT_DOUBLE_EQ(many.total_s, 110);
  EXPECT_EQ(many.pays_after, (std::vector<double>{1, 5}));
  EXPECT_EQ(many.sentence,
            "for 100 solves superstep takes least, 110 s; superstep pays after 5 solves");
}

TEST(Advice, RoundsUpToWholeSolves) {
  const std::vector<Alternative> two{loop, {"superstep", 11, 1}};
  EXPECT_EQ(advise(two, 1).pays_after[1], 6);
}

TEST(Advice, TellsWhatNeverPays) {
  const std::vector<Alternative> four{
      loop, {"slower", 1, 4}, {"no faster", 1, 3}, {"slower, but ready", 0, 4}};
  const Advice a = advise(four, 1e9);
  EXPECT_EQ(a.best, 0u);
  for (const std::size_t k : {1, 2, 3}) EXPECT_TRUE(std::isinf(a.pays_after[k])) << k;
  EXPECT_NE(a.sentence.find("no faster never pays"), std::string::npos);
}

TEST(Advice, TellsWhatPaysAtOnce) {
  const std::vector<Alternative> three{{"slow", 2, 3}, {"faster", 2, 2}, {"the same", 2, 3}};
  const Advice a = advise(three, 1);
  EXPECT_EQ(a.best, 1u);
  EXPECT_EQ(a.pays_after, (std::vector<double>{1, 1, 1}));
  EXPECT_NE(a.sentence.find("faster pays at once"), std::string::npos);
}

TEST(Advice, TakesTheLeastOfMany) {
  // Totals for 20 solves: 60, 30, 45 and 32.
  const std::vector<Alternative> four{loop, {"b", 10, 1}, {"c", 35, 0.5}, {"d", 30, 0.1}};
  EXPECT_EQ(advise(four, 20).best, 1u);
  EXPECT_EQ(advise(four, 1000).best, 3u);
  EXPECT_EQ(advise(four, 0).best, 0u);
}

TEST(Advice, RefusesTimesThatAreNone) {
  const std::vector<Alternative> none, negative{loop, {"b", -1, 1}},
      not_a_number{{"b", 1, std::numeric_limits<double>::quiet_NaN()}};
  EXPECT_THROW(advise(none, 1), Error);
  EXPECT_THROW(advise(negative, 1), Error);
  EXPECT_THROW(advise(not_a_number, 1), Error);
  EXPECT_THROW(advise(std::vector<Alternative>{loop}, -1), Error);
}

TEST(PayoffText, SaysHowMany) {
  EXPECT_EQ(payoff_text("it", "pays", 12), "it pays after 12 solves");
  EXPECT_EQ(payoff_text("it", "pays", 1), "it pays at once");
  EXPECT_EQ(payoff_text("they", "pay", std::numeric_limits<double>::infinity()), "they never pay");
}

}  // namespace
}  // namespace echelon
