// exec/cuda/runtime/device_status.cuh -- status bits that kernels write to mapped host memory: the
// host reads them without waiting for the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "exec/cuda/runtime/check.cuh"
#include "exec/cuda/runtime/status_word.cuh"

namespace echelon {

class DeviceStatus {
 public:
  DeviceStatus() {
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, status_words * sizeof(unsigned), cudaHostAllocMapped),
               "cudaHostAlloc");
    word_ = static_cast<unsigned*>(memory);
    take();
    void* seen_from_there = nullptr;
    const cudaError_t status = cudaHostGetDevicePointer(&seen_from_there, memory, 0);
    if (status != cudaSuccess) cudaFreeHost(memory);
    check_cuda(status, "cudaHostGetDevicePointer");
    device_ = static_cast<unsigned*>(seen_from_there);
  }
  ~DeviceStatus() { cudaFreeHost(word_); }
  DeviceStatus(const DeviceStatus&) = delete;
  DeviceStatus& operator=(const DeviceStatus&) = delete;

  // The pointer that kernels pass to raise_status.
  unsigned* device() const { return device_; }

  // Returns the bits raised since the last call, and clears them.  While a solve runs, more bits
  // may still come: wait for its stream first to get all of them.
  unsigned take() const {
    unsigned bits = 0;
    for (int k = 0; k < status_words; ++k) bits |= std::atomic_ref(word_[k]).exchange(0);
    return bits;
  }

 private:
  unsigned* word_ = nullptr;
  unsigned* device_ = nullptr;
};

}  // namespace echelon
