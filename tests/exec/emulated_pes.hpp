// tests/exec/emulated_pes.hpp -- the persistent solve on several GPUs, with all blocks on the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "exec/cuda/tiles/pe_values.hpp"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/rank_cases.hpp"

namespace echelon::test {

constexpr int share_blocks = 2;  // per PE

inline std::vector<PePlan> share_plans(const Supernodes& s, const std::vector<LocalPlan>& plans) {
  std::vector<PePlanner> planners;
  for (const LocalPlan& plan : plans) planners.emplace_back(plan, s);
  using Messages = PePlanner::Messages;
  const auto deliver = [](const std::vector<Messages>& sent) {
    std::vector<Messages> received(sent.size(), Messages(sent.size()));
    for (std::size_t from = 0; from < sent.size(); ++from)
      for (std::size_t to = 0; to < sent.size(); ++to) received[to][from] = sent[from][to];
    return received;
  };
  std::vector<Messages> asked, answered;
  for (PePlanner& p : planners) asked.push_back(p.ask());
  asked = deliver(asked);
  for (std::size_t k = 0; k < planners.size(); ++k)
    answered.push_back(planners[k].answer(asked[k]));
  answered = deliver(answered);
  std::vector<PePlan> out;
  for (std::size_t k = 0; k < planners.size(); ++k) out.push_back(planners[k].finish(answered[k]));
  return out;
}

// All PEs, for passes with R right-hand sides.
template <class T, int R>
class Shares {
 public:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  using K = TileTypes<D, S, R, true>;
  static constexpr Index words = R * K::parts;

