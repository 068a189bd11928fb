// analysis/supersteps.cpp -- the coarse schedule of a triangle: builds several, keeps the fastest.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Windows (windows.cpp) are built over clusters of the sweep (clusters.cpp) of about 512,
// 128, 32 and 8 rows, and over single rows.  Large clusters keep the order of the sweep, so x and b
// stream, and are cheap to schedule; small clusters and rows expose more parallelism.  The largest
// are tried first; the search ends when the estimate is close to the optimum.
#include <algorithm>

#include "analysis/clusters.hpp"
#include "analysis/windows.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Index cluster_sizes[] = {8, 32, 128, 512};
constexpr double good_enough = 0.85;  // share of the optimum: all threads busy all the time

Supersteps frame(const DependencyGraph& g, Index parts, const ScheduleOptions& o) {
  Supersteps s;
  s.parts = parts;
  s.total_work = static_cast<double>(g.nonzeros) + o.row_work * g.n;
  return s;
}

// For one thread: a single task in sweep order.
Supersteps one_task(const DependencyGraph& g, const ScheduleOptions& o) {
  Supersteps s = frame(g, 1, o);
  s.count = 1;
  s.start = {0, g.n};
  s.order.resize(g.n);
  for (Index k = 0; k < g.n; ++k) s.order[k] = g.unknown(k);
  s.wait_start = {0, 0};
  s.makespan = s.total_work;
  return s;
}

// A schedule over rows or over clusters.
struct Trial {
  Windows windows;
  const Clusters* clusters = nullptr;  // null: over rows
};

// Counting sort by task; inside a task the sweep order respects all dependencies.
void sort_into_tasks(const DependencyGraph& g, const Trial& trial, Supersteps& s) {
  Buffer<Offset> task(g.n);  // by sweep position
  const auto number = [&](Place p) { return Offset{p.step} * s.parts + p.part; };
  if (trial.clusters == nullptr) {
    for (Index k = 0; k < g.n; ++k) task[k] = number(trial.windows.place[g.unknown(k)]);
  } else {
    const Buffer<Index>& first = trial.clusters->first;
    for (Index c = 0; c < trial.clusters->graph.n; ++c)
      std::fill(task.begin() + first[c], task.begin() + first[c + 1],
                number(trial.windows.place[c]));
  }
  s.start.assign(static_cast<std::size_t>(s.count) * s.parts + 1, 0);
  for (const Offset t : task) ++s.start[t + 1];
  for (std::size_t t = 1; t < s.start.size(); ++t) s.start[t] += s.start[t - 1];
  Buffer<Index> next(s.start);
  s.order.resize(g.n);
  for (Index k = 0; k < g.n; ++k) s.order[next[task[k]]++] = g.unknown(k);
}

Trial try_rows(const DependencyGraph& g, const LevelSets& levels, Index parts,
               const ScheduleOptions& o) {
  std::vector<double> work(g.n);
  for (Index i = 0; i < g.n; ++i) work[i] = o.row_work + g.length[i];
  return {lay_windows(g, levels, work, parts, o)};
}

}  // namespace

Supersteps find_supersteps(const DependencyGraph& g, const LevelSets& levels, Index parts,
                           const ScheduleOptions& o, Index threads) {
  if (g.lists != Order::rows)
    throw Error(ErrorCode::bad_argument, "supersteps are found from a graph listed by rows");
  if (parts < 1) throw Error(ErrorCode::bad_argument, "a schedule needs at least one thread");
  if (parts == 1 || g.n == 0) return one_task(g, o);

  Supersteps s = frame(g, parts, o);
  const auto good = [&](const Trial& t) {
    return s.total_work > good_enough * parts * t.windows.makespan;
  };
  std::vector<Clusters> clusters;
  for (const Index size : cluster_sizes)
    clusters.push_back(clusters.empty() ? find_clusters(g, size, o, thread_count(threads))
                                        : merge_clusters(clusters.back(), size));
  Trial best;
  for (auto c = clusters.rbegin(); c != clusters.rend() && !(best.clusters && good(best)); ++c) {
    Trial trial{lay_windows(c->graph, find_level_sets(c->graph), c->work, parts, o), &*c};
    if (!best.clusters || trial.windows.makespan < best.windows.makespan) best = std::move(trial);
  }
  if (!good(best)) {
    Trial rows = try_rows(g, levels, parts, o);
    if (rows.windows.makespan < best.windows.makespan) best = std::move(rows);
  }
  s.count = best.windows.count;
  s.makespan = best.windows.makespan;
  sort_into_tasks(g, best, s);
  s.wait_start = std::move(best.windows.wait_start);
  s.waits = std::move(best.windows.waits);
  return s;
}

}  // namespace echelon
