// echelon/tools/calibrate.hpp -- measures this machine for the models: the cost of reading, of
// tasks and of waiting for other threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after device.hpp, machine.hpp and rank_pass.hpp.  Message times:
// measure_messages in messages.hpp.
//
//   echelon::Machine here = echelon::calibrate_cpu();
//   here.name = "my machine";
//   echelon::write_machine(std::cout, here);
#pragma once

#include <functional>

#include "echelon/tools/machine.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Every result is the median of several rounds; more and longer rounds reduce noise.  Reading and
// tasks are timed by CPU time of the thread, not by wall-clock time.
struct CalibrateOptions {
  Index threads = 0;                        // cores per node; 0: all that this process may use
  Index rounds = 9;                         // per result, after one warm-up round
  double round_s = 0.02;                    // least duration of a round, in seconds
  Offset largest = Offset{256} << 20;       // bytes that one core reads repeatedly, at most
  Offset largest_shared = Offset{4} << 30;  // bytes of all cores together, at most
  // Called by calibrate_cpu before each of its steps, with the share of its time that is over.
  std::function<void(double)> progress = {};

  template <class Visitor>
  void visit(Visitor&& v) {
    v("threads", threads, "cores per node, 0 for all");
    v("rounds", rounds, "rounds per measurement");
    v("round_s", round_s, "least seconds per round");
    v("largest", largest, "largest number of bytes that one core reads repeatedly");
    v("largest_shared", largest_shared, "largest number of bytes of all cores together");
  }
};
// For tests: takes at most a second, with less accurate results.
CalibrateOptions quick_calibration();

// --- Reading: bytes per second of one core as a function of the bytes it reads repeatedly (64 KiB,
// 256 KiB, ...), with the widest vector registers.

// This thread alone.  `start` is called before each round, so that several processes can start a
// round together; the number of calls depends only on the options.
Curve measure_reading(const CalibrateOptions& o = {}, const std::function<void()>& start = {});
// All threads at the same time, each on its own memory: the average per thread.
Curve measure_shared_reading(const CalibrateOptions& o = {});
// Bytes per second of `threads` threads together, from memory larger than all caches: the best of a
// few rounds, by wall-clock time.
double read_bandwidth(Index threads);

// --- Passes: forward and backward passes of a RankPass<double> on a single rank.  As in a real
// run, the rank polls for messages after each task; none arrive.

// The same curve for a pass over wide panels; at most `reading`.
Curve measure_pass_speed(const Curve& reading, const CalibrateOptions& o = {});
// The smaller of both curves, at the points of the first.
Curve at_most(const Curve& curve, const Curve& limit);

// Solves with two triangles of thin panels, one with few rows and one with many.  Subtracts the
// time of reading the values (from `reading`) and fits the rest to task_s * (sums and products) +
// row_s * (rows of products).
struct TaskCost {
  double task_s = 0, row_s = 0;
};
TaskCost measure_tasks(const Curve& reading, const CalibrateOptions& o = {});

// --- Threads of this process.  All 0 for one thread.
struct ThreadCost {
  double wake_s = 0;     // wake a recently active team, run nothing, join
  double hop_s = 0;      // from one thread's write of a flag to the polling thread that continues
  double barrier_s = 0;  // all threads meet
};
ThreadCost measure_threads(const CalibrateOptions& o = {});

// All of the above, in a few seconds.  The caller sets name and source.
Machine calibrate_cpu(const CalibrateOptions& o = {});
// The same for the current device, by measure_device; ranks per node = number of devices.  The cost
// of a task besides reading is not measured.  Throws backend_missing.
Machine calibrate_gpu();

}  // namespace echelon
#pragma GCC visibility pop
