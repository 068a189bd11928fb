// echelon/device.hpp -- a GPU for callers without CUDA headers: its properties, memory on it, and
// timing.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Streams and pointers are CUDA's own: a void* stream is a cudaStream_t, and data() can be
// passed to any kernel.  All calls use the current device; memory stays on the device where it was
// allocated.  Without CUDA in the build, or without a device, all throw backend_missing unless
// stated otherwise.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Whether this library was built with CUDA.  There may still be no device.
bool has_cuda() noexcept;

struct DeviceReport {
  std::string name;
  std::string compute_capability;  // "9.0"
  std::string driver, runtime;     // CUDA versions: "12.8"
  Offset memory_bytes = 0;
  Offset free_bytes = 0;
  Offset l2_bytes = 0;
  Index multiprocessors = 0;
};
DeviceReport find_device();

// The most shared memory of a thread block, in bytes, on this device (-1: the current one); 0
// without CUDA or without such a device.
Offset shared_memory_of_device(Index device = -1) noexcept;

// True for memory that a kernel can access; false without CUDA.
bool is_on_device(const void* p);

// The number of devices this process can use; 0 without CUDA.
Index count_devices() noexcept;
// The device to use: `wanted`, or the current one for -1.  Without any device, returns `wanted`.
// Throws bad_argument if there are devices but not the wanted one.
Index choose_device(Index wanted = -1);

// Makes `device` current for this thread until destroyed, then restores the previous one. -1: no
// change.
class DeviceScope {
 public:
  explicit DeviceScope(Index device);
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  ~DeviceScope();

 private:
  Index before_ = -1;  // device to restore; -1: none
};

// Bytes on the device.  Copies are complete on return.  Throws backend_failed, and out_of_memory
// with the requested and available sizes.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes = 0);
  DeviceMemory(DeviceMemory&&) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) noexcept;
  ~DeviceMemory();

  void* data() const;
  std::size_t bytes() const;
  // Copy all bytes; throw bad_argument if `bytes` differs from bytes().
  void load(const void* host, std::size_t bytes);
  void store(void* host, std::size_t bytes) const;

 private:
  void require_bytes(std::size_t given) const;
  struct State;
  std::unique_ptr<State> state_;  // null: no bytes
};

// An array of T on the device.
template <class T>
class DeviceVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceVector() = default;
  explicit DeviceVector(std::size_t size) : memory_(size * sizeof(T)) {}
  explicit DeviceVector(std::span<const T> host) : DeviceVector(host.size()) { load(host); }

  void load(std::span<const T> host) { memory_.load(host.data(), host.size_bytes()); }
  void store(std::span<T> host) const { memory_.store(host.data(), host.size_bytes()); }
  std::vector<T> to_host() const {
    std::vector<T> host(size());
    store(host);
    return host;
  }

  T* data() const { return static_cast<T*>(memory_.data()); }
  std::size_t size() const { return memory_.bytes() / sizeof(T); }

 private:
  DeviceMemory memory_;
};

// Bytes per second, read plus written, of a device-to-device copy larger than the L2 cache.
double measure_copy_bandwidth();

// Costs of reading and waiting on the device: medians of several rounds, by CUDA events or by the
// device's clock.
struct DeviceSpeeds {
  Index devices = 1;          // visible to this process
  std::vector<double> bytes;  // rising: bytes that all thread blocks together read repeatedly,
  std::vector<double> read;   // and the bytes per second they reach
  double block_most = 0;      // bytes per second of one thread block alone, beyond the cache
  double block_least = 0;     // and per thread block when all that fit are running
  Index blocks = 1;           // thread blocks that reach 95 % of the highest bandwidth
  double launch_s = 0;        // an empty kernel, from the call until the host sees its end
  double hop_s = 0;           // a flag from one thread block to a polling one
  double level_s = 0;         // from one kernel of a graph to the next
};
// Takes a second or two and up to 1 GB on the device.  Throws backend_failed if a thread block
// waits too long.
DeviceSpeeds measure_device();

// Seconds of each of `repeats` calls after `warmup` others, by a pair of events around each call in
// a stream of this thread.  The host does not wait between calls, so that launch latency is hidden.
std::vector<double> time_on_device(int repeats, int warmup,
                                   const std::function<void(void* stream)>& body);
// The same for a graph into which body was captured once; body must not wait or allocate.
std::vector<double> time_graph(int repeats, int warmup,
                               const std::function<void(void* stream)>& body);

// Times the steps of a solve with CUDA events, which are created in advance.
class DeviceMarks {
 public:
  explicit DeviceMarks(std::size_t most);
  DeviceMarks(const DeviceMarks&) = delete;
  DeviceMarks& operator=(const DeviceMarks&) = delete;
  ~DeviceMarks();

  // Work put into the stream from here to the next mark is of this kind; kinds below 0 are not
  // counted.  Allocates nothing and does not wait.  Throws bad_argument after `most` marks.
  void mark(int kind, void* stream);
  // The total seconds of each of the kinds 0 to kinds-1.  Waits for the last mark, then starts
  // over.
  std::vector<double> take(int kinds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
#pragma GCC visibility pop
