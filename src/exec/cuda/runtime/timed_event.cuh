// exec/cuda/runtime/timed_event.cuh -- a CUDA event; subtract two to get elapsed time.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/runtime/check.cuh"

namespace echelon {

class TimedEvent {
 public:
  TimedEvent() { check_cuda(cudaEventCreate(&event_), "an event"); }
  TimedEvent(const TimedEvent&) = delete;
  TimedEvent& operator=(const TimedEvent&) = delete;
  ~TimedEvent() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) { check_cuda(cudaEventRecord(event_, stream), "event"); }
  void wait() const { check_cuda(cudaEventSynchronize(event_), "what was timed"); }
  // Both events must have completed.
  double seconds_since(const TimedEvent& begin) const {
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, begin.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace echelon
