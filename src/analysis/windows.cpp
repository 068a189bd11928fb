// analysis/windows.cpp -- merges many thin levels into few large tasks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Levels are gathered into windows.  The first level of a window is cut into one segment
// per thread, of equal work.  Each segment then grows upwards over the nodes whose dependencies
// inside the window all lie in this segment.  A node that depends on two segments lies in the gap
// between them and is solved in a second superstep, by the thread with less work.  A node that
// depends on two gaps of different threads ends the window.
//
//      level  l+3   A A . b b . C C        A, C  first superstep, two threads
//             l+2   A A A b b C C C        b     second superstep: the gap
//             l+1   A A A A b C C C
//             l     A A A A C C C C
//
// The number of levels per window is found by simulation, with the work of each task and the cost
// of a hand-over (hop): the window keeps the length with the best use of the threads.  Where all
// threads are no faster than fewer, as on a chain, fewer segments are cut.  Dependencies in one
// direction only (a pipeline) cost nothing, since tasks wait for each other and not at a barrier.
//
// A task of neighbours in the sweep reads x and b by whole cache lines; a task of scattered rows,
// such as those of a single level, fetches one line per row.  So each run of neighbours adds a cost
// to its task, and taller windows win on wide levels.
//
// References.  Split tiling of stencils; GrowLocal (Boehnlein et al. 2025) for growing a
// superstep while its efficiency holds; SpMP (Park et al. 2014) for waiting point to point.
#include "analysis/windows.hpp"

#include <algorithm>
#include <vector>

namespace echelon {
namespace {

// The two tasks per thread of a window: their work, and for every other thread the last superstep
// they need.
struct Load {
  std::vector<double> work;  // [phase*parts + t]
  std::vector<Index> needs;  // [(phase*parts + t)*parts + u], -1: nothing

  explicit Load(Index parts = 0)
      : work(2 * static_cast<std::size_t>(parts), 0.0),
        needs(2 * static_cast<std::size_t>(parts) * static_cast<std::size_t>(parts), -1) {}
};

// A candidate window: levels [begin, end) in supersteps base and base+1.
struct Window {
  Index segments = 0;
  Index end = 0;
  double efficiency = 0;
  Load load;
};

class WindowBuilder {
 public:
  WindowBuilder(const DependencyGraph& g, const LevelSets& levels, std::span<const double> work,
                Index parts, const ScheduleOptions& o)
      : g_(g),
        levels_(levels),
        work_(work),
        parts_(parts),
        options_(o),
        place_(g.n),
        clock_(parts, 0.0),
        waited_(static_cast<std::size_t>(parts) * static_cast<std::size_t>(parts), -1) {
    level_work_.reserve(levels.count());
    for (Index l = 0; l < levels.count(); ++l) {
      level_work_.push_back(0);
      for (const Index i : levels.rows(l)) level_work_[l] += work_[i];
      total_ += level_work_[l];
    }
    // A larger window gains nothing and delays the threads that wait for it.
    window_limit_ = std::max(total_ / 32, 64 * o.hop * parts);
  }

  Windows build() {
    for (Index l = 0; l < levels_.count();) l = add_window(l);
    wait_start_.push_back(static_cast<Index>(waits_.size()));
    return {base_, std::move(place_), std::move(wait_start_), std::move(waits_),
            *std::max_element(clock_.begin(), clock_.end())};
  }

 private:
  Index task(Index phase, Index part) const { return phase * parts_ + part; }

  // Adds the best window that begins at level l; returns the level after it.
  Index add_window(Index l) {
    Window best = grow(l, parts_, levels_.count());
    Index placed = parts_;  // the number of segments that place_ holds now
    for (Index s = parts_ / 2; s >= 1; s /= 2) {
      if (s <= 1.02 * best.efficiency * parts_) break;  // an upper bound for s threads
      // Fewer segments may allow more levels, but a trial costs as much as its levels hold.
      Window w = grow(l, s, std::min(levels_.count(), l + 4 * (best.end - l)));
      placed = s;
      if (w.efficiency > 1.02 * best.efficiency) best = std::move(w);
    }
    if (placed != best.segments) grow(l, best.segments, best.end);
    forget_trial(best.end);
    enter(best.load);
    return best.end;
  }

