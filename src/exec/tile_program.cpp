// exec/tile_program.cpp -- tiles large enough to be worth a block's while, small enough that a
// level fills the grid; dealt out so that every block streams as many bytes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Cost.  O(strips of all panels) for tiles and chunks, O(rows outside of all tasks) for sources.
#include "exec/tile_program.hpp"

#include <algorithm>
#include <queue>

namespace echelon {
namespace {

constexpr double tile_work = 16384;  // what a tile costs besides its bytes, in bytes

// Items of one task, to be run by one block, and what they cost.
struct Job {
  Buffer<TileItem> items;
  Buffer<TileChunk> chunks;  // chunk_end of an item counts from the job's first
  double work = 0;
};

class Cutter {
 public:
  Cutter(const BlockPlan& plan, bool pull, const TileLimits& limits)
      : plan_(plan),
        pull_(pull),
        limits_(limits),
        columns_(TileShape::stage / (PanelShape::strip * limits.value_bytes)) {}

  // Jobs of task t, each of about `bytes`.
  void cut(Index t, double bytes, Index columns, std::vector<Job>& jobs) {
    const Index first = plan_.task_start[t], last = plan_.task_start[t + 1];
    if (last - first == 1) return cut_panel(t, first, bytes, columns, jobs);
    std::vector<Job> parts;  // a gathered subtree stays together, in order
    for (Index k = first; k < last; ++k)
      cut_panel(t, pull_ ? first + last - 1 - k : k, bytes, PanelShape::strip, parts);
    Job whole;
    for (Job& part : parts) {
      for (TileItem& item : part.items) item.chunk_end += static_cast<Index>(whole.chunks.size());
      whole.items.insert(whole.items.end(), part.items.begin(), part.items.end());
      whole.chunks.insert(whole.chunks.end(), part.chunks.begin(), part.chunks.end());
      whole.work += part.work;
    }
    whole.items.front().enters = true;
    whole.items.back().leaves = true;
    jobs.push_back(std::move(whole));
  }

 private:
  Index width(Index k) const { return plan_.supernodes.width(plan_.order[k]); }
  Index height(Index k) const { return plan_.supernodes.height(plan_.order[k]); }

  void cut_panel(Index t, Index k, double bytes, Index columns, std::vector<Job>& jobs) {
    if (pull_)
      cut_columns(t, k, columns, jobs);
    else
      cut_strips(t, k, bytes, jobs);
  }

  // Strips [strip, strip + count), columns [from, to); in one piece if these are all columns.
  void add_chunk(Index k, Index strip, Index count, Index from, Index to, Job& job) const {
    const Index w = width(k), h = height(k);
    const Strip s = strip_of(w, h, strip), last = strip_of(w, h, strip + count - 1);
    const Offset first = s.column(from), piece = s.column(to) - first;
    TileChunk c{plan_.value_start[k] + first, w, h, strip, from, 0, 0, 0, 0, 0, 1};
    c.columns = static_cast<std::uint16_t>(to - from);
    c.count = static_cast<std::uint8_t>(count);
    Offset values = piece;
    if (from == 0 && to == w) {
      values = last.column(to) - first;
    } else if (count > 1) {
      c.copies = c.count;
      c.stride = static_cast<Index>(strip_start(w, strip + 1) - s.start);
      c.growth = s.begin < w ? PanelShape::strip * PanelShape::strip : 0;
    }
    c.bytes = static_cast<Index>(values * limits_.value_bytes);
    job.chunks.push_back(c);
    job.work += static_cast<double>(c.bytes) * c.copies;
  }
  void add_item(Job& job, TileItem item) const {
    item.chunk_end = static_cast<Index>(job.chunks.size());
    job.items.push_back(item);
    job.work += tile_work;
  }

