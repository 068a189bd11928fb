// exec/cuda/device_status.cuh -- status bits in memory of the host that kernels write to: read
// without waiting for the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

#include "exec/cuda/check.cuh"
#include "exec/cuda/status_word.cuh"

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

  // For raise_status in kernels.
  unsigned* device() const { return device_; }

  // The bits raised since the last call, which clears them.  Of a solve under way it tells what
  // has come so far: wait for the stream first to know all.
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