  // Places levels from l on while it pays off, at most up to `limit`.  Evaluates the trial after 1,
  // 2, 3, 4, 5, 7, 9, 12, ... levels, since an evaluation costs parts^2.
  Window grow(Index l, Index segments, Index limit) {
    Window best{segments, l, 0, Load(parts_)};
    Load load(parts_);
    gap_owner_.assign(parts_, -1);
    forget_trial(l);
    cut_first_level(l, segments, load);
    double work = level_work_[l];
    Index next_look = 1;
    for (Index end = l + 1;; ++end) {
      const bool last = end == limit || work > window_limit_ ||
                        level_work_[end] > 2 * level_work_[l] + 4 * options_.row_work;
      if (last || end - l >= next_look) {
        const double efficiency = work / cost_of(load, work);
        if (efficiency > best.efficiency) best = {segments, end, efficiency, load};
        if (last || efficiency < options_.efficiency_share * best.efficiency) return best;
        next_look = end - l + std::max<Index>(1, (end - l) / 3);
      }
      if (!place_level(end, load)) {
        // Levels placed since the last evaluation still count.
        return best.end == end ? best : grow(l, segments, end);
      }
      work += level_work_[end];
    }
  }

  // Removes the places of a trial from level l on.
  void forget_trial(Index l) {
    for (; trial_end_ > l; --trial_end_)
      for (const Index i : levels_.rows(trial_end_ - 1)) place_[i] = {};
  }

  // One segment of neighbours per thread, of equal work.  A single segment goes to a thread that
  // holds a node it needs.
  void cut_first_level(Index l, Index segments, Load& load) {
    trial_end_ = l + 1;
    const auto rows = levels_.rows(l);
    const auto needed = g_.list(rows.front());
    const Index only = needed.empty() ? 0 : place_[needed.front()].part;
    double before = 0;
    for (const Index i : rows) {
      const double share = (before + work_[i] / 2) / level_work_[l];
      const auto segment = std::min(static_cast<Index>(share * segments), segments - 1);
      before += work_[i];
      put(i, 0, segments == 1 ? only : segment * (parts_ / segments), load);
    }
  }

  // False if a node of the level needs the gaps of two threads.
  bool place_level(Index l, Load& load) {
    trial_end_ = l + 1;
    for (const Index i : levels_.rows(l)) {
      Index low = parts_, high = -1;  // the threads whose segments i needs
      Index gap = -1;                 // the thread whose gap i needs
      for (const Index j : g_.list(i)) {
        const Place p = place_[j];
        if (p.step == base_) {
          low = std::min(low, p.part);
          high = std::max(high, p.part);
        } else if (p.step > base_) {
          if (gap >= 0 && gap != p.part) return false;
          gap = p.part;
        }
      }
      if (gap < 0 && low == high) {
        put(i, 0, low, load);
      } else {
        put(i, 1, gap >= 0 ? gap : gap_owner(low, high, load), load);
      }
    }
    return true;
  }

  // A gap is named by the lower of its two segments; its owner is chosen on the first request.
  Index gap_owner(Index low, Index high, const Load& load) {
    const auto busy = [&](Index t) { return clock_[t] + load.work[t]; };
    if (gap_owner_[low] < 0) gap_owner_[low] = busy(low) <= busy(high) ? low : high;
    return gap_owner_[low];
  }

  void put(Index i, Index phase, Index part, Load& load) {
    const Place here{base_ + phase, part};
    place_[i] = here;
    // A row with no neighbour in the task starts a run; a row between two of them joins two runs.
    const int beside = (i > 0 && place_[i - 1] == here) + (i + 1 < g_.n && place_[i + 1] == here);
    load.work[task(phase, part)] += work_[i] + options_.run_work * (1 - beside);
    Index* needs = &load.needs[static_cast<std::size_t>(task(phase, part)) * parts_];
    for (const Index j : g_.list(i)) {
      const Place p = place_[j];
      if (p.part != part) needs[p.part] = std::max(needs[p.part], p.step);
    }
  }