  // Pushing: some strips of the panel, all columns of each.
  void cut_strips(Index t, Index k, double bytes, std::vector<Job>& jobs) const {
    const Index w = width(k), h = height(k), strips = strip_count(w, h);
    const Index sums = std::min((w + columns_ - 1) / columns_, Index{TileShape::warps});
    const Index most = std::max(TileShape::slots / sums, Index{1});
    for (Index begin = 0, end = 0; begin < strips; begin = end) {
      double filled = 0;
      while (end < strips && end - begin < most && (end == begin || filled < bytes))
        filled += static_cast<double>(strip_of(w, h, end++).size()) * limits_.value_bytes;
      jobs.push_back(strips_job(t, k, begin, end));
    }
  }
  Job strips_job(Index t, Index k, Index begin, Index end) const {
    const Index w = width(k), reach = std::min(w, PanelShape::strip * end);
    const Index part = std::max(limits_.vector / columns_, Index{1}) * columns_;
    Job job;
    for (Index low = 0; low < reach; low += part) {
      const Index high = std::min(low + part, reach);
      for (Index strip = begin; strip < end;) strip = add_strip(k, strip, end, low, high, job);
      add_item(job, {t, k, begin, end, low, high, 0, high == reach});
    }
    return job;
  }
  // Narrow strips share a chunk, wide ones are cut; what the next strip is.
  Index add_strip(Index k, Index strip, Index end, Index low, Index high, Job& job) const {
    const Index most = columns_ / std::max(width(k), Index{1});
    if (most > 1) {
      const Index count = std::min({end - strip, most, TileShape::most_pieces});
      add_chunk(k, strip, count, 0, width(k), job);
      return strip + count;
    }
    const Strip s = strip_of(width(k), height(k), strip);
    for (Index from = low; from < std::min(high, s.full + s.stair); from += columns_)
      add_chunk(k, strip, 1, from, std::min({from + columns_, high, s.full + s.stair}), job);
    return strip + 1;
  }

  // Pulling: a few columns, from the last ones on, and all strips that have them.
  void cut_columns(Index t, Index k, Index columns, std::vector<Job>& jobs) const {
    const Index w = width(k);
    columns = std::min(columns, columns_);
    for (Index begin = (w - 1) / columns * columns; begin >= 0; begin -= columns)
      jobs.push_back(columns_job(t, k, begin, std::min(begin + columns, w)));
  }
  Job columns_job(Index t, Index k, Index begin, Index end) const {
    const Index w = width(k), h = height(k), strips = strip_count(w, h);
    const Index first = begin / PanelShape::strip;
    const Index part = std::max(limits_.vector / PanelShape::strip, Index{1});
    Job job;
    for (Index low = first; low < strips; low += part) {
      const Index high = std::min(low + part, strips);
      for (Index strip = low; strip < high;) {
        const Index count = std::min(alike(w, h, strip, begin, end), high - strip);
        add_chunk(k, strip, count, begin, end, job);
        strip += count;
      }
      add_item(job, {t, k, begin, end, low, high, 0, high == strips});
    }
    return job;
  }
  // How many strips from this one on go into a chunk: full ones, above the one that row w cuts or
  // below it.
  Index alike(Index w, Index h, Index strip, Index begin, Index end) const {
    const Index most = std::min(columns_ / (end - begin), TileShape::most_pieces);
    if (begin == 0 && end == w) return most;  // whole strips lie one after the other
    const Index cut = w / PanelShape::strip, whole = (w + h) / PanelShape::strip;
    if (strip <= begin / PanelShape::strip || strip >= whole) return 1;
    return std::min(most, (strip <= cut ? std::min(cut + 1, whole) : whole) - strip);
  }

