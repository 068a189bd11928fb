// exec/cuda/timed_event.cuh -- a moment in a stream that can be held against another.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/check.cuh"

namespace echelon {

class TimedEvent {
 public:
  TimedEvent() { check_cuda(cudaEventCreate(&event_), "an event"); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "event"); }
  void wait() const { check_cuda(cudaEventSynchronize(event_), "what was timed"); }
  // Both are over.
  double seconds_since(const TimedEvent& begin) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace echelon
