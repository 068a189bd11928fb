// echelon/calibrate.hpp -- measures this machine for the models: what reading, tasks and waiting
// for another thread cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after device.hpp, machine.hpp and rank_pass.hpp.  Messages between ranks are
// measured where they are sent: measure_messages in mpi.hpp.
//
//   echelon::Machine here = echelon::calibrate_cpu();
//   here.name = "my machine";
//   echelon::write_machine(std::cout, here);
#pragma once

#include <functional>

#include "echelon/machine.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Every number is the median of some rounds; the more and the longer, the less others disturb them.
// Reading and tasks are timed by what the thread has had of a core, not by what has passed.
struct CalibrateOptions {
  Index threads = 0;                   // cores of a node; 0: all that this process may use
  Index rounds = 9;                    // of each number; one more comes before and is not counted
  double round_s = 0.02;               // a round lasts so long, or a little longer
  Offset largest = Offset{256} << 20;  // bytes one core reads over and over
  Offset largest_shared = Offset{4} << 30;  // of all cores together

  template <class Visitor>
  void visit(Visitor&& v) {
    v("threads", threads, "cores of a node, 0 for all");
    v("rounds", rounds, "rounds of each measurement");
    v("round_s", round_s, "seconds of a round");
    v("largest", largest, "bytes one core reads over and over, at most");
    v("largest_shared", largest_shared, "bytes of all cores together, at most");
  }
};
// For tests: a second at most, and numbers to match.
CalibrateOptions quick_calibration();

// --- Reading: bytes a second of one core, by the bytes it reads over and over, 64 KiB, 256 KiB and
// so on: streams of numbers through the widest registers there are.

// This thread alone.  `start`: called before each round, so that others can begin theirs together;
// it is called as often for the same options.
Curve measure_reading(const CalibrateOptions& o = {}, const std::function<void()>& start = {});
// All threads at the same time, each its own memory: what one of them gets, on average.
Curve measure_shared_reading(const CalibrateOptions& o = {});
// Bytes per second of so many threads together, from memory that no cache holds: the best of a few
// rounds, by the clock.
double read_bandwidth(Index threads);

// --- Passes: those of a RankPass<double> on one rank, which looks for messages after each task as
// a rank among others does, and never gets one; forwards and backwards.

// The same curve as a pass through wide panels reads: no faster than `reading`.
Curve measure_pass_speed(const Curve& reading, const CalibrateOptions& o = {});
// The slower of both, at the points of the first.
Curve at_most(const Curve& curve, const Curve& limit);

// Two triangles of thin panels are solved with, of few and of many rows.  What reading their values
// takes by `reading` is taken away; the rest is task_s times sums and products and row_s times rows
// of products.
struct TaskCost {
  double task_s = 0, row_s = 0;
};
TaskCost measure_tasks(const Curve& reading, const CalibrateOptions& o = {});

// --- Threads of this process.  All 0 for one thread.
struct ThreadCost {
  double wake_s = 0;     // a team that lately had work is woken, does nothing, and is joined
  double hop_s = 0;      // one thread writes a flag, another that polls it goes on
  double barrier_s = 0;  // all threads meet
};
ThreadCost measure_threads(const CalibrateOptions& o = {});

// All of them, a few seconds.  Name and source are left to the caller.
Machine calibrate_cpu(const CalibrateOptions& o = {});
// The current device, likewise, by measure_device; its node has as many ranks as there are devices.
// What a task costs besides reading is not measured there.  Throws backend_missing.
Machine calibrate_gpu();

}  // namespace echelon
#pragma GCC visibility pop
