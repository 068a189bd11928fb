// exec/cuda/runtime/device_array.cuh -- an array in the memory of the current device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <utility>

#include "echelon/buffer.hpp"
#include "exec/cuda/runtime/check.cuh"

namespace echelon {

template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  // Throws out_of_memory with the bytes requested and the bytes free.
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    const cudaError_t status = cudaMalloc(&memory, bytes());
    if (status == cudaErrorMemoryAllocation) refuse();
    check_cuda(status, "cudaMalloc");
    data_ = static_cast<T*>(memory);
  }
  explicit DeviceArray(const Buffer<T>& host) : DeviceArray(host.size()) { load(host); }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~DeviceArray() { cudaFree(data_); }

  // Copies size() values from the host; returns when the copy is complete.
  void load(std::span<const T> host) {
    if (size_ == 0) return;
    check_cuda(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
    // A copy from pageable memory may return before its data is in device memory, and other streams
    // do not wait for it.
    check_cuda(cudaStreamSynchronize(nullptr), "cudaMemcpy");
  }

  // Copies any number of values from the host; allocates only if the size changes.
  void assign(const Buffer<T>& host) {
    if (size_ != host.size()) *this = DeviceArray(host.size());
    load(host);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

 private:
  [[noreturn]] void refuse() const {
    cudaGetLastError();
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    throw Error(ErrorCode::out_of_memory, "the device has no room for " + std::to_string(bytes()) +
                                              " bytes: " + std::to_string(free) + " of " +
                                              std::to_string(total) + " are free");
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace echelon
