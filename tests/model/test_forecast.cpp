// tests/model/test_forecast.cpp -- the papers' models, computed by hand.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "dist/patterns.hpp"
#include "model/block_pictures.hpp"

namespace echelon {
namespace {

const std::vector<std::string> example = {"o",     ".o",     "ooo",     "..oo",
                                          "...oo", "o....o", ".o.o.oo", "..o.o.oo"};

TEST(ForecastOfRanks, AddsUpThePath) {
  const Supernodes s = test::from_picture(example);
  const BlockMap map = map_blocks(s, {2, 2}, Mapping::cyclic);
  const Forecast f = forecast_ranks({&s, &map}, test::slow_machine());
  EXPECT_DOUBLE_EQ(f.compute_most_s, 14);  // blocks on the path, one second each
  EXPECT_DOUBLE_EQ(f.compute_least_s, 5);  // of 19 blocks, those of the rank with most
  EXPECT_DOUBLE_EQ(f.communicate_s, 100);  // ten messages, each alone in its tree
  EXPECT_DOUBLE_EQ(f.total_s, 114);
  EXPECT_EQ(f.messages, 10);
  ASSERT_EQ(f.level_compute_s.size(), 9U);
  EXPECT_DOUBLE_EQ(f.level_compute_s[1], 2);
  EXPECT_DOUBLE_EQ(f.level_communicate_s[1], 0);
  EXPECT_DOUBLE_EQ(f.level_communicate_s[2], 20);  // diagonal 2: one in, one out
  EXPECT_DOUBLE_EQ(std::accumulate(f.level_communicate_s.begin(), f.level_communicate_s.end(), 0.0),
                   f.communicate_s);
}

// A column with rows on eight other ranks, then a row with sums from all of them.
TEST(ForecastOfRanks, ReachesFurtherAlongABinaryTree) {
  std::vector<std::string> picture(9, "o");
  for (Index i = 1; i < 9; ++i)
    picture[i] += std::string(static_cast<std::size_t>(i) - 1, '.') + "o";
  const Supernodes s = test::from_picture(picture);
  Machine m = test::slow_machine();
  m.messages["payload"].network.seconds = {{8, 16}, {10, 18}};
  const auto out = [&](TreeShape tree, Index vectors) {
    const BlockMap map = map_blocks(s, {9, 1}, Mapping::cyclic);
    RankProblem p{&s, &map, tree};
    p.vectors = vectors;
    return forecast_ranks(p, m).level_communicate_s[0];
  };
  EXPECT_DOUBLE_EQ(out(TreeShape::binary, 1), 10);  // latencies of one sender overlap
  EXPECT_DOUBLE_EQ(out(TreeShape::binary, 2), 10 + 3 * 8);
  EXPECT_DOUBLE_EQ(out(TreeShape::flat, 2), 10 + 8 * 8);
  // Three vectors are 24 bytes and count as 32: at the speed between 8 and 16 bytes.
  EXPECT_DOUBLE_EQ(out(TreeShape::flat, 3), 10 + 8 * 24);
}

TEST(ForecastOfRanks, TakesTheNodeWhereNobodyLeavesIt) {
  const Supernodes s = test::from_picture(example);
  const BlockMap map = map_blocks(s, {2, 2}, Mapping::cyclic);
  Machine m = test::slow_machine();
  m.node_ranks = 4;
  m.messages["payload"].node.seconds = {{8}, {1}};
  EXPECT_DOUBLE_EQ(forecast_ranks({&s, &map}, m).communicate_s, 10);
  m.node_ranks = 2;  // ranks 0 and 1, 2 and 3: rows of the grid
  EXPECT_DOUBLE_EQ(forecast_ranks({&s, &map}, m).communicate_s, 5 * 1 + 5 * 10);
}

TEST(ForecastOfRanks, IsNeverSlowerWithMoreBandwidth) {
  for (unsigned seed = 1; seed < 8; ++seed) {
    const Supernodes s = test::closed_supernodes(60, 6, 2, seed);
    const BlockMap map = map_blocks(s, {3, 2}, Mapping::subtree);
    for (const Way way : {Way::forwards, Way::backwards}) {
      RankProblem p{&s, &map};
      p.way = way;
      Machine m = test::slow_machine();
      double before = forecast_ranks(p, m).total_s;
      for (double speed = 16; speed < 1e4; speed *= 2) {
        m.read_alone.y = {speed};
        const Forecast f = forecast_ranks(p, m);
        EXPECT_LE(f.total_s, before);
        EXPECT_LE(f.compute_least_s, f.compute_most_s * (1 + 1e-12));
        before = f.total_s;
      }
    }
  }
}

// Four independent supernodes of two columns, and one with rows of all.
class ForecastOfGpus : public testing::Test {
 protected:
  ForecastOfGpus() {
    m_.name = "gpus";
    m_.kind = MachineKind::gpu;
    m_.read_alone = {{1}, {64}};
    m_.block_least = 4;
    m_.block_most = 32;
    m_.blocks = 3;
    m_.messages["payload"].network.seconds = {{8, 1024}, {10, 10}};
  }
  Forecast run(ProcessGrid grid, double one_gpu_s = 0) {
    const BlockMap map = map_blocks(s_, grid, Mapping::cyclic);
    return forecast_gpus({&s_, &map}, m_, one_gpu_s);
  }
  const Supernodes s_ = test::from_picture({"o", ".o", "..o", "...o", "ooooo"}, 2);
  Machine m_;
};

TEST_F(ForecastOfGpus, ReadsAFullSetAtFullSpeedAndTheRestByBlocks) {
  // Nodes of level 0 have 3 + 4 entries, 56 bytes.  Three of them at 64 bytes per second; the
  // fourth alone at 32; then the last triangle, 24 bytes, at 32.
  const Forecast f = run({1, 1});
  ASSERT_EQ(f.level_compute_s.size(), 2U);
  EXPECT_DOUBLE_EQ(f.level_compute_s[0], 3 * 56 / 64.0 + 56 / 32.0);
  EXPECT_DOUBLE_EQ(f.level_compute_s[1], 24 / 32.0);
  EXPECT_DOUBLE_EQ(f.total_s, f.compute_most_s);
  EXPECT_EQ(f.messages, 0);
}

TEST_F(ForecastOfGpus, ChargesARootForAllItHearsAndOthersForWhatTheySend) {
  // Columns on two GPUs: GPU 1 has columns 1 and 3 and sends one sum to GPU 0.
  const Forecast f = run({1, 2});
  EXPECT_EQ(f.messages, 1);
  EXPECT_EQ(f.slowest, 0);
  EXPECT_DOUBLE_EQ(f.communicate_s, 10);
  EXPECT_DOUBLE_EQ(f.level_compute_s[0], 2 * 56 / (2 * 32.0));
}

TEST_F(ForecastOfGpus, DoesNotAdjustABlocksSpeedWhereThatIsTooGood) {
  m_.messages["payload"].network.seconds = {{8}, {1e-9}};
  const double adjusted = run({1, 2}).total_s;
  EXPECT_DOUBLE_EQ(run({1, 2}, 1.9 * adjusted).total_s, adjusted);
  // Five supernodes on two GPUs: 64 / 2.5 bytes per second and block.
  const Forecast f = run({1, 2}, 2.1 * adjusted);
  EXPECT_GT(f.total_s, adjusted);
  EXPECT_DOUBLE_EQ(f.level_compute_s[0], 2 * 56 / (2 * 25.6));
}

}  // namespace
}  // namespace echelon
