// exec/cuda/tiles/tile_program.cpp -- cuts panels into tiles, small enough that a level fills the
// grid and large enough to pay off, and assigns them so that all blocks stream about as many bytes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Cost.  O(strips of all panels).
#include "exec/cuda/tiles/tile_program.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>

namespace echelon {
namespace {

constexpr double tile_work = 32768;  // cost of a tile besides its bytes, in bytes

// Items of one task that one block runs, and their cost.
struct Job {
  Buffer<TileItem> items;
  Buffer<TileChunk> chunks;  // chunk_end of an item counts from the job's first chunk
  double work = 0;
};

class Cutter {
 public:
  Cutter(const BlockPlan& plan, const TileSlots& slots, std::span<const Index> skipped,
         std::span<const char> sent, const TileLimits& limits)
      : plan_(plan),
        slots_(slots),
        skipped_(skipped),
        sent_(sent),
        limits_(limits),
        columns_(TileShape::stage / (PanelShape::strip * limits.value_bytes)) {}

  // Jobs of task t, of about `bytes` bytes each.
  void cut(Index t, bool pull, double bytes, std::vector<Job>& jobs) {
    pull_ = pull;
    const Index first = plan_.task_start[t], last = plan_.task_start[t + 1];
    Index at = 0;
    if (last - first == 1) return cut_panel(t, first, at, bytes, jobs);
    std::vector<std::vector<Job>> panels(static_cast<std::size_t>(last - first));
    for (Index k = first; k < last; ++k) {
      cut_panel(t, k, at, std::numeric_limits<double>::infinity(), panels[k - first]);
      at += width(k);
    }
    if (pull_) std::reverse(panels.begin(), panels.end());
    Job whole;  // a gathered subtree stays together, in order
    for (const auto& panel : panels)
      for (const Job& part : panel) append(part, whole);
    whole.items.front().enters = true;
    whole.items.back().leaves = true;
    jobs.push_back(std::move(whole));
  }
  // Jobs that publish the numbers of task t to other PEs.
  void send(Index t, bool pull, std::vector<Job>& jobs) {
    pull_ = pull;
    TileItem item = item_of(t, plan_.task_start[t], 0);
    item.sends = true;
    for (Index low = 0; low < item.w; low += limits_.vector)
      add_item(item, low, std::min(low + limits_.vector, item.w), true, jobs.emplace_back());
  }
  Index sums() const { return sums_; }
  void forget_sums(Index after) { sums_ = after; }

 private:
  // The first strip of a task that is on this PE.
  Index first_strip(Index t) const { return skipped_.empty() ? 0 : skipped_[t]; }
  Index width(Index k) const { return plan_.supernodes.width(plan_.order[k]); }
  Index height(Index k) const { return plan_.supernodes.height(plan_.order[k]); }

  static void append(const Job& part, Job& whole) {
    const auto before = static_cast<Index>(whole.chunks.size());
    for (TileItem item : part.items) {
      item.chunk_end += before;
      whole.items.push_back(item);
    }
    whole.chunks.insert(whole.chunks.end(), part.chunks.begin(), part.chunks.end());
    whole.work += part.work;
  }

  // The members that all items of a panel share.
  TileItem item_of(Index t, Index k, Index at) const {
    TileItem item{};
    item.panel = k;
    item.w = width(k);
    item.h = height(k);
    item.first = plan_.supernodes.first[plan_.order[k]];
    item.at = at;
    item.task = t;
    item.own = plan_.own[t];
    item.outside = static_cast<Index>(plan_.outside_start[t + 1] - plan_.outside_start[t]);
    item.parts = 1;
    item.pull = pull_;
    item.pairs = slots_.pairs[t];
    item.more = slots_.more_at[t];
    item.slots = slots_.start[t];
    item.space = plan_.space_start[t];
    item.local = plan_.local_start[k];
    item.outside_start = plan_.outside_start[t];
    item.single = plan_.task_start[t + 1] - plan_.task_start[t] == 1;
    return item;
  }

  void cut_panel(Index t, Index k, Index at, double bytes, std::vector<Job>& jobs) {
    const TileItem item = item_of(t, k, at);
    if (pull_)
      cut_columns(item, bytes, jobs);
    else
      cut_strips(item, bytes, jobs);
  }

