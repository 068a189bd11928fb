// tests/calibrate/test_calibrate.cpp -- the measured machine parameters are plausible and usable by
// the models.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <sstream>
#include <thread>

#include "base/median.hpp"
#include "base/timer.hpp"
#include "calibrate/run_together.hpp"
#include "echelon/calibrate.hpp"
#include "echelon/device.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

CalibrateOptions quick(Index threads) {
  CalibrateOptions o = quick_calibration();
  o.threads = threads;
  return o;
}

void expect_curve(const Curve& c, double last) {
  ASSERT_FALSE(c.empty());
  EXPECT_EQ(c.x.size(), c.y.size());
  EXPECT_EQ(c.x.front(), 65536);
  EXPECT_EQ(c.x.back(), last);
  for (std::size_t k = 1; k < c.x.size(); ++k) EXPECT_EQ(c.x[k], 4 * c.x[k - 1]);
  // Less than 50 MB/s or more than 10 TB/s per core is a failed measurement.
  for (const double speed : c.y) {
    EXPECT_GT(speed, 5e7);
    EXPECT_LT(speed, 1e13);
  }
}

TEST(Calibrate, MeasuresAllThatACpuHasInLittleTime) {
  const Timer timer;
  const Machine m = calibrate_cpu(quick(2));
  EXPECT_LT(timer.seconds(), 30);  // on a busy machine, with sanitizers
  EXPECT_EQ(m.kind, MachineKind::cpu);
  EXPECT_EQ(m.node_ranks, 2);
  expect_curve(m.read_alone, 4 << 20);
  expect_curve(m.read_shared, 4 << 20);
  // The cost of a task or a row alone may be below the noise.
  for (const double seconds : {m.task_s + m.row_s, m.wake_s, m.hop_s, m.barrier_s}) {
    EXPECT_GT(seconds, 1e-9);
    EXPECT_LT(seconds, 0.1);
  }
  EXPECT_GE(m.row_s, 0);
  EXPECT_GE(m.task_s, 0);
}

TEST(Calibrate, IsReadBackAsItWasWritten) {
  Machine m = calibrate_cpu(quick(2));
  m.name = "a machine";
  m.source = "this test";
  std::stringstream file;
  write_machine(file, m);
  const Machine back = read_machine(file, "file");
  EXPECT_EQ(back.name, m.name);
  EXPECT_EQ(back.source, m.source);
  EXPECT_EQ(back.node_ranks, m.node_ranks);
  EXPECT_EQ(back.read_alone.x, m.read_alone.x);
  EXPECT_EQ(back.read_alone.y, m.read_alone.y);
  EXPECT_EQ(back.read_shared.y, m.read_shared.y);
  EXPECT_EQ(back.task_s, m.task_s);
  EXPECT_EQ(back.row_s, m.row_s);
  EXPECT_EQ(back.wake_s, m.wake_s);
  EXPECT_EQ(back.hop_s, m.hop_s);
  EXPECT_EQ(back.barrier_s, m.barrier_s);
}

// Other threads can disturb a core's own caches, but not add to them.  The best of several tries,
// since other programs use this machine too.
TEST(Calibrate, OneOfManyReadsNoFasterThanOneAlone) {
  double least = 1e9;
  for (int k = 0; k < 5 && least > 1.3; ++k) {
    const double alone = measure_reading(quick(2)).y.back();
    least = std::min(least, measure_shared_reading(quick(2)).y.back() / alone);
  }
  EXPECT_LE(least, 1.3);
}

TEST(Calibrate, HasNoSecondThreadWhereThereIsOne) {
  const Machine m = calibrate_cpu(quick(1));
  EXPECT_EQ(m.node_ranks, 1);
  EXPECT_TRUE(m.read_shared.empty());
  EXPECT_EQ(m.hop_s, 0);
  EXPECT_EQ(m.wake_s, 0);
  EXPECT_EQ(m.barrier_s, 0);
}

TEST(Calibrate, CallsBeforeEachRoundEquallyOften) {
  int calls = 0;
  const Curve c = measure_reading(quick(1), [&] { ++calls; });
  EXPECT_EQ(calls, static_cast<int>(c.x.size()) * (quick(1).rounds + 1));
}

TEST(Calibrate, SharesOutWhatMemoryAllMayTake) {
  CalibrateOptions o = quick(2);
  o.largest_shared = 2 << 20;
  EXPECT_EQ(measure_shared_reading(o).x.back(), 1 << 20);
}

// If reading took no time, all of a pass would be tasks and rows; the lower the given read speed,
// the less time is left for them.
TEST(Calibrate, TakesReadingOutOfTasks) {
  const Curve free{{65536}, {1e18}}, slow{{65536}, {1e6}};
  const TaskCost all = measure_tasks(free, quick(1)), none = measure_tasks(slow, quick(1));
  EXPECT_GT(all.task_s + all.row_s, 0);
  EXPECT_EQ(none.task_s + none.row_s, 0);
}

TEST(Calibrate, AsksForADevice) {
  if (has_cuda()) GTEST_SKIP() << "of builds without CUDA";
  EXPECT_EQ(test::refusal([] { calibrate_gpu(); }).code, ErrorCode::backend_missing);
}

TEST(RunTogether, AllAreThereAtOnce) {
  SpinBarrier barrier;
  std::atomic<Index> sum = 0;
  run_together(5, [&](Index thread) {
    sum += thread;
    barrier.arrive_and_wait(5);  // would hang if one were missing
    EXPECT_EQ(sum, 10);
  });
}

TEST(RunTogether, LeavesTheCallingThreadItsCores) {
  const CpuMask before = CpuMask::of(0);
  run_together(2, [](Index) {});
  EXPECT_EQ(CpuMask::of(0).words, before.words);
}

TEST(Median, IsNotMovedByOneThatWasDisturbed) {
  std::vector<double> values{3, 1000, 1, 2, 4};
  EXPECT_EQ(median(values), 3);
}

}  // namespace
}  // namespace echelon
