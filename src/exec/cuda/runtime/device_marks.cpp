// exec/cuda/runtime/device_marks.cpp -- time per phase of a solve, from CUDA events in its stream.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/device.hpp"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/cuda/runtime/timed_event.cuh"

namespace echelon {

struct DeviceMarks::State {
  explicit State(std::size_t most) : event(most), kind(most) {}
  std::vector<TimedEvent> event;
  std::vector<int> kind;  // kind of the phase that starts at this event
  std::size_t used = 0;
};

DeviceMarks::DeviceMarks(std::size_t most) {
  require_device();
  state_ = std::make_unique<State>(most);
}
DeviceMarks::~DeviceMarks() = default;

void DeviceMarks::mark(int kind, void* stream) {
  State& s = *state_;
  if (s.used == s.event.size())
    throw Error(ErrorCode::bad_argument,
                "there is room for " + std::to_string(s.event.size()) + " marks only");
  s.event[s.used].record(static_cast<cudaStream_t>(stream));
  s.kind[s.used++] = kind;
}

std::vector<double> DeviceMarks::take(int kinds) {
  State& s = *state_;
  std::vector<double> seconds(static_cast<std::size_t>(kinds), 0.0);
  if (s.used > 0) s.event[s.used - 1].wait();
  for (std::size_t k = 0; k + 1 < s.used; ++k)
    if (s.kind[k] >= 0 && s.kind[k] < kinds)
      seconds[static_cast<std::size_t>(s.kind[k])] += s.event[k + 1].seconds_since(s.event[k]);
  s.used = 0;
  return seconds;
}

}  // namespace echelon
