// tests/model/test_choose_method.cpp -- automatic: serial where threads cannot help, supersteps
// where they do, and a reason either way.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/model.hpp"

namespace echelon {
namespace {

constexpr Workload large{.n = 1000000,
                         .nonzeros = 5000000,
                         .levels = 2000,
                         .threads = 2,
                         .expected_solves = 1000,
                         .superstep_speedup = 1.9};

TEST(ChooseMethod, TakesSuperstepsWhereTheyPay) {
  const Choice c = choose_method(large);
  EXPECT_EQ(c.method, Method::superstep);
  EXPECT_EQ(c.reason, "supersteps on 2 threads should be 1.9 times as fast as one");
}

TEST(ChooseMethod, GivesAChainToOneThread) {
  Workload w = large;
  w.levels = w.n;
  EXPECT_EQ(choose_method(w).method, Method::serial);
  EXPECT_EQ(choose_method(w).reason, "the unknowns form one chain");
}

TEST(ChooseMethod, StaysSerialForOneThreadThinLevelsAndSmallMatrices) {
  Workload one = large, thin = large, small = large;
  one.threads = 1;
  thin.levels = 600000;
  small.n = 100;
  small.nonzeros = 500;
  small.levels = 10;
  for (const Workload& w : {one, thin, small}) EXPECT_EQ(choose_method(w).method, Method::serial);
}

TEST(ChooseMethod, CountsTheSolvesThatPayForTheAnalysis) {
  Workload w = large;
  w.expected_solves = 2;
  EXPECT_EQ(choose_method(w).reason, "too few solves expected to pay for a schedule");
}

TEST(ChooseMethod, TrustsTheSimulatedSchedule) {
  Workload w = large;
  w.superstep_speedup = 1.05;
  EXPECT_EQ(choose_method(w).method, Method::serial);
  EXPECT_NE(choose_method(w).reason.find("which does not pay"), std::string::npos);
}

}  // namespace
}  // namespace echelon
