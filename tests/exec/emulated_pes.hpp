// tests/exec/emulated_pes.hpp -- the persistent solve on several GPUs, with all blocks on the CPU.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

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
  using Pass = TilePass<D, S, R, true>;
  static constexpr Index words = R * Pass::parts;

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
        course.program = make_pe_program(share, pull, pe.values.triangle, limits);
        course.items = pe_items(share, pull, course.program.items);
        course.places.emplace(share, pull, course.program.sums);
      }
      pe.shared.assign(share_blocks,
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

  // Runs passes in sequence, each PE at its own speed; returns the answers of each pass.
  std::vector<std::vector<T>> solve(const std::vector<Way>& ways, const std::vector<T>& b,
                                    Index count) {
    const std::size_t pes = plans_.size();
    std::vector<std::vector<std::vector<T>>> x(pes);
    std::vector<std::vector<T>> right(pes);
    for (std::size_t k = 0; k < pes; ++k) {
      right[k].assign(static_cast<std::size_t>(plans_[k].size()) * count, T(0));
      for_each_own(plans_[k], count, [&](Offset whole, Offset part) { right[k][part] = b[whole]; });
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
    EmulatedBlock grid(tile_threads, share_blocks, static_cast<int>(pes));
    std::vector<unsigned> ended(pes, 0);
    grid.run([&] {
      const std::size_t k = EmulatedBlock::current_block->grid();
      unsigned wanted = 0;
      for (const Pass& p : passes[k]) {
        p.run(reinterpret_cast<char*>(pes_[k].shared[blockIdx.x].data()));
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
    TileProgram program;
    Buffer<PeItem> items;
    std::optional<PeFlow> places;
    std::vector<S> flow;
    TileState state;
  };
  struct One {
    PeValues<T> values;
    Buffer<DevicePanel> panels;
    Course course[2];
    unsigned long long clock[2];
    std::vector<std::vector<Line>> shared;
  };

  Pass make_pass(std::size_t k, bool pull, const std::vector<T>& b, std::vector<T>& x,
                 Index count) {
    One& pe = pes_[k];
    const PePlan& share = shares_[k];
    Course& course = pe.course[pull];
    const PePlan::Way& way = pull ? share.pull : share.push;
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
    pass.timeout_ns = 60000000000;  // a minute
    pass.room = room_;
    pass.share.flow = flow_at_[pull].data();
    pass.share.target = way.target.data();
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
  std::vector<PePlan> shares_;
  TileSharedMemory room_;
  std::vector<One> pes_;
  std::vector<std::vector<unsigned long long>> done_;
  std::vector<unsigned long long*> done_at_;
  std::vector<S*> flow_at_[2];
  Offset size_[2] = {};
  std::vector<unsigned long long> uses_[2];  // the passes, by number
  Index pass_ = 0;
};

}  // namespace echelon::test