  Shares(const Supernodes& s, const BlockMap& map, TreeShape shape, const Csc<T>& a,
         const NumericOptions& o = {})
      : plans_(make_local_plans(s, map, shape)), shares_(share_plans(s, plans_)) {
    room_ = make_tile_room({R, sizeof(T), sizeof(PeItem)});
    room_.vector_size = 64;  // so that wide panels are split
    const TileLimits limits{share_blocks, static_cast<Index>(sizeof(T)), room_.vector_size,
                            room_.slots, R == 1 ? TileShape::warps : room_.slots};
    const std::size_t pes = plans_.size();
    pes_.resize(pes);
    done_.assign(pes, std::vector<unsigned long long>(2 * pes, 0));
    for (auto& words_of_pe : done_) done_at_.push_back(words_of_pe.data());
    for (std::size_t k = 0; k < pes; ++k) {
      const PePlan& share = shares_[k];
      One& pe = pes_[k];
      pack_pe<T>(plans_[k], share, rows_of(s, a), o, pe.values, 1);
      uninverted_blocks += pe.values.uninverted_blocks;
      pe.panels = make_panels(share.blocks);
      for (const bool pull : {false, true}) {
        Course& course = pe.course[pull];
        const TileProgram program = make_pe_program(share, pull, pe.values.triangle, limits);
        course.lists = program.lists;
        course.items = pe_items(share, pull, program.items);
        course.chunks = program.chunks;
        course.places = lay_pe_flow(share, pull, program.sums);
      }
      pe.shared.assign(share_blocks,
                       std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
    }
    for (const bool pull : {false, true}) {
      Offset most = 0;
      for (const One& pe : pes_) most = std::max(most, pe.course[pull].places.size);
      const Offset size = most * words;
      for (std::size_t k = 0; k < pes; ++k) {
        pes_[k].course[pull].flow_size = size;
        auto& flow = pes_[k].course[pull].flow;
        flow.assign(static_cast<std::size_t>(RemoteTurns::copies * size), empty_word(S(0)));
        if (!pull)
          for (const Index slot : shares_[k].slots.unused)
            for (Index copy = 0; copy < RemoteTurns::copies; ++copy)
              std::fill_n(flow.begin() + copy * size + slot * words, words, S(0));
        flow_at_[pull].push_back(flow.data());
      }
    }
  }

  // Runs passes in sequence, each PE at its own speed; returns the answers of each pass.
  std::vector<std::vector<T>> solve(const std::vector<Sweep>& ways, const std::vector<T>& b,
                                    Index count) {
    const std::size_t pes = plans_.size();
    std::vector<std::vector<std::vector<T>>> x(pes);
    std::vector<std::vector<T>> right(pes);
    for (std::size_t k = 0; k < pes; ++k) {
      right[k].assign(static_cast<std::size_t>(plans_[k].size()) * count, T(0));
      for_each_own(plans_[k], count, [&](Offset whole, Offset part) { right[k][part] = b[whole]; });
      x[k].assign(ways.size(), right[k]);
    }
    std::vector<std::vector<TileParameters<K>>> passes(pes);
    for (const Sweep sweep : ways) {
      const bool pull = sweep == Sweep::backward;
      const RemoteTurn turn = turns_[pull].next(++pass_);
      for (std::size_t k = 0; k < pes; ++k)
        passes[k].push_back(
            make_pass(k, pull, turn, sides(k, right[k], x[k][passes[k].size()], count)));
    }
    EmulatedBlock grid(tile_threads, share_blocks, static_cast<int>(pes));
    std::vector<unsigned> ended(pes, 0);
    grid.run([&] {
      const std::size_t k = EmulatedBlock::current_block->grid();
      unsigned wanted = 0;
      for (const TileParameters<K>& p : passes[k]) {
        run_tile_pass(p, reinterpret_cast<char*>(pes_[k].shared[blockIdx.x].data()));
        ++ended[k];
        wanted += share_blocks * tile_threads;
        while (ended[k] < wanted) pause_thread();  // launches of a PE run one after the other
      }
    });
    std::vector<std::vector<T>> all(ways.size(), std::vector<T>(b.size()));
    for (std::size_t k = 0; k < pes; ++k)
      for (std::size_t w = 0; w < ways.size(); ++w)
        for_each_own(plans_[k], count,
                     [&](Offset whole, Offset part) { all[w][whole] = x[k][w][part]; });
    return all;
  }

  unsigned status[2] = {};
  bool rehearses = false;
  Index uninverted_blocks = 0;
  const std::vector<PePlan>& shares() const { return shares_; }

 private:
  struct alignas(128) Line {
    char byte[128];
  };
  struct Course {
    Buffer<TileList> lists;
    Buffer<PeItem> items;
    Buffer<TileChunk> chunks;
    FlowPlaces places;
    std::vector<S> flow;
    Offset flow_size = 0;  // words per copy
    std::array<GridWords, 1> words;
  };
  struct One {
    PeValues<T> values;
    Buffer<DevicePanel> panels;
    Course course[2];
    unsigned long long clock[2];
    std::vector<std::vector<Line>> shared;
  };

  TileVectors<D> sides(std::size_t k, const std::vector<T>& b, std::vector<T>& x, Index count) {
    const Index n = shares_[k].size();
    return {{n, false, false, std::bit_cast<D>(T(1)), reinterpret_cast<const D*>(b.data()), 1, n,
             reinterpret_cast<D*>(x.data()), 1, n, status},
            count,
            false,
            false,
            nullptr};
  }
  TileParameters<K> make_pass(std::size_t k, bool pull, const RemoteTurn& turn,
                              const TileVectors<D>& sides) {
    One& pe = pes_[k];
    const PePlan& share = shares_[k];
    DevicePlan plan;
    plan.n = share.size();
    plan.panel = pe.panels.data();
    plan.task_start = share.blocks.task_start.data();
    plan.outside = share.blocks.outside.data();
    TileParameters<K> pass = make_tile_parameters<K>(
        {plan, pe.values.form.data(), reinterpret_cast<const S*>(pe.values.value.data()), 0,
         share.to.data(), share.slots.more.data()},
        pe.course[pull], sides, {room_, nullptr, 60000000000});  // a minute
    const RemotePes pes{static_cast<Index>(k), static_cast<Index>(plans_.size()), rehearses,
                        done_at_.data(), pe.clock};
    pass.mailbox.remote =
        make_remote_view<S>(turn, pes, flow_at_[pull].data(), pull ? share.pull : share.push);
    return pass;
  }

  std::vector<LocalPlan> plans_;
  std::vector<PePlan> shares_;
  TileSharedMemory room_;
  std::vector<One> pes_;
  std::vector<std::vector<unsigned long long>> done_;
  std::vector<unsigned long long*> done_at_;
  std::vector<S*> flow_at_[2];
  RemoteTurns turns_[2];
  unsigned long long pass_ = 0;
};

}  // namespace echelon::test
