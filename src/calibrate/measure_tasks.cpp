// calibrate/measure_tasks.cpp -- what a task of a rank's pass costs besides the values it reads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  With t = task_s and r = row_s, a pass should take
//   tasks t + rows r + bytes / speed(bytes),
// where tasks are sums and products, rows are those of all products, and bytes those of all values
// as they are stored.  Two triangles, of which one has hardly any rows and the other has many rows
// a task, give two equations.
#include <algorithm>

#include "base/median.hpp"
#include "base/timer.hpp"
#include "calibrate/core_timer.hpp"
#include "echelon/calibrate.hpp"
#include "echelon/error.hpp"
#include "echelon/rank_pass.hpp"

namespace echelon {
namespace {

// Supernodes one wide, each with one row: that of the next.
Supernodes make_chain(Index count) {
  Supernodes s;
  s.n = count;
  for (Index k = 0; k < count; ++k) {
    s.first.push_back(k + 1);
    if (k + 1 < count) s.row.push_back(k + 1);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

// Supernodes one wide, all with all rows of the last, which is `height` wide.
Supernodes make_comb(Index count, Index height) {
  Supernodes s;
  s.n = count + height;
  for (Index k = 0; k < count; ++k) {
    s.first.push_back(k + 1);
    for (Index i = 0; i < height; ++i) s.row.push_back(count + i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  s.first.push_back(s.n);
  s.row_start.push_back(s.row_start.back());
  return s;
}

// Nothing ever comes, and nobody is told anything.
class NoMessages final : public Exchange<double> {
 public:
  void send(Index, Subject, const double*, Index, Index, Offset) override { refuse(); }
  bool receive(Arrival<double>&) override { return false; }
  void wait() override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::backend_failed, "a rank that has all blocks waits for another");
  }
};

// What was measured of one triangle.
struct Equation {
  double tasks = 0, rows = 0, bytes = 0, seconds = 0;
};

Equation run_passes(const Supernodes& s, const CalibrateOptions& o) {
  // Of two ranks the first has all.
  const auto count = static_cast<std::size_t>(s.count());
  const BlockMap map{{1, 2}, Buffer<Index>(count, 0), Buffer<Index>(count, 0)};
  const LocalPlan plan = make_local_plan(s, map, 0, TreeShape::binary);
  LocalValues<double> values;
  const FillRows<double> fill = [&](Index k, std::span<const Index> rows, double* columns,
                                    Offset ld) {
    for (Index j = 0; j < s.width(k); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        columns[j * ld + static_cast<Offset>(i)] = rows[i] == s.first[k] + j  ? 1
                                                   : rows[i] < s.first[k + 1] ? 0
                                                                              : 0.5;
  };
  pack_local<double>(plan, fill, {}, values, 1);
  const RankPass<double> pass(plan, values, 1);
  NoMessages exchange;
  std::fill_n(pass.right(), plan.size(), 1.0);
  std::vector<double> seconds(static_cast<std::size_t>(o.rounds));
  const auto run = [&] {
    Offset runs = 0;
    const CoreTimer mine;
    const Timer timer;
    do {
      pass.run(Way::forwards, 1, exchange);
      pass.run(Way::backwards, 1, exchange);
      runs += 2;
    } while (timer.seconds() < o.round_s);
    return mine.seconds() / static_cast<double>(runs);
  };
  run();
  for (double& one : seconds) one = run();
  Equation p;
  p.tasks = s.count();
  for (Index k = 0; k < s.count(); ++k) p.tasks += s.height(k) > 0 ? 1 : 0;
  p.rows = static_cast<double>(s.row.size());
  p.bytes = static_cast<double>(plan.values() + plan.diagonals.values()) * sizeof(double);
  p.seconds = median(seconds);
  return p;
}

}  // namespace

TaskCost measure_tasks(const Curve& reading, const CalibrateOptions& o) {
  // Values of either fill half a megabyte: no more than a core's own cache has.
  const Equation a = run_passes(make_chain(4096), o), b = run_passes(make_comb(256, 256), o);
  const auto rest = [&](const Equation& p) {
    return std::max(p.seconds - p.bytes / reading.at(p.bytes), 0.0);
  };
  const double determinant = a.tasks * b.rows - b.tasks * a.rows;
  TaskCost cost{(rest(a) * b.rows - rest(b) * a.rows) / determinant,
                (a.tasks * rest(b) - b.tasks * rest(a)) / determinant};
  if (cost.row_s < 0) cost = {rest(a) / a.tasks, 0};  // rows are lost in the noise
  return cost;
}

}  // namespace echelon