  const BlockPlan& plan_;
  bool pull_;
  TileLimits limits_;
  Index columns_;  // of a strip of 32 rows in one chunk
};

// Columns of a tile when pulling: fewer where a level would not fill the grid.
Index columns_of_level(const BlockPlan& plan, Index level, Index blocks) {
  for (const Index columns : {32, 16}) {
    Index tiles = 0;
    for (Index t = plan.level_start[level]; t < plan.level_start[level + 1]; ++t)
      tiles += (plan.supernodes.width(plan.order[plan.task_start[t]]) + columns - 1) / columns;
    if (tiles >= blocks) return columns;
  }
  return 8;
}

double bytes_of_level(const BlockPlan& plan, Index level, Index value_bytes) {
  const Index first = plan.task_start[plan.level_start[level]];
  const Index last = plan.task_start[plan.level_start[level + 1]];
  return static_cast<double>(plan.value_start[last] - plan.value_start[first]) * value_bytes;
}

}  // namespace

TileProgram make_tile_program(const BlockPlan& plan, bool pull, const TileLimits& limits) {
  constexpr double least = 4.0 * TileShape::stage;
  Cutter cutter(plan, pull, limits);
  std::vector<std::vector<const Job*>> lists(static_cast<std::size_t>(limits.blocks));
  std::vector<std::vector<Job>> levels(static_cast<std::size_t>(plan.levels()));
  using Load = std::pair<double, Index>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (Index b = 0; b < limits.blocks; ++b) loads.push({0, b});
  for (Index l = 0; l < plan.levels(); ++l) {
    const Index level = pull ? plan.levels() - 1 - l : l;
    const double bytes = bytes_of_level(plan, level, limits.value_bytes) / limits.blocks;
    const Index columns = columns_of_level(plan, level, limits.blocks);
    std::vector<Job>& jobs = levels[l];
    for (Index t = plan.level_start[level]; t < plan.level_start[level + 1]; ++t)
      cutter.cut(t, std::max(bytes, least), columns, jobs);
    for (const Job& job : jobs) {
      auto [load, block] = loads.top();
      loads.pop();
      lists[block].push_back(&job);
      loads.push({load + job.work, block});
    }
  }
  TileProgram program;
  program.item_start.assign(1, 0);
  program.chunk_start.assign(1, 0);
  for (const auto& list : lists) {
    const auto first = static_cast<Index>(program.chunks.size());
    for (const Job* job : list) {
      const Index done = static_cast<Index>(program.chunks.size()) - first;
      for (TileItem item : job->items) {
        item.chunk_end += done;
        program.items.push_back(item);
      }
      program.chunks.insert(program.chunks.end(), job->chunks.begin(), job->chunks.end());
    }
    program.item_start.push_back(static_cast<Index>(program.items.size()));
    program.chunk_start.push_back(static_cast<Index>(program.chunks.size()));
  }
  return program;
}

namespace {

// Parents in the elimination tree of the tasks (Liu), -1 for roots.
Buffer<Index> find_task_parents(const BlockPlan& plan) {
  const Index tasks = plan.tasks();
  Buffer<Index> start(tasks + 1, 0), source(plan.need.size());
  for (const Index t : plan.need) ++start[t + 1];
  for (Index t = 0; t < tasks; ++t) start[t + 1] += start[t];
  Buffer<Index> next(start.begin(), start.end() - 1);
  for (Index t = 0; t < tasks; ++t)
    for (Index p = plan.need_start[t]; p < plan.need_start[t + 1]; ++p)
      source[next[plan.need[p]]++] = t;
  Buffer<Index> parent(tasks, -1), ancestor(tasks, -1);
  for (Index t = 0; t < tasks; ++t)
    for (Index p = start[t]; p < start[t + 1]; ++p)
      for (Index s = source[p]; s != -1 && s != t;) {
        const Index up = ancestor[s];
        ancestor[s] = t;
        if (up == -1) parent[s] = t;
        s = up;
      }
  return parent;
}

// A number on its way up.
struct Message {
  Index position, place;
};

}  // namespace

TileSources find_tile_sources(const BlockPlan& plan) {
  const Index tasks = plan.tasks();
  const Buffer<Index> parent = find_task_parents(plan);
  std::vector<std::vector<Message>> arriving(static_cast<std::size_t>(tasks));
  std::vector<std::pair<Index, Index>> found;  // place, and what it gets
  Buffer<Index> place(plan.n), seen(plan.n, -1);
  for (Index t = 0; t < tasks; ++t) {
    Index at = static_cast<Index>(plan.space_start[t]);
    const auto note = [&](Index position) {
      seen[position] = t;
      place[position] = at++;
    };
    for (Index k = plan.task_start[t]; k < plan.task_start[t + 1]; ++k)
      for (Index i = plan.supernodes.first[plan.order[k]];
           i < plan.supernodes.first[plan.order[k] + 1]; ++i)
        note(i);
    std::vector<Message> leaving;
    for (Offset p = plan.outside_start[t]; p < plan.outside_start[t + 1]; ++p) {
      leaving.push_back({plan.outside[p], at});
      note(plan.outside[p]);
    }
    for (const Message& m : arriving[t])
      if (seen[m.position] == t)
        found.emplace_back(place[m.position], m.place);
      else
        leaving.push_back(m);
    arriving[t] = {};
    if (parent[t] == -1) continue;
    auto& up = arriving[parent[t]];
    up.insert(up.end(), leaving.begin(), leaving.end());
  }
  std::sort(found.begin(), found.end());
  TileSources sources;
  sources.pair.resize(static_cast<std::size_t>(plan.space()));
  std::fill(sources.pair.begin(), sources.pair.end(), TileSources::Pair());
  for (std::size_t p = 0, end = 0; p < found.size(); p = end) {
    while (end < found.size() && found[end].first == found[p].first) ++end;
    TileSources::Pair& pair = sources.pair[found[p].first];
    pair.first = found[p].second;
    if (end - p == 2) pair.second = found[p + 1].second;
    if (end - p <= 2) continue;
    pair.second = -2 - static_cast<Index>(sources.more.size());
    sources.more.push_back(static_cast<Index>(end - p - 1));
    for (std::size_t q = p + 1; q < end; ++q) sources.more.push_back(found[q].second);
  }
  return sources;
}

}  // namespace echelon
