// tests/exec/test_share_pass.cpp -- the persistent solve on several GPUs, all of their blocks side
// by side on the CPU: grids, trees, mappings and scalars, and PEs that run ahead.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First, so that device code finds what it is emulated by.
#include "exec/emulated_flow.hpp"
// (kept apart from the others)
#include "exec/cuda/tile_pass.cuh"
#include "exec/rank_cases.hpp"
#include "exec/share_values.hpp"

namespace echelon {
namespace {

constexpr int blocks = 2;

std::vector<SharePlan> share_plans(const Supernodes& s, const std::vector<LocalPlan>& plans) {
  std::vector<SharePlanner> planners;
  for (const LocalPlan& plan : plans) planners.emplace_back(plan, s);
  using Letters = SharePlanner::Letters;
  const auto deliver = [](const std::vector<Letters>& sent) {
    std::vector<Letters> received(sent.size(), Letters(sent.size()));
    for (std::size_t from = 0; from < sent.size(); ++from)
      for (std::size_t to = 0; to < sent.size(); ++to) received[to][from] = sent[from][to];
    return received;
  };
  std::vector<Letters> asked, answered;
  for (SharePlanner& p : planners) asked.push_back(p.ask());
  asked = deliver(asked);
  for (std::size_t k = 0; k < planners.size(); ++k)
    answered.push_back(planners[k].answer(asked[k]));
  answered = deliver(answered);
  std::vector<SharePlan> out;
  for (std::size_t k = 0; k < planners.size(); ++k) out.push_back(planners[k].finish(answered[k]));
  return out;
}

struct alignas(128) Line {
  char byte[128];
};

// All PEs, for passes of R right-hand sides.
template <class T, int R>
class Shares {
 public:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  using Pass = TilePass<D, S, R, true>;
  static constexpr Index words = R * Pass::parts;

