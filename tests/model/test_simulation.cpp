// tests/model/test_simulation.cpp -- simulated passes: small ones by hand, and general properties.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>

#include "dist/patterns.hpp"
#include "echelon/error.hpp"
#include "model/block_pictures.hpp"

namespace echelon {
namespace {

Machine gpu_machine() {
  Machine m = test::slow_machine();
  m.kind = MachineKind::gpu;
  m.blocks = 4;
  m.block_most = 8;
  m.read_alone.y = {32};
  return m;
}

Simulation run(const Supernodes& s, ProcessGrid grid, const Machine& m,
               Sweep sweep = Sweep::forward, Mapping mapping = Mapping::cyclic,
               TreeShape tree = TreeShape::binary) {
  const BlockMap map = map_blocks(s, grid, mapping);
  RankProblem p{&s, &map, tree};
  p.sweep = sweep;
  return simulate(p, m, {.timeline = true});
}

// Three diagonal blocks and two below them, in sequence, one second each.
TEST(Simulations, OfAChainAddUp) {
  const Supernodes s = test::from_picture({"o", "oo", ".oo"});
  for (const Machine& m : {test::slow_machine(), gpu_machine()})
    for (const Sweep sweep : {Sweep::forward, Sweep::backward}) {
      EXPECT_DOUBLE_EQ(run(s, {1, 1}, m, sweep).span_s, 5);
      const Simulation two = run(s, {2, 1}, m, sweep);
      EXPECT_DOUBLE_EQ(two.span_s, 5 + 2 * 10);
      EXPECT_EQ(two.messages, 2);
      EXPECT_DOUBLE_EQ(two.message_bytes, 16);
      EXPECT_EQ(two.path_messages, 2);
      EXPECT_DOUBLE_EQ(two.path_compute_s, 5);
      EXPECT_DOUBLE_EQ(two.path_message_s, 20);
      EXPECT_DOUBLE_EQ(run(s, {2, 2}, m, sweep).span_s, 5 + 4 * 10);
    }
}

// Of the ten seconds of a message, the sender is busy for two and the receiver for three: this
// costs a rank nothing if it has no other work.
TEST(Simulations, CountBusyTimeOnce) {
  const Supernodes s = test::from_picture({"o", "oo", ".oo"});
  Machine m = test::slow_machine();
  m.messages["payload"].network.send_s = 2;
  m.messages["payload"].network.receive_s = 3;
  const Simulation sim = run(s, {2, 1}, m);
  EXPECT_DOUBLE_EQ(sim.span_s, 25);
  EXPECT_DOUBLE_EQ(sim.rank[0].send_s + sim.rank[1].send_s, 4);
  EXPECT_DOUBLE_EQ(sim.rank[0].receive_s + sim.rank[1].receive_s, 6);
  EXPECT_DOUBLE_EQ(sim.rank[0].compute_s + sim.rank[1].compute_s, 5);
}

// A machine with polls of one second, for both engines.
Machine looking_machine() {
  Machine m = test::slow_machine();
  m.messages["payload"].network.poll_s = 1;
  m.messages["two_sided"] = m.messages["payload"];
  return m;
}
Simulation run_by(const std::string& engine, const Supernodes& s, ProcessGrid grid) {
  const BlockMap map = map_blocks(s, grid, Mapping::cyclic);
  RankProblem p{&s, &map, TreeShape::binary};
  p.engine = engine;
  return simulate(p, looking_machine());
}

// Polls before each task that no message triggers, and every eight strips of a product.
TEST(Simulations, CountLooksThatFindNothing) {
  const Supernodes s = test::from_picture({"o", "oo"}, 512);  // a block of 16 strips
  const double plain = run(s, {1, 2}, test::slow_machine()).span_s;
  // Rank 0: a sum, a product and once in the middle of it.  Rank 1: the message triggers its sum.
  const Simulation sim = run_by("two_sided", s, {1, 2});
  EXPECT_DOUBLE_EQ(sim.span_s, plain + 3);
  EXPECT_DOUBLE_EQ(sim.rank[0].receive_s, 3);
  EXPECT_DOUBLE_EQ(sim.rank[1].receive_s, 0);
  // No rank sends to rank 0, so it has no queue to poll.
  EXPECT_DOUBLE_EQ(run_by("payload", s, {1, 2}).span_s, plain);
  EXPECT_DOUBLE_EQ(run_by("payload", s, {1, 1}).span_s,
                   run(s, {1, 1}, test::slow_machine()).span_s);
}

// Rank 0 has the first and the last column; ranks 1 and 2 send to it when it has finished the
// first.
TEST(Simulations, LookAtAQueueForEachSender) {
  const Supernodes s = test::from_picture({"o", ".o", "..o", "oooo"});
  EXPECT_DOUBLE_EQ(run_by("two_sided", s, {1, 3}).rank[0].receive_s, 2);
  // Two polls of two queues, then half a poll before the first message and none before the last.
  EXPECT_DOUBLE_EQ(run_by("payload", s, {1, 3}).rank[0].receive_s, 4.5);
}

// Four thread blocks process four columns at a time.
TEST(Simulations, OfAGpuRunBlocksSideBySide) {
  const Supernodes s = test::from_picture({"o", ".o", "..o", "...o", "....o"});
  EXPECT_DOUBLE_EQ(run(s, {1, 1}, gpu_machine()).span_s, 2);
  EXPECT_DOUBLE_EQ(run(s, {1, 1}, test::slow_machine()).span_s, 5);
  Machine shared = gpu_machine();
  shared.read_alone.y = {16};  // for all four
  EXPECT_GT(run(s, {1, 1}, shared).span_s, 2);
}

TEST(Simulations, CutWorkForThreadBlocks) {
  // A block of 512 bytes, and two triangles of 288.
  const Supernodes s = test::from_picture({"o", "oo"}, 8);
  const BlockMap map = map_blocks(s, {1, 1}, Mapping::cyclic);
  const Machine m = gpu_machine();
  EXPECT_DOUBLE_EQ(simulate({&s, &map}, m).span_s, 2 * 36 + 64);
  EXPECT_DOUBLE_EQ(simulate({&s, &map}, m, {.piece_bytes = 128}).span_s, 2 * 18 + 16);
}

template <class Body>
void for_cases(const Body& body) {
  for (unsigned seed = 1; seed < 5; ++seed) {
    const Supernodes s = seed % 2 == 0 ? test::random_supernodes(50, 40, 4, seed)
                                       : test::closed_supernodes(50, 40, 2, seed);
    for (const ProcessGrid grid : {ProcessGrid{1, 1}, {1, 3}, {4, 1}, {3, 2}, {4, 4}})
      for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree, Mapping::balanced})
        for (const Sweep sweep : {Sweep::forward, Sweep::backward})
          for (const TreeShape tree : {TreeShape::binary, TreeShape::flat}) {
            SCOPED_TRACE(std::to_string(seed) + ": " + std::to_string(grid.rows) + "x" +
                         std::to_string(grid.cols) + " " + name(mapping) + " " + name(tree) +
                         (sweep == Sweep::forward ? " forwards" : " backwards"));
            body(s, grid, mapping, sweep, tree);
          }
  }
}