  void add_chunk(const TileItem& item, Index strip, Index count, Index from, Index to,
                 Job& job) const {
    const Strip s = strip_of(item.w, item.h, strip);
    const Strip last = strip_of(item.w, item.h, strip + count - 1);
    const Offset first = s.column(from);
    const Offset values = last.column(to) - first;
    const bool full = count == 1 && to - from == columns_ && to <= s.full &&
                      s.begin + PanelShape::strip <= item.w + item.h;
    job.chunks.push_back(
        {static_cast<std::uint32_t>((plan_.value_start[item.panel] + first) / PanelShape::group),
         strip, from, static_cast<std::uint8_t>(to - from), static_cast<std::uint8_t>(count),
         static_cast<std::uint8_t>(values / PanelShape::group), full});
    job.work += static_cast<double>(values * limits_.value_bytes);
  }
  void add_item(TileItem item, Index low, Index high, bool last, Job& job) const {
    item.low = low;
    item.high = high;
    item.last = last;
    item.chunk_end = static_cast<Index>(job.chunks.size());
    job.items.push_back(item);
    job.work += tile_work;
  }
  // Strips of a narrow panel that fit into one chunk.
  Index strips_at_once(Index w) const {
    return std::clamp(columns_ / std::max(w, Index{1}), Index{1}, TileShape::most_strips);
  }

  // The number of blocks that share a tile of `chunks` chunks.
  static Index parts_of(double bytes, Index chunks) {
    const double wanted = std::min(static_cast<double>(chunks) * TileShape::stage / bytes,
                                   static_cast<double>(TileShape::most_parts));
    return std::clamp(static_cast<Index>(std::lround(wanted)), Index{1},
                      std::max(chunks / TileShape::warps, Index{1}));
  }
  struct Range {
    Index begin, end, step, parts;
  };
  // Cuts a range, in multiples of its step, into parts; calls make(item, low, high) for each.
  // The last part adds up the sums.  When pulling, the last part has the first rows, whose answers
  // come last.
  template <class Make>
  void share(TileItem item, const Range& range, Index numbers, std::vector<Job>& jobs,
             const Make& make) {
    const auto [begin, end, step, parts] = range;
    const Index steps = (end - begin + step - 1) / step, each = (steps + parts - 1) / parts;
    item.parts = (steps + each - 1) / each;
    item.sums = sums_;
    sums_ += (item.parts - 1) * numbers;
    for (item.part = 0; item.part < item.parts; ++item.part) {
      const Index low = begin + (pull_ ? item.parts - 1 - item.part : item.part) * each * step;
      jobs.push_back(make(item, low, std::min(low + each * step, end)));
    }
  }

  // Push: cuts a panel into groups of strips.
  void cut_strips(TileItem item, double bytes, std::vector<Job>& jobs) {
    const Index strips = strip_count(item.w, item.h);
    const Index sums = std::min((item.w + columns_ - 1) / columns_, Index{TileShape::warps});
    const Index most = std::clamp(limits_.slots / sums, Index{1}, limits_.strips);
    bool unsent = !sent_.empty() && sent_[item.task];
    item.begin = item.end = first_strip(item.task);
    for (; item.begin < strips; item.begin = item.end) {
      double size = 0;
      while (item.end < strips && item.end - item.begin < most &&
             (item.end == item.begin || size < bytes))
        size +=
            static_cast<double>(strip_of(item.w, item.h, item.end++).size()) * limits_.value_bytes;
      const Index reach = std::min(item.w, PanelShape::strip * item.end);
      item.sends = unsent && reach == item.w;
      unsent = unsent && !item.sends;
      const Index chunks = (reach + columns_ - 1) / columns_ * (item.end - item.begin);
      const Index parts = item.w > columns_ ? parts_of(bytes, chunks) : 1;
      share(item, {0, reach, columns_, parts}, (item.end - item.begin) * PanelShape::strip, jobs,
            [&](const TileItem& part, Index low, Index high) { return push_job(part, low, high); });
    }
  }
  Job push_job(const TileItem& item, Index begin, Index end) const {
    const Index most = std::max(limits_.vector / columns_, Index{1}) * columns_;
    Job job;
    for (Index low = begin; low < end; low += most) {
      const Index high = std::min(low + most, end);
      for (Index strip = item.begin; strip < item.end;) {
        const Index count = std::min(item.end - strip, strips_at_once(item.w));
        const Strip s = strip_of(item.w, item.h, strip);
        for (Index from = low; from < std::min(high, s.full + s.stair); from += columns_)
          add_chunk(item, strip, count, from, std::min({from + columns_, high, s.full + s.stair}),
                    job);
        strip += count;
      }
      add_item(item, low, high, high == end, job);
    }
    return job;
  }

