// calibrate/calibrate.cpp -- assembles the measurements into a Machine model.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/calibrate.hpp"

#include "base/parallel.hpp"
#include "echelon/device.hpp"

namespace echelon {

CalibrateOptions quick_calibration() {
  return {.rounds = 3, .round_s = 0.002, .largest = Offset{4} << 20};
}

Machine calibrate_cpu(const CalibrateOptions& o) {
  Machine m;
  m.node_ranks = thread_count(o.threads);
  m.read_alone = measure_pass_speed(measure_reading(o), o);
  if (m.node_ranks > 1) m.read_shared = at_most(measure_shared_reading(o), m.read_alone);
  const TaskCost task = measure_tasks(m.read_alone, o);
  m.task_s = task.task_s;
  m.row_s = task.row_s;
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
