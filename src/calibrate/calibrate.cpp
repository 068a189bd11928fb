// calibrate/calibrate.cpp -- assembles the measurements into a Machine model.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/calibrate.hpp"

#include "base/parallel.hpp"
#include "echelon/device.hpp"

namespace echelon {
namespace {

// Share of the time of calibrate_cpu after each step, for time left: five steps of equal length.
constexpr struct {
  double reading = 0.2, passes = 0.4, shared_reading = 0.6, tasks = 0.8;
} share_after;

}  // namespace

CalibrateOptions quick_calibration() {
  CalibrateOptions o;
  o.rounds = 3;
  o.round_s = 0.002;
  o.largest = Offset{4} << 20;
  return o;
}

Machine calibrate_cpu(const CalibrateOptions& o) {
  const auto reached = [&](double share) {
    if (o.progress) o.progress(share);
  };
  Machine m;
  m.node_ranks = thread_count(o.threads);
  reached(0);
  const Curve reading = measure_reading(o);
  reached(share_after.reading);
  m.read_alone = measure_pass_speed(reading, o);
  reached(share_after.passes);
  if (m.node_ranks > 1) m.read_shared = at_most(measure_shared_reading(o), m.read_alone);
  reached(share_after.shared_reading);
  const TaskCost task = measure_tasks(m.read_alone, o);
  m.task_s = task.task_s;
  m.row_s = task.row_s;
  reached(share_after.tasks);
  const ThreadCost threads = measure_threads(o);
  m.wake_s = threads.wake_s;
  m.hop_s = threads.hop_s;
  m.barrier_s = threads.barrier_s;
  return m;
}

Machine calibrate_gpu() {
  const DeviceSpeeds speeds = measure_device();
  Machine m;
  m.kind = MachineKind::gpu;
  m.node_ranks = speeds.devices;
  m.read_alone = {speeds.bytes, speeds.read};
  m.block_least = speeds.block_least;
  m.block_most = speeds.block_most;
  m.blocks = speeds.blocks;
  m.wake_s = speeds.launch_s;
  m.hop_s = speeds.hop_s;
  m.barrier_s = speeds.level_s;
  return m;
}

}  // namespace echelon
