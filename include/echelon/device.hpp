// echelon/device.hpp -- a GPU for callers without CUDA headers: what it is, memory on it, and how
// long things take there.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Streams and pointers are CUDA's own: a void* stream is a cudaStream_t, data() can be
// given to any kernel.  Everything is of the current device, and memory stays with the one it was
// made on.  Without CUDA in the build, or without a device, all throw backend_missing, except where
// they say otherwise.
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

// Whether this library was built with CUDA; there may be no device all the same.
bool has_cuda() noexcept;

struct DeviceReport {
  std::string name;
  std::string compute_capability;  // "9.0"
  std::string driver, runtime;     // versions of CUDA: "12.8"
  Offset memory_bytes = 0;
  Offset free_bytes = 0;
  Offset l2_bytes = 0;
  Index multiprocessors = 0;
};
DeviceReport find_device();

// Bytes of shared memory that a thread block of a device may ask for, by its number or of the
// current one; 0 without CUDA or without such a device.
Offset shared_memory_of_device(Index device = -1) noexcept;

// True for memory a kernel can use; false without CUDA.
bool is_on_device(const void* p);

// How many devices this process can use: 0 without CUDA.
Index count_devices() noexcept;
// The number of the device to use: the wanted one, or for -1 the current one; as it is where there
// is none.  Throws bad_argument if there are others, but not the wanted one.
Index choose_device(Index wanted = -1);

// As long as it lives this thread works on that device, then on the one before.  -1: on any.
class DeviceScope {
 public:
  explicit DeviceScope(Index device);
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  ~DeviceScope();

 private:
  Index before_ = -1;  // to go back to; -1: nowhere
};

// Bytes on the device; copies are done when they return.  Throws out_of_memory with what was asked
// for and what there is, backend_failed.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes = 0);
  DeviceMemory(DeviceMemory&&) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) noexcept;
  ~DeviceMemory();

  void* data() const;
  std::size_t bytes() const;
  // All of them; throw bad_argument for more or fewer.
  void load(const void* host, std::size_t bytes);
  void store(void* host, std::size_t bytes) const;

 private:
  void require_bytes(std::size_t given) const;
  struct State;
  std::unique_ptr<State> state_;  // none: no bytes
};

// Numbers on the device.
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

// Bytes a second, read and written, of a copy inside the device too large for its cache.
double measure_copy_bandwidth();

// What reading and waiting cost on the device; each the median of some rounds, by events or by the
// device's own clock.
struct DeviceSpeeds {
  Index devices = 1;          // that this process can see
  std::vector<double> bytes;  // rising: what all thread blocks together read over and over,
  std::vector<double> read;   // and the bytes a second they do
  double block_most = 0;      // bytes a second of one thread block alone, beyond the cache
  double block_least = 0;     // and of one of all that fit
  Index blocks = 1;           // how many reach 95 % of what any number does
  double launch_s = 0;        // an empty kernel, from the call until the host knows of its end
  double hop_s = 0;           // a flag from one thread block to another that polls it
  double level_s = 0;         // from one kernel of a graph to the next
};
// A second or two, and up to a gigabyte there.  Throws backend_failed if a block waits too long.
DeviceSpeeds measure_device();

// Seconds of each of `repeats` calls, after `warmup` others, by a pair of events around each in a
// stream of its own.  The calls follow each other without a wait, so that what they put into the
// stream is there when its turn comes.
std::vector<double> time_on_device(int repeats, int warmup,
                                   const std::function<void(void* stream)>& body);
// The same for a graph that body was captured into once; body must not wait or allocate.
std::vector<double> time_graph(int repeats, int warmup,
                               const std::function<void(void* stream)>& body);

// Moments in a stream, by events made beforehand: where the time of a solve went.
class DeviceMarks {
 public:
  explicit DeviceMarks(std::size_t most);
  DeviceMarks(const DeviceMarks&) = delete;
  DeviceMarks& operator=(const DeviceMarks&) = delete;
  ~DeviceMarks();

  // What comes into the stream from now on, up to the next mark, is of this kind; kinds below 0 are
  // not counted.  Allocates nothing and does not wait.  Throws bad_argument beyond `most` marks.
  void mark(int kind, void* stream);
  // Seconds of the kinds 0 to `kinds` - 1, each added up, up to the last mark.  Waits for it, and
  // begins anew.
  std::vector<double> take(int kinds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
#pragma GCC visibility pop