  Shares(const Supernodes& s, const BlockMap& map, TreeShape shape, const Csc<T>& a,
         const NumericOptions& o = {})
      : plans_(make_local_plans(s, map, shape)), shares_(share_plans(s, plans_)) {
    room_ = make_tile_room(R, sizeof(T), sizeof(ShareItem));
    room_.vector_size = 64;  // so that wide panels come in parts
    const TileLimits limits{blocks, static_cast<Index>(sizeof(T)), room_.vector_size, room_.slots,
                            R == 1 ? TileShape::warps : room_.slots};
    const std::size_t pes = plans_.size();
    pes_.resize(pes);
    done_.assign(pes, std::vector<unsigned long long>(2 * pes, 0));
    for (auto& words_of_pe : done_) done_at_.push_back(words_of_pe.data());
    for (std::size_t k = 0; k < pes; ++k) {
      const SharePlan& share = shares_[k];
      One& pe = pes_[k];
      pack_share<T>(plans_[k], share, test::rows_of(s, a), o, pe.values, 1);
      kept_triangles += pe.values.kept_triangles;
      pe.panels = make_panels(share.blocks);
      for (const bool pull : {false, true}) {
        Course& course = pe.course[pull];
        course.program = make_share_program(share, pull, pe.values.triangle, limits);
        course.items = share_items(share, pull, course.program.items);
        course.places.emplace(share, pull, course.program.sums);
      }
      pe.shared.assign(blocks,
                       std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
    }
    for (const bool pull : {false, true}) {
      Offset most = 0;
      for (const One& pe : pes_) most = std::max(most, pe.course[pull].places->size);
      size_[pull] = most * words;
      for (std::size_t k = 0; k < pes; ++k) {
        auto& flow = pes_[k].course[pull].flow;
        flow.assign(3 * static_cast<std::size_t>(size_[pull]), empty_word(S(0)));
        if (!pull)
          for (const Index slot : shares_[k].slots.unused)
            for (Index copy = 0; copy < 3; ++copy)
              std::fill_n(flow.begin() + copy * size_[pull] + slot * words, words, S(0));
        flow_at_[pull].push_back(flow.data());
      }
    }
  }

  // Passes one after the other, each PE as fast as it can; returns the answers of each.
  std::vector<std::vector<T>> solve(const std::vector<Way>& ways, const std::vector<T>& b,
                                    Index count) {
    const std::size_t pes = plans_.size();
    std::vector<std::vector<std::vector<T>>> x(pes);
    std::vector<std::vector<T>> right(pes);
    for (std::size_t k = 0; k < pes; ++k) {
      right[k].assign(static_cast<std::size_t>(plans_[k].size()) * count, T(0));
      test::for_each_own(plans_[k], count,
                         [&](Offset whole, Offset part) { right[k][part] = b[whole]; });
      x[k].assign(ways.size(), right[k]);
    }
    std::vector<std::vector<Pass>> passes(pes);
    for (const Way way : ways) {
      const bool pull = way == Way::backwards;
      const auto number = static_cast<unsigned long long>(++pass_);
      uses_[pull].push_back(number);
      const std::size_t use = uses_[pull].size() - 1;
      for (std::size_t k = 0; k < pes; ++k) {
        Pass p = make_pass(k, pull, right[k], x[k][passes[k].size()], count);
        p.share.copy = use % 3;
        p.share.pass = number;
        p.share.finished = use < 2 ? 0 : uses_[pull][use - 2];
        passes[k].push_back(p);
      }
    }
    EmulatedBlock grid(tile_threads, blocks, static_cast<int>(pes));
    std::vector<unsigned> ended(pes, 0);
    grid.run([&] {
      const std::size_t k = EmulatedBlock::current_block->grid();
      unsigned wanted = 0;
      for (const Pass& p : passes[k]) {
        p.run(reinterpret_cast<char*>(pes_[k].shared[blockIdx.x].data()));
        ++ended[k];
        wanted += blocks * tile_threads;
        while (ended[k] < wanted) pause_thread();  // a launch begins when the one before has ended
      }
    });
    std::vector<std::vector<T>> all(ways.size(), std::vector<T>(b.size()));
    for (std::size_t k = 0; k < pes; ++k)
      for (std::size_t w = 0; w < ways.size(); ++w)
        test::for_each_own(plans_[k], count,
                           [&](Offset whole, Offset part) { all[w][whole] = x[k][w][part]; });
    return all;
  }

  unsigned status[2] = {};
  bool rehearses = false;
  Index kept_triangles = 0;
  const std::vector<SharePlan>& shares() const { return shares_; }

 private:
  struct Course {
    TileProgram program;
    Buffer<ShareItem> items;
    std::optional<ShareFlow> places;
    std::vector<S> flow;
    TileState state;
  };
  struct One {
    ShareValues<T> values;
    Buffer<DevicePanel> panels;
    Course course[2];
    unsigned long long clock[2];
    std::vector<std::vector<Line>> shared;
  };

  Pass make_pass(std::size_t k, bool pull, const std::vector<T>& b, std::vector<T>& x,
                 Index count) {
    One& pe = pes_[k];
    const SharePlan& share = shares_[k];
    Course& course = pe.course[pull];
    const SharePlan::Way& way = pull ? share.pull : share.push;
    Pass pass{};
    pass.plan.n = share.size();
    pass.plan.panel = pe.panels.data();
    pass.plan.task_start = share.blocks.task_start.data();
    pass.plan.outside = share.blocks.outside.data();
    pass.form = pe.values.form.data();
    pass.value = reinterpret_cast<const S*>(pe.values.value.data());
    pass.lists = course.program.lists.data();
    pass.items = course.items.data();
    pass.chunks = course.program.chunks.data();
    pass.to = share.to.data();
    pass.more = share.slots.more.data();
    pass.vectors = {share.size(),
                    false,
                    false,
                    std::bit_cast<D>(T(1)),
                    reinterpret_cast<const D*>(b.data()),
                    1,
                    share.size(),
                    reinterpret_cast<D*>(x.data()),
                    1,
                    share.size(),
                    status};
    pass.count = count;
    pass.flow = course.flow.data();
    pass.flow_size = size_[pull];
    pass.pushed = course.places->pushed;
    pass.answers = course.places->answers;
    pass.sums_place = course.places->sums;
    pass.state = &course.state;
    pass.patience = 60000000000;  // a minute
    pass.room = room_;
    pass.share.flow = flow_at_[pull].data();
    pass.share.tell = way.tell.data();
    pass.share.list = way.list.data();
    pass.share.inbox = way.inbox.data();
    pass.share.inbox_size = static_cast<Index>(way.inbox.size());
    pass.share.receivers = way.receivers.data();
    pass.share.receivers_size = static_cast<Index>(way.receivers.size());
    pass.share.senders = way.senders.data();
    pass.share.senders_size = static_cast<Index>(way.senders.size());
    pass.share.me = static_cast<Index>(k);
    pass.share.pes = static_cast<Index>(plans_.size());
    pass.share.rehearses = rehearses;
    pass.share.done = done_at_.data();
    pass.share.clock = pe.clock;
    return pass;
  }

  std::vector<LocalPlan> plans_;
  std::vector<SharePlan> shares_;
  TileRoom room_;
  std::vector<One> pes_;
  std::vector<std::vector<unsigned long long>> done_;
  std::vector<unsigned long long*> done_at_;
  std::vector<S*> flow_at_[2];
  Offset size_[2] = {};
  std::vector<unsigned long long> uses_[2];  // the pass of each
  Index pass_ = 0;
};

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
  EXPECT_EQ(shares.kept_triangles, growth == 0 ? s.count() : 0);
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

// Without a word from receivers a PE that only sends would be passes ahead.
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

// All blocks of all PEs meet before the first tile.
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

// A part of a triangle on one PE is the whole: the same tiles as on one GPU.
TEST(SharePass, OnePeHasNothingToTell) {
  const Supernodes s = test::closed_supernodes(40, 30, 2, 3);
  const Csc<double> a = test::fill_pattern<double>(s, 60);
  Shares<double, 1> shares(s, map_blocks(s, {1, 1}, Mapping::subtree), TreeShape::binary, a);
  const SharePlan& share = shares.shares()[0];
  EXPECT_TRUE(share.push.tell.empty() && share.pull.tell.empty());
  EXPECT_TRUE(share.push.inbox.empty() && share.pull.inbox.empty());
  Offset values = 0;
  for (Index t = 0; t < s.count(); ++t)
    values += panel_size(PanelLayout::strips, s.width(t), s.height(t));
  EXPECT_EQ(share.values, values);
}

// No PE has what another has: diagonal blocks are nowhere twice.
TEST(SharePass, ValuesAreSharedOut) {
  const Supernodes s = test::closed_supernodes(40, 64, 2, 3);
  const std::vector<LocalPlan> plans =
      make_local_plans(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary);
  const std::vector<SharePlan> shares = share_plans(s, plans);
  for (std::size_t k = 0; k < plans.size(); ++k)
    EXPECT_LE(shares[k].values, plans[k].values() + plans[k].diagonals.values() +
                                    7 * Offset{plans[k].size()} * 64);  // rows in groups of eight
}

}  // namespace
}  // namespace echelon
