// tests/model/test_rank_advice.cpp -- trials of grids, and the advice from them.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "dist/patterns.hpp"
#include "echelon/error.hpp"
#include "model/block_pictures.hpp"

namespace echelon {
namespace {

Trial trial(Index rows, Index cols, double compute_s, double communicate_s, double least_s = 0) {
  Trial t{{rows, cols}, "payload", {}, {}};
  Forecast f;
  f.compute_most_s = compute_s;
  f.compute_least_s = least_s;
  f.communicate_s = communicate_s;
  f.total_s = compute_s + communicate_s;
  t.model.push_back(f);
  return t;
}

TEST(RankAdvice, NamesTheFastestAndTheFewestThatAreEnough) {
  const std::vector<Trial> trials{trial(1, 1, 10e-3, 0), trial(1, 4, 2e-3, 1.2e-3),
                                  trial(2, 2, 2e-3, 1.1e-3), trial(4, 4, 1e-3, 2e-3)};
  const RankAdvice a = advise_ranks(trials, MachineKind::cpu);
  EXPECT_EQ(a.fastest, 3U);
  EXPECT_EQ(a.enough, 2U);
  EXPECT_EQ(
      a.sentence,
      "fastest: 16 ranks as 4x4 with payload, 3.00 ms, most of it messages; 4 ranks as 2x2 would "
      "take 3.10 ms");
}

TEST(RankAdvice, SaysWhatOneIsLimitedBy) {
  EXPECT_EQ(advise_ranks({trial(1, 1, 2e-6, 0, 1.9e-6)}, MachineKind::gpu).sentence,
            "fastest: 1 GPU, 2.00 us, limited by what the fullest has to do");
  EXPECT_EQ(find_limit(trial(2, 2, 2, 1, 1)), Limit::path);
  EXPECT_EQ(find_limit(trial(2, 2, 2, 3, 2)), Limit::messages);
  EXPECT_THROW(advise_ranks({}, MachineKind::cpu), Error);
}

TEST(Trials, AreBothPassesOfASolve) {
  const Supernodes s = test::from_picture({"o", "oo", ".oo"});
  SolveProblem p;
  p.lower = p.upper = &s;
  p.mapping = Mapping::cyclic;
  const Trial both = try_grid(p, {2, 1}, test::slow_machine(), true);
  ASSERT_EQ(both.model.size(), 2U);
  ASSERT_EQ(both.simulation.size(), 2U);
  EXPECT_DOUBLE_EQ(both.simulated_s(), 2 * (5 + 20));
  EXPECT_DOUBLE_EQ(both.model_s(), 2 * (5 + 20));
  EXPECT_DOUBLE_EQ(both.seconds(), both.simulated_s());
  p.lower = nullptr;
  EXPECT_EQ(try_grid(p, {2, 1}, test::slow_machine(), false).model.size(), 1U);
  p.upper = nullptr;
  EXPECT_THROW(try_grid(p, {2, 1}, test::slow_machine(), false), Error);
}

TEST(Trials, ExplainWhereModelAndSimulationDiffer) {
  Trial t = trial(2, 2, 6, 4);
  EXPECT_EQ(explain_difference(t, MachineKind::cpu), "");
  Simulation s;
  s.span_s = 9;
  s.path_compute_s = 5;
  s.path_message_s = 4;
  t.simulation.push_back(s);
  EXPECT_EQ(explain_difference(t, MachineKind::cpu), "");
  t.simulation[0].span_s = 5;
  t.simulation[0].path_compute_s = 1;
  EXPECT_NE(explain_difference(t, MachineKind::cpu).find("work ahead"), std::string::npos)
      << explain_difference(t, MachineKind::cpu);
  EXPECT_NE(explain_difference(t, MachineKind::gpu).find("thread blocks"), std::string::npos);
  t.simulation[0].path_compute_s = 5;
  t.simulation[0].path_message_s = 0;
  EXPECT_NE(explain_difference(t, MachineKind::cpu).find("overlap with work"), std::string::npos);
  t.simulation[0] = s;
  t.simulation[0].span_s = 20;
  t.simulation[0].path_compute_s = 16;
  EXPECT_NE(explain_difference(t, MachineKind::cpu).find("besides reading"), std::string::npos);
  t.simulation[0].path_compute_s = 6;
  t.simulation[0].path_message_s = 14;
  EXPECT_NE(explain_difference(t, MachineKind::cpu).find("busy"), std::string::npos);
}

// A cache that holds one triangle does not keep two separate triangles.
TEST(Trials, ReadTwoTrianglesInTurn) {
  const Supernodes s = test::closed_supernodes(20, 4, 2, 3), u = s;
  Machine m = test::slow_machine();
  const double bytes = 8 * static_cast<double>(s.entries());
  m.read_alone = {{bytes, 1.9 * bytes}, {80, 8}};
  SolveProblem p;
  p.lower = p.upper = &s;
  const double same = try_grid(p, {1, 1}, m, false).model_s();
  p.upper = &u;
  EXPECT_NEAR(try_grid(p, {1, 1}, m, false).model_s(), 10 * same, 1e-9 * same);
}

}  // namespace
}  // namespace echelon
