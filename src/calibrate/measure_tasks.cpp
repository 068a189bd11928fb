// calibrate/measure_tasks.cpp -- measures the speed at which a rank's pass reads panels, and the
// overhead per task and per row.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  With t = task_s and r = row_s, the model of a pass is
//   tasks t + rows r + bytes / speed(bytes),
// where tasks counts sums and products, rows counts the rows of all products, and bytes counts all
// stored values.  Triangles of wide panels, where tasks cost little, give the speed.  Then two
// triangles of thin panels, with few and with many rows per task, give two equations for t and r.
// The thin triangles exceed a core's own cache, as do the lists of any plan with so many tasks.
#include <algorithm>
#include <numeric>
#include <vector>

#include "base/timer.hpp"
#include "calibrate/core_timer.hpp"
#include "echelon/error.hpp"
#include "echelon/rank_pass.hpp"
#include "echelon/tools/calibrate.hpp"

namespace echelon {
namespace {

constexpr double smallest_wide = 65536;        // bytes
constexpr double largest_pass = 64 * 1048576;  // larger than any cache of one core

// Supernodes of one width; supernode k has all rows of the supernodes k + reach.
Supernodes make_band(Index count, Index width, const std::vector<Index>& reach) {
  Supernodes s;
  s.n = count * width;
  for (Index k = 0; k < count; ++k) {
    s.first.push_back((k + 1) * width);
    for (const Index step : reach)
      for (Index i = 0; i < width && k + step < count; ++i) s.row.push_back((k + step) * width + i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

// An exchange without messages: nothing arrives, and sending is an error.
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

// The measurement of one triangle.
struct Equation {
  double tasks = 0, rows = 0, bytes = 0, seconds = 0;
};

Equation run_passes(const Supernodes& s, const CalibrateOptions& o) {
  // Of two ranks, rank 0 has all blocks.
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
      pass.run(Sweep::forward, 1, exchange);
      pass.run(Sweep::backward, 1, exchange);
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

// The distances 1 to `count`.
std::vector<Index> neighbours(Index count) {
  std::vector<Index> reach(static_cast<std::size_t>(count));
  std::iota(reach.begin(), reach.end(), 1);
  return reach;
}

}  // namespace

Curve measure_pass_speed(const Curve& reading, const CalibrateOptions& o) {
  Curve speed = reading;
  double share = 1;  // of the last size measured: larger sizes are not read faster
  for (std::size_t k = 0; k < reading.x.size(); ++k) {
    if (reading.x[k] <= largest_pass) {
      // A panel of 32 columns and 96 rows below has 28 KiB; one of 64 and 192 has four times as
      // much.
      const Index width = reading.x[k] < 4 * smallest_wide ? 32 : 64;
      const double panel = 3.5 * width * width * sizeof(double);
      const auto count = static_cast<Index>(reading.x[k] / panel) + 1;
      const Equation p = run_passes(make_band(count, width, neighbours(3)), o);
      share = std::min(1.0, p.bytes / p.seconds / reading.at(p.bytes));
    }
    speed.y[k] = share * reading.y[k];
  }
  return speed;
}

Curve at_most(const Curve& curve, const Curve& limit) {
  Curve both = curve;
  for (std::size_t k = 0; k < both.x.size(); ++k)
    both.y[k] = std::min(both.y[k], limit.at(both.x[k]));
  return both;
}

TaskCost measure_tasks(const Curve& reading, const CalibrateOptions& o) {
  const auto scale = static_cast<Index>(std::clamp<Offset>(o.largest >> 18, 1, 64));  // 16 MiB
  const Equation a = run_passes(make_band(1024 * scale, 2, {1, 7, 50, 300}), o);
  const Equation b = run_passes(make_band(64 * scale, 4, neighbours(32)), o);
  const auto rest = [&](const Equation& p) {
    return std::max(p.seconds - p.bytes / reading.at(p.bytes), 0.0);
  };
  const double determinant = a.tasks * b.rows - b.tasks * a.rows;
  TaskCost cost{(rest(a) * b.rows - rest(b) * a.rows) / determinant,
                (a.tasks * rest(b) - b.tasks * rest(a)) / determinant};
  if (cost.row_s < 0) cost = {rest(a) / a.tasks, 0};  // the cost per row is below the noise
  if (cost.task_s < 0) cost = {0, rest(b) / b.rows};
  return cost;
}

}  // namespace echelon