  // Pull: cuts a panel into groups of columns, last columns first, each with all strips that have
  // these columns.  Where rows are few, a tile has several groups, so that gathering the rows pays
  // off.
  void cut_columns(TileItem item, double bytes, std::vector<Job>& jobs) {
    const Index strips = strip_count(item.w, item.h), skipped = first_strip(item.task);
    const Index most = std::max(limits_.slots / TileShape::warps, Index{1});
    for (item.end = item.w; item.end > 0; item.end = item.begin) {
      const Index last = (item.end - 1) / columns_ * columns_;  // where the last group begins
      const double group =
          static_cast<double>(strips - std::max(last / PanelShape::strip, skipped)) *
          PanelShape::strip * columns_ * limits_.value_bytes;
      const Index groups =
          std::clamp(static_cast<Index>(std::min(bytes / group, 1e3)), Index{1}, most);
      item.begin = std::max(last - (groups - 1) * columns_, Index{0});
      const Index first = std::max(item.begin / PanelShape::strip, skipped);
      const Index parts = groups > 1 ? 1 : parts_of(bytes, strips - first);
      share(item, {first, strips, 1, parts}, item.end - item.begin, jobs,
            [&](const TileItem& part, Index low, Index high) { return pull_job(part, low, high); });
    }
  }
  Job pull_job(const TileItem& item, Index begin, Index end) const {
    const Index most = std::max(limits_.vector / PanelShape::strip, Index{1});
    const Index at_once = item.w <= columns_ ? strips_at_once(item.w) : 1;
    Job job;
    for (Index low = begin; low < end; low += most) {
      const Index high = std::min(low + most, end);
      for (Index from = item.begin; from < item.end; from += columns_)
        for (Index strip = std::max(low, from / PanelShape::strip); strip < high; strip += at_once)
          add_chunk(item, strip, std::min(at_once, high - strip), from,
                    std::min(from + columns_, item.end), job);
      add_item(item, low, high, high == end, job);
    }
    return job;
  }