Machine busy_machine(bool gpu) {
  Machine m = gpu ? gpu_machine() : test::slow_machine();
  m.task_s = 0.5;
  m.row_s = 0.1;
  m.messages["payload"].network.send_s = 1;
  m.messages["payload"].network.receive_s = 2;
  return m;
}

TEST(Simulations, SendWhatThePlansSayAndNeverBeatTheBound) {
  for_cases(
      [](const Supernodes& s, ProcessGrid grid, Mapping mapping, Sweep sweep, TreeShape tree) {
        const BlockMap map = map_blocks(s, grid, mapping);
        const std::vector<LocalPlan> plans = make_local_plans(s, map, tree);
        Offset messages = 0, numbers = 0;
        for (const LocalPlan& plan : plans) {
          const Traffic sent = count_traffic(plan, sweep).sent;
          for (const Index m : sent.messages) messages += m;
          for (const Offset m : sent.numbers) numbers += m;
        }
        for (const bool gpu : {false, true}) {
          const Machine m = busy_machine(gpu);
          const Simulation sim = run(s, grid, m, sweep, mapping, tree);
          EXPECT_EQ(sim.messages, messages);
          EXPECT_DOUBLE_EQ(sim.message_bytes, 8.0 * static_cast<double>(numbers));
          RankProblem p{&s, &map, tree};
          p.sweep = sweep;
          EXPECT_GE(sim.span_s, (gpu ? forecast_gpus(p, m) : forecast_ranks(p, m)).compute_least_s);
          EXPECT_NEAR(sim.path_compute_s + sim.path_message_s, sim.span_s, 1e-9 * sim.span_s);
        }
      });
}

