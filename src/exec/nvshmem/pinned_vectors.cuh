// exec/nvshmem/pinned_vectors.cuh -- right-hand sides and answers of a PE in host and GPU memory,
// with the stream and clock of its kernels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <deque>

#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/staging.cuh"
#include "exec/cuda/runtime/streams.cuh"
#include "exec/cuda/runtime/timed_event.cuh"

namespace echelon {

template <class T>
class PinnedVectors {
 public:
  // `size` numbers each, initially zero.  Takes ownership of the stream.
  PinnedVectors(std::size_t size, cudaStream_t stream)
      : stream_(stream), right_(size), answer_(size), host_right_(size), host_answer_(size) {
    std::fill_n(host_right_.data(), size, T(0));
    std::fill_n(host_answer_.data(), size, T(0));
  }

  T* right() const { return host_right_.data(); }
  T* answer() const { return host_answer_.data(); }
  T* device_right() const { return right_.data(); }
  T* device_answer() const { return answer_.data(); }
  cudaStream_t stream() const { return stream_.get(); }

  void send(std::size_t count) {
    kernels_ = 0;
    check_cuda(cudaMemcpyAsync(right_.data(), right(), count * sizeof(T), cudaMemcpyHostToDevice,
                               stream()),
               "cudaMemcpyAsync");
  }
  void begin_kernel() {
    if (kernels_ == marks_.size()) marks_.emplace_back();
    marks_[kernels_].begin.record(stream());
  }
  void end_kernel() { marks_[kernels_++].end.record(stream()); }
  // Returns when the answers are in host memory.
  void receive(std::size_t count) {
    check_cuda(cudaMemcpyAsync(answer(), answer_.data(), count * sizeof(T), cudaMemcpyDeviceToHost,
                               stream()),
               "cudaMemcpyAsync");
    check_cuda(cudaStreamSynchronize(stream()), "a triangular solve");
  }
  // Time of the kernels since send().
  double kernel_s() const {
    double sum = 0;
    for (std::size_t k = 0; k < kernels_; ++k) sum += marks_[k].end.seconds_since(marks_[k].begin);
    return sum;
  }

 private:
  struct Mark {
    TimedEvent begin, end;
  };
  CudaStream stream_;
  DeviceArray<T> right_, answer_;
  PinnedBuffer<T> host_right_, host_answer_;
  std::deque<Mark> marks_;
  std::size_t kernels_ = 0;
};

}  // namespace echelon
