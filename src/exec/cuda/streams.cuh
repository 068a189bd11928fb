// exec/cuda/streams.cuh -- streams and events that are given back.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/check.cuh"

namespace echelon {

// Does not wait for the default stream.
class CudaStream {
 public:
  CudaStream() {
    check_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  explicit CudaStream(cudaStream_t made) : stream_(made) {}
  ~CudaStream() { cudaStreamDestroy(stream_); }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class CudaEvent {
 public:
  CudaEvent() {
    check_cuda(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "cudaEventCreate");
  }
  ~CudaEvent() { cudaEventDestroy(event_); }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record(cudaStream_t stream) const {
    check_cuda(cudaEventRecord(event_, stream), "cudaEventRecord");
  }
  // What comes into the stream from now on waits for what was recorded.
  void hold(cudaStream_t stream) const {
    check_cuda(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent");
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace echelon