TEST(Simulations, KeepOneThingAtATimeOnACore) {
  for_cases(
      [](const Supernodes& s, ProcessGrid grid, Mapping mapping, Sweep sweep, TreeShape tree) {
        const Simulation sim = run(s, grid, busy_machine(false), sweep, mapping, tree);
        std::vector<double> end(static_cast<std::size_t>(grid.size()), 0), busy = end;
        for (const Span& span : sim.timeline) {
          EXPECT_GE(span.begin_s, end[span.rank]);
          EXPECT_GE(span.end_s, span.begin_s);
          end[span.rank] = span.end_s;
          if (span.doing != Doing::wait) busy[span.rank] += span.end_s - span.begin_s;
        }
        for (std::size_t r = 0; r < end.size(); ++r) {
          const RankTimes& t = sim.rank[r];
          EXPECT_NEAR(busy[r], t.compute_s + t.send_s + t.receive_s, 1e-9 * (1 + busy[r]));
          EXPECT_LE(end[r], sim.span_s * (1 + 1e-12));
        }
      });
}

TEST(Simulations, AreTheSameOnEveryRun) {
  const Supernodes s = test::closed_supernodes(80, 20, 2, 9);
  const Simulation a = run(s, {4, 2}, busy_machine(false)), b = run(s, {4, 2}, busy_machine(false));
  ASSERT_EQ(a.timeline.size(), b.timeline.size());
  for (std::size_t k = 0; k < a.timeline.size(); ++k) {
    EXPECT_EQ(a.timeline[k].rank, b.timeline[k].rank);
    EXPECT_EQ(a.timeline[k].begin_s, b.timeline[k].begin_s);
  }
}

// A machine twice as fast in everything takes half the time; twice the read speed alone takes no
// longer.  (No law: a rank may then receive its messages in a worse order, here by a few hundredths
// at most.)
TEST(Simulations, AreFasterOnAFasterMachine) {
  for_cases(
      [](const Supernodes& s, ProcessGrid grid, Mapping mapping, Sweep sweep, TreeShape tree) {
        Machine m = test::slow_machine();
        const double once = run(s, grid, m, sweep, mapping, tree).span_s;
        m.read_alone.y = {16};
        EXPECT_LE(run(s, grid, m, sweep, mapping, tree).span_s, 1.03 * once);
        for (double& t : m.messages["payload"].network.seconds.y) t /= 2;
        EXPECT_NEAR(run(s, grid, m, sweep, mapping, tree).span_s, once / 2, 1e-9 * once);
      });
}

TEST(Simulations, RefuseAnEngineTheMachineHasNot) {
  const Supernodes s = test::from_picture({"o", "oo"});
  const BlockMap map = map_blocks(s, {2, 1}, Mapping::cyclic);
  RankProblem p{&s, &map};
  p.engine = "pigeon";
  try {
    simulate(p, test::slow_machine());
    FAIL() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_argument);
    EXPECT_NE(std::string(e.what()).find("payload"), std::string::npos);
  }
}

}  // namespace
}  // namespace echelon
