// tests/exec/test_multi_gpu_pass.cpp -- the persistent solve on several GPUs, emulated on the CPU:
// grids, trees, mappings and scalars, and PEs that run ahead.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_pes.hpp"

namespace echelon {
namespace {

using test::share_plans, test::Shares;

const std::vector<Way> both = {Way::forwards, Way::backwards};

template <class T, int R>
void expect_solved(const Supernodes& s, const ProcessGrid& grid, Mapping mapping, TreeShape shape,
                   double growth = 1e4) {
  SCOPED_TRACE(std::to_string(grid.rows) + "x" + std::to_string(grid.cols) + " " + name(mapping) +
               " " + name(shape) + ", n = " + std::to_string(s.n));
  const Csc<T> a = test::fill_pattern<T>(s, 60);
  NumericOptions o;
  o.largest_growth = growth;
  Shares<T, R> shares(s, map_blocks(s, grid, mapping), shape, a, o);
  EXPECT_EQ(shares.uninverted_blocks, growth == 0 ? s.count() : 0);
  const Index count = R == 1 ? 1 : R - 1;
  const auto b = test::random_vector<T>(static_cast<std::size_t>(s.n) * count);
  const auto x = shares.solve(both, b, count);
  for (std::size_t k = 0; k < both.size(); ++k) test::check(a, both[k], b, x[k], count);
  EXPECT_EQ(shares.solve(both, b, count), x) << "other bits the second time";
  EXPECT_EQ(shares.status[0] + shares.status[1], 0u);
}

const std::vector<ProcessGrid> grids = {{1, 1}, {1, 3}, {2, 2}, {4, 1}, {1, 4}};

TEST(SharePass, SolvesOnAllGrids) {
  for (const Supernodes& s :
       {test::random_supernodes(30, 45, 3, 2), test::closed_supernodes(40, 9, 1.5, 3)})
    for (const ProcessGrid& grid : grids)
      for (const Mapping mapping : {Mapping::cyclic, Mapping::subtree, Mapping::balanced})
        for (const TreeShape shape : {TreeShape::binary, TreeShape::flat}) {
          expect_solved<double, 1>(s, grid, mapping, shape);
          if (mapping == Mapping::cyclic) expect_solved<double, 1>(s, grid, mapping, shape, 0);
        }
}

TEST(SharePass, SolvesNothingAndOneBlock) {
  expect_solved<double, 1>(test::random_supernodes(0, 1, 0, 1), {2, 1}, Mapping::cyclic,
                           TreeShape::binary);
  expect_solved<double, 1>(test::random_supernodes(1, 5, 0, 1), {1, 2}, Mapping::cyclic,
                           TreeShape::binary);
  expect_solved<double, 1>(test::random_supernodes(3, 300, 2, 1), {2, 1}, Mapping::cyclic,
                           TreeShape::binary);
}

template <class T>
class SharePasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SharePasses, Scalars);

TYPED_TEST(SharePasses, SolveForOneAndSeveralRightHandSides) {
  const Supernodes s = test::closed_supernodes(24, 40, 1.5, 5);
  for (const double growth : {1e4, 0.0}) {
    expect_solved<TypeParam, 1>(s, {2, 2}, Mapping::cyclic, TreeShape::binary, growth);
    expect_solved<TypeParam, 4>(s, {2, 2}, Mapping::subtree, TreeShape::binary, growth);
    expect_solved<TypeParam, 4>(s, {1, 3}, Mapping::balanced, TreeShape::flat, growth);
  }
}

// Each pass starts from the flows that the one before left, for any number of vectors.
TYPED_TEST(SharePasses, ServeAnyNumberOfVectorsAfterAnyOther) {
  using T = TypeParam;
  const Supernodes s = test::closed_supernodes(16, 30, 1.5, 5);
  const Csc<T> a = test::fill_pattern<T>(s, 60);
  Shares<T, 4> shares(s, map_blocks(s, {2, 1}, Mapping::balanced), TreeShape::flat, a);
  unsigned turn = 0;
  for (const Index count : {4, 1, 3, 1, 1, 4, 2}) {
    const auto b = test::random_vector<T>(static_cast<std::size_t>(s.n) * count, ++turn);
    const auto x = shares.solve(both, b, count);
    for (std::size_t k = 0; k < both.size(); ++k) test::check(a, both[k], b, x[k], count);
  }
  EXPECT_EQ(shares.status[0] + shares.status[1], 0u);
}

// Without notices from its receivers, a PE that only sends would run several passes ahead.
TEST(SharePass, PEsThatRunAheadWait) {
  const Supernodes s = test::random_supernodes(30, 20, 3, 4);
  const Csc<double> a = test::fill_pattern<double>(s, 60);
  const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n));
  for (const ProcessGrid& grid : {ProcessGrid{1, 3}, {2, 2}}) {
    Shares<double, 1> shares(s, map_blocks(s, grid, Mapping::subtree), TreeShape::binary, a);
    const std::vector<Way> ways(9, Way::forwards);
    const auto x = shares.solve(ways, b, 1);
    test::check(a, Way::forwards, b, x[0], 1);
    for (const auto& again : x) EXPECT_EQ(again, x[0]);
    const auto y = shares.solve(std::vector<Way>(7, Way::backwards), b, 1);
    test::check(a, Way::backwards, b, y[0], 1);
    for (const auto& again : y) EXPECT_EQ(again, y[0]);
  }
}

// All blocks of all PEs synchronize before the first tile.
TEST(SharePass, CanBeRehearsed) {
  const Supernodes s = test::random_supernodes(20, 20, 3, 4);
  const Csc<double> a = test::fill_pattern<double>(s, 60);
  const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n));
  Shares<double, 1> shares(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary, a);
  shares.rehearses = true;
  const auto x = shares.solve({Way::forwards}, b, 1);
  EXPECT_EQ(shares.status[0] + shares.status[1], 0u);
  test::check(a, Way::forwards, b, x[0], 1);
}

// On one PE the part is the whole triangle: the same tiles as on one GPU.
TEST(SharePass, OnePeHasNothingToTell) {
  const Supernodes s = test::closed_supernodes(40, 30, 2, 3);
  const Csc<double> a = test::fill_pattern<double>(s, 60);
  Shares<double, 1> shares(s, map_blocks(s, {1, 1}, Mapping::subtree), TreeShape::binary, a);
  const PePlan& share = shares.shares()[0];
  EXPECT_TRUE(share.push.target.empty() && share.pull.target.empty());
  EXPECT_TRUE(share.push.inbox.empty() && share.pull.inbox.empty());
  Offset values = 0;
  for (Index t = 0; t < s.count(); ++t)
    values += panel_size(PanelLayout::strips, s.width(t), s.height(t));
  EXPECT_EQ(share.values, values);
}

// No values are stored on two PEs, diagonal blocks included.
TEST(SharePass, ValuesAreSharedOut) {
  const Supernodes s = test::closed_supernodes(40, 64, 2, 3);
  const std::vector<LocalPlan> plans =
      make_local_plans(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary);
  const std::vector<PePlan> shares = share_plans(s, plans);
  for (std::size_t k = 0; k < plans.size(); ++k)
    EXPECT_LE(shares[k].values, plans[k].values() + plans[k].diagonals.values() +
                                    7 * Offset{plans[k].size()} * 64);  // rows in groups of eight
}

}  // namespace
}  // namespace echelon
