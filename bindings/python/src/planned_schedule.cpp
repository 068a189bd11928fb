// bindings/python/src/planned_schedule.cpp -- which thread works when, predicted from a plan.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Each executor's rule, with the costs of ScheduleOptions in entries of work.  Level
// methods: the pieces of a level are taken by the thread that is free first, and all wait for the
// last.  Element methods: chunks are taken in order, and each unknown waits for those it needs.
// Superstep: the tasks and waits of the plan.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "planned.hpp"

namespace echelon::python {
namespace {

// As in the executors (exec/cpu/rows).
constexpr Index grain = 32, shares = 4, chunk = 64;

class Simulation {
 public:
  explicit Simulation(const Plan& plan)
      : plan_(plan), clock_(static_cast<std::size_t>(std::max(plan.threads, Index{1})), 0) {}

  Spans run() {
    if (plan_.method == Method::superstep)
      supersteps();
    else if (plan_.method == Method::element_row || plan_.method == Method::element_column)
      elements();
    else if (plan_.level_start.empty())  // serial
      add(0, 0, 0, work(0, plan_.pattern.n));
    else
      levels();
    for (std::size_t k = 0; k < spans_.begin.size(); ++k) {
      spans_.work += spans_.end[k] - spans_.begin[k];
      spans_.end_of_all = std::max(spans_.end_of_all, spans_.end[k]);
    }
    return std::move(spans_);
  }

 private:
  Index parts() const { return static_cast<Index>(clock_.size()); }
  Index next_free() const {
    return static_cast<Index>(std::min_element(clock_.begin(), clock_.end()) - clock_.begin());
  }
  // Of positions [begin, end).
  double work(Index begin, Index end) const {
    return costs_.row_work * (end - begin) +
           static_cast<double>(plan_.pattern.start[end] - plan_.pattern.start[begin]);
  }
  // Of a task: each run of neighbouring unknowns begins anew in x and b.
  double task_work(Index begin, Index end) const {
    const Buffer<Index>& order = plan_.pattern.order;
    Index runs = 1;
    for (Index k = begin + 1; k < end; ++k) runs += std::abs(order[k] - order[k - 1]) == 1 ? 0 : 1;
    return costs_.task_work + costs_.run_work * runs + work(begin, end);
  }
  // A span that continues the latest one of its thread and group is added to it.
  void add(Index thread, Index group, double begin, double end) {
    clock_[thread] = end;
    if (end <= begin) return;
    latest_.resize(clock_.size(), -1);
    const Index k = latest_[thread];
    if (k >= 0 && spans_.group[k] == group && spans_.end[k] == begin) {
      spans_.end[k] = end;
      return;
    }
    latest_[thread] = static_cast<Index>(spans_.begin.size());
    spans_.thread.push_back(thread);
    spans_.group.push_back(group);
    spans_.begin.push_back(begin);
    spans_.end.push_back(end);
  }

  void levels() {
    const Buffer<Index>& start = plan_.level_start;
    for (Index l = 0; l + 1 < static_cast<Index>(start.size()); ++l) {
      const Index rows = start[l + 1] - start[l];
      const Index pieces = parts() == 1 ? 1 : std::clamp(rows / grain, Index{1}, shares * parts());
      for (Index k = 0; k < pieces; ++k) {
        const auto cut = [&](Index piece) {
          return start[l] + static_cast<Index>(Offset{rows} * piece / pieces);
        };
        const Index t = next_free();
        add(t, l, clock_[t], clock_[t] + work(cut(k), cut(k + 1)));
      }
      const double end = *std::max_element(clock_.begin(), clock_.end());
      std::fill(clock_.begin(), clock_.end(), end + (pieces > 1 ? costs_.hop : 0));
    }
  }

  // When an unknown that was solved or updated last can be read, and by whom it was.
  struct Ready {
    double time = 0;
    Index thread = -1;
    void take(double end, Index by) {
      if (end > time) *this = {end, by};
    }
  };
  void elements() {
    const PackedPattern& p = plan_.pattern;
    const bool by_rows = p.lists == Order::rows;
    std::vector<Ready> ready(static_cast<std::size_t>(p.n));
    Index level = 0;
    for (Index k = 0, t = 0; k < p.n; ++k) {
      if (k % chunk == 0) t = next_free();
      while (level + 2 < static_cast<Index>(plan_.level_start.size()) &&
             plan_.level_start[level + 1] <= k)
        ++level;
      const Index i = p.order[k];
      Ready need = by_rows ? Ready{} : ready[i];
      const Offset begin = p.start[k], end = p.start[k + 1];
      for (Offset e = begin; by_rows && e < end; ++e) {
        const Ready& other = ready[p.index[e]];
        need.take(other.time, other.thread);
      }
      const double hop = need.thread == t || need.thread == -1 ? 0 : costs_.hop;
      const double from = std::max(clock_[t], need.time + hop);
      add(t, level, from, from + work(k, k + 1));
      if (by_rows) ready[i] = {clock_[t], t};
      for (Offset e = begin; !by_rows && e < end; ++e) ready[p.index[e]].take(clock_[t], t);
    }
  }

  void supersteps() {
    const Supersteps& s = plan_.steps;
    clock_.assign(static_cast<std::size_t>(s.parts), 0);
    std::vector<double> end(static_cast<std::size_t>(s.count) * s.parts, 0);
    for (Index k = 0; k < s.count * s.parts; ++k) {
      const Index t = k % s.parts;
      double from = clock_[t];
      for (Index w = s.wait_start[k]; w < s.wait_start[k + 1]; ++w)
        from =
            std::max(from, end[Offset{s.waits[w].step} * s.parts + s.waits[w].part] + costs_.hop);
      if (s.start[k] < s.start[k + 1])
        add(t, k / s.parts, from, from + task_work(s.start[k], s.start[k + 1]));
      end[k] = clock_[t];
    }
  }

  const Plan& plan_;
  ScheduleOptions costs_;
  std::vector<double> clock_;  // when each thread is free
  std::vector<Index> latest_;  // span of each thread
  Spans spans_;
};

}  // namespace

Spans simulate_threads(const Planned& t) { return Simulation(t.plan).run(); }

}  // namespace echelon::python