  // The end of task (phase, t) if its thread is free from `ready` on.
  double run(Index phase, Index t, double ready, const Load& load) const {
    const Index* needs = &load.needs[static_cast<std::size_t>(task(phase, t)) * parts_];
    for (Index u = 0; u < parts_; ++u) {
      if (needs[u] < 0) continue;
      const double end =
          needs[u] == base_ ? first_end_[u] : end_[static_cast<std::size_t>(needs[u]) * parts_ + u];
      ready = std::max(ready, end + options_.hop);
    }
    return ready + options_.task_work + load.work[task(phase, t)];
  }

  // Simulates the window; sets first_end_ and second_end_ to the ends of its tasks.
  void simulate(const Load& load) {
    first_end_ = clock_;
    for (Index t = 0; t < parts_; ++t)
      if (load.work[t] > 0) first_end_[t] = run(0, t, clock_[t], load);
    second_end_ = first_end_;
    for (Index t = 0; t < parts_; ++t)
      if (load.work[parts_ + t] > 0) second_end_[t] = run(1, t, first_end_[t], load);
  }

  // Thread time of the window: all threads for the time by which it delays the end of the schedule,
  // but at least its useful work, since reducing a lag is no gain.
  double cost_of(const Load& load, double work) {
    simulate(load);
    const double old_end = *std::max_element(clock_.begin(), clock_.end());
    const double new_end = *std::max_element(second_end_.begin(), second_end_.end());
    return std::max(work, parts_ * (new_end - old_end));
  }

  // Adds the window to the schedule: its ends and its waits, without those covered by an earlier
  // wait of the same thread.
  void enter(const Load& load) {
    simulate(load);
    const bool gaps = std::any_of(load.work.begin() + parts_, load.work.end(),
                                  [](double work) { return work > 0; });
    end_.insert(end_.end(), first_end_.begin(), first_end_.end());
    if (gaps) end_.insert(end_.end(), second_end_.begin(), second_end_.end());
    for (Index k = 0; k < (gaps ? 2 : 1) * parts_; ++k) {
      wait_start_.push_back(static_cast<Index>(waits_.size()));
      for (Index u = 0; u < parts_; ++u) {
        const Index step = load.needs[static_cast<std::size_t>(k) * parts_ + u];
        Index& waited = waited_[static_cast<std::size_t>(k % parts_) * parts_ + u];
        if (step <= waited) continue;
        waits_.push_back({u, step});
        waited = step;
      }
    }
    base_ += gaps ? 2 : 1;
    clock_ = second_end_;
  }

  const DependencyGraph& g_;
  const LevelSets& levels_;
  std::span<const double> work_;  // by node
  Index parts_;
  ScheduleOptions options_;
  std::vector<double> level_work_;
  double total_ = 0;
  double window_limit_ = 0;

  Index base_ = 0;             // supersteps entered
  Buffer<Place> place_;        // by unknown, entered or in a trial
  std::vector<double> clock_;  // end of each thread's last task
  std::vector<double> end_;    // [step*parts + t]: end of each task
  std::vector<Index> waited_;  // [t*parts + u]: last step of u that t has waited for
  Buffer<Index> wait_start_;
  Buffer<Supersteps::Wait> waits_;

  Index trial_end_ = 0;                         // levels below have places
  std::vector<Index> gap_owner_;                // of the trial window
  std::vector<double> first_end_, second_end_;  // of the last simulated window
};

}  // namespace

Windows lay_windows(const DependencyGraph& g, const LevelSets& levels, std::span<const double> work,
                    Index parts, const ScheduleOptions& o) {
  return WindowBuilder(g, levels, work, parts, o).build();
}

}  // namespace echelon
