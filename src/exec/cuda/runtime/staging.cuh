// exec/cuda/runtime/staging.cuh -- pinned host memory, and a double buffer for uploads: the host
// fills one half while the device reads the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <utility>

#include "exec/cuda/runtime/check.cuh"

namespace echelon {

// Page-locked host memory, which the device reads by DMA.
template <class T>
class PinnedBuffer {
 public:
  PinnedBuffer() = default;
  // Throws out_of_memory with the bytes requested.
  explicit PinnedBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    const cudaError_t status = cudaHostAlloc(&memory, size * sizeof(T), cudaHostAllocDefault);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw Error(
          ErrorCode::out_of_memory,
          "the host cannot pin " + std::to_string(size * sizeof(T)) + " bytes of its memory");
    }
    check_cuda(status, "cudaHostAlloc");
    data_ = static_cast<T*>(memory);
  }
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PinnedBuffer() { cudaFreeHost(data_); }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Protocol.  The two halves alternate. take() waits until the last upload from the half is
// complete, so that the caller may overwrite it. upload() enqueues the copy in the stream and
// records an event after it.
template <class T>
class Staging {
 public:
  Staging() = default;
  explicit Staging(std::size_t half) : memory_(2 * half), half_(half) {
    for (cudaEvent_t& event : done_)
      check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  }
  Staging(Staging&& other) noexcept { *this = std::move(other); }
  Staging& operator=(Staging&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(half_, other.half_);
    std::swap(done_, other.done_);
    std::swap(turn_, other.turn_);
    return *this;
  }
  ~Staging() {
    for (const cudaEvent_t event : done_) {
      if (event == nullptr) continue;
      cudaEventSynchronize(event);  // a copy may still read this memory
      cudaEventDestroy(event);
    }
  }

  std::size_t half() const { return half_; }

  std::span<T> take(std::size_t size) {
    turn_ = 1 - turn_;
    check_cuda(cudaEventSynchronize(done_[turn_]), "an upload");
    return {memory_.data() + turn_ * half_, size};
  }
  // Uploads the piece that the last take() returned.
  void upload(std::span<const T> piece, T* to, cudaStream_t stream) {
    check_cuda(
        cudaMemcpyAsync(to, piece.data(), piece.size_bytes(), cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync");
    check_cuda(cudaEventRecord(done_[turn_], stream), "cudaEventRecord");
  }

 private:
  PinnedBuffer<T> memory_;
  std::size_t half_ = 0;
  cudaEvent_t done_[2] = {};
  int turn_ = 0;
};

}  // namespace echelon