  const BlockPlan& plan_;
  const TileSlots& slots_;
  std::span<const Index> skipped_;
  std::span<const char> sent_;
  bool pull_ = false;
  TileLimits limits_;
  Index columns_;  // per chunk, of a strip of 32 rows
  Index sums_ = 0;
};

double bytes_of_level(const BlockPlan& plan, const TileLevel& level, std::span<const Index> skipped,
                      Index value_bytes) {
  Offset values = 0;
  for (const TileStep& step : level)
    for (const Index t : step.tasks)
      for (Index k = plan.task_start[t]; k < plan.task_start[t + 1] && !step.sends_only; ++k) {
        const Index s = plan.order[k], w = plan.supernodes.width(s);
        values += panel_size(plan.layout, w, plan.supernodes.height(s));
        if (!skipped.empty() && skipped[t] > 0) values -= strip_start(w, skipped[t]);
      }
  return static_cast<double>(values) * value_bytes;
}

// The jobs of a step, longest tasks first, so that the last jobs are short.
std::vector<Job> cut_step(const TileStep& step, double bytes, Cutter& cutter) {
  std::vector<std::pair<double, std::vector<Job>>> tasks;
  for (const Index t : step.tasks) {
    auto& [longest, jobs] = tasks.emplace_back();
    if (step.sends_only)
      cutter.send(t, step.pull, jobs);
    else
      cutter.cut(t, step.pull, bytes, jobs);
    for (const Job& job : jobs) longest = std::max(longest, job.work);
  }
  if (!step.in_order)
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Job> all;
  for (auto& [longest, jobs] : tasks) std::move(jobs.begin(), jobs.end(), std::back_inserter(all));
  return all;
}

// The jobs of a level, by step.  The jobs grow until there is at most one per block or per task, or
// after most_tries: a second job of one block would make all others wait.
std::vector<std::vector<Job>> cut_level(const BlockPlan& plan, const TileLevel& level,
                                        std::span<const Index> skipped, const TileLimits& limits,
                                        Cutter& cutter) {
  constexpr double least = TileShape::warps * TileShape::stage, growth = 1.15;
  constexpr int most_tries = 6;
  double bytes =
      std::max(bytes_of_level(plan, level, skipped, limits.value_bytes) / limits.blocks, least);
  const Index sums = cutter.sums();
  for (int tries = 1;; ++tries, bytes *= growth) {
    cutter.forget_sums(sums);
    std::vector<std::vector<Job>> jobs;
    std::size_t count = 0, tasks = 0;
    for (const TileStep& step : level) {
      jobs.push_back(cut_step(step, bytes, cutter));
      if (step.sends_only) continue;
      count += jobs.back().size();
      tasks += step.tasks.size();
    }
    const std::size_t enough = std::max(static_cast<std::size_t>(limits.blocks), tasks);
    if (count <= enough || tries == most_tries) return jobs;
  }
}

// All levels, in the order of execution.
std::vector<TileLevel> levels_of(const BlockPlan& plan, Sweep course) {
  std::vector<TileLevel> levels;
  const auto add = [&](Index level, bool pull) {
    TileStep& step = levels.emplace_back().emplace_back();
    step.pull = pull;
    for (Index t = plan.level_start[level]; t < plan.level_start[level + 1]; ++t)
      step.tasks.push_back(t);
  };
  if (course != Sweep::backward)
    for (Index l = 0; l < plan.levels(); ++l) add(l, false);
  if (course != Sweep::forward)
    for (Index l = plan.levels(); l-- > 0;) add(l, true);
  return levels;
}

}  // namespace

TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots, Sweep course,
                              const TileLimits& limits) {
  return make_tile_program(plan, slots, levels_of(plan, course), {}, {}, limits);
}

TileProgram make_tile_program(const BlockPlan& plan, const TileSlots& slots,
                              std::span<const TileLevel> levels, std::span<const Index> skipped,
                              std::span<const char> sent, const TileLimits& limits) {
  Cutter cutter(plan, slots, skipped, sent, limits);
  std::vector<std::vector<const Job*>> lists(static_cast<std::size_t>(limits.blocks));
  std::deque<std::vector<std::vector<Job>>> cut;
  using Load = std::pair<double, Index>;  // time when a block is free
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (Index b = 0; b < limits.blocks; ++b) loads.push({0, b});
  double ready = 0;  // time when the previous level is done
  for (const TileLevel& level : levels) {
    cut.push_back(cut_level(plan, level, skipped, limits, cutter));
    double done = ready;
    for (const std::vector<Job>& jobs : cut.back())
      for (const Job& job : jobs) {
        auto [load, block] = loads.top();
        loads.pop();
        lists[block].push_back(&job);
        load = std::max(load, ready) + job.work;
        done = std::max(done, load);
        loads.push({load, block});
      }
    ready = done;
  }
  TileProgram program;
  program.sums = cutter.sums();
  for (const auto& list : lists) {
    const auto first_item = static_cast<Index>(program.items.size());
    const auto first_chunk = static_cast<Index>(program.chunks.size());
    for (const Job* job : list) {
      const Index done = static_cast<Index>(program.chunks.size()) - first_chunk;
      for (TileItem item : job->items) {
        item.chunk_end += done;
        program.items.push_back(item);
      }
      program.chunks.insert(program.chunks.end(), job->chunks.begin(), job->chunks.end());
    }
    program.lists.push_back({first_item, static_cast<Index>(program.items.size()) - first_item,
                             first_chunk, static_cast<Index>(program.chunks.size()) - first_chunk});
  }
  return program;
}

}  // namespace echelon
