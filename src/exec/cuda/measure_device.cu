// exec/cuda/measure_device.cu -- what reading and waiting cost on the current device.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reading.  Each thread block reads a share of a working set, as often as makes a launch last; past
// the multiprocessor's own cache, as panels are read that nobody reads twice.
//
// Protocol of a hop.  Two blocks, a thread each, hand a number to and fro through a flag each,
// release and acquire at device scope.  Who waits looks at the clock now and then, and gives up
// when it has been too long; then so does the other.
#include <algorithm>
#include <set>

#include "base/median.hpp"
#include "base/timer.hpp"
#include "echelon/device.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/require_device.hpp"
#include "exec/cuda/resident_blocks.cuh"
#include "exec/cuda/streams.cuh"

namespace echelon {
namespace {

constexpr int threads = 256;
constexpr int ahead = 4;                                // loads of a thread under way
constexpr std::size_t smallest = std::size_t{1} << 20;  // bytes of a working set; by powers of 4
constexpr std::size_t largest = std::size_t{1} << 30;   // far beyond any cache
constexpr std::size_t launch_bytes = std::size_t{4} << 30;  // that all blocks read in a launch
constexpr std::size_t alone_bytes = std::size_t{64} << 20;  // and one of a few
constexpr int repeats = 9;
constexpr int levels = 256;  // of a graph
constexpr int round_trips = 2000;
constexpr unsigned long long patience_ns = 1000000000;  // for all of them

// A load of its own each time, from the second cache or from memory.
__device__ double2 load(const double2* from) {
  double2 value;
  asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(value.x), "=d"(value.y) : "l"(from));
  return value;
}

// Block b reads `share` numbers (pairs, whole rounds of its threads) from start + b share on, in a
// memory of mask + 1 of them, so many times.
__global__ void read_shares(const double2* values, std::size_t mask, std::size_t start,
                            std::size_t share, int times, double* out) {
  const std::size_t first = start + blockIdx.x * share;
  double sum = 0;
  for (int k = 0; k < times; ++k)
    for (std::size_t i = threadIdx.x; i < share; i += ahead * threads) {
      double2 seen[ahead];
#pragma unroll
      for (int q = 0; q < ahead; ++q)
        seen[q] = i + q * threads < share ? load(values + ((first + i + q * threads) & mask))
                                          : double2{0, 0};
#pragma unroll
      for (int q = 0; q < ahead; ++q) sum += seen[q].x + seen[q].y;
    }
  if (sum != 0) *out = sum;  // never: all are zero, which the compiler does not know
}

__global__ void do_nothing() {}

// False: given up.
__device__ bool wait_for(int& flag, int value, int& given_up, unsigned long long deadline) {
  for (unsigned k = 1;; ++k) {
    if (DeviceAtomic<int>(flag).load(order::memory_order_acquire) >= value) return true;
    if (k % 256 != 0) continue;
    if (DeviceAtomic<int>(given_up).load(order::memory_order_relaxed) != 0) return false;
    if (nanoseconds() > deadline) {
      DeviceAtomic<int>(given_up).store(1, order::memory_order_relaxed);
      return false;
    }
  }
}

struct HopWords {
  alignas(128) int flag_0;
  alignas(128) int flag_1;
  alignas(128) int given_up;
  unsigned long long nanoseconds;  // of all round trips; 0: given up
};

__global__ void hop(HopWords* words) {
  if (threadIdx.x != 0) return;
  const bool leads = blockIdx.x == 0;
  int &mine = leads ? words->flag_0 : words->flag_1, &other = leads ? words->flag_1 : words->flag_0;
  unsigned long long begin = nanoseconds();
  const unsigned long long deadline = begin + patience_ns;
  for (int k = 1; k <= round_trips; ++k) {
    if (leads) DeviceAtomic<int>(mine).store(k, order::memory_order_release);
    if (!wait_for(other, k, words->given_up, deadline)) return;
    if (!leads) DeviceAtomic<int>(mine).store(k, order::memory_order_release);
    if (k == 1) begin = nanoseconds();  // the other block may have begun late
  }
  if (leads) words->nanoseconds = nanoseconds() - begin;
}

// Bytes on the device, all zero.
template <class T>
DeviceArray<T> make_zeros(std::size_t size) {
  DeviceArray<T> array(size);
  check_cuda(cudaMemset(array.data(), 0, array.bytes()), "cudaMemset");
  check_cuda(cudaDeviceSynchronize(), "cudaMemset");
  return array;
}

class Reading {
 public:
  Reading() : values_(make_zeros<double2>(most_bytes() / sizeof(double2))) {}

  std::size_t bytes() const { return values_.bytes(); }

  // Bytes a second of so many blocks that read so many bytes over and over.
  double over(std::size_t set, Index blocks) const {
    const std::size_t share = std::max<std::size_t>(whole(set / blocks), threads);
    const std::size_t once = share * sizeof(double2) * blocks;
    return run(blocks, share, static_cast<int>(std::max<std::size_t>(launch_bytes / once, 1)), set);
  }
  // The same once through memory, each launch going on where the last one ended.
  double through(Index blocks) const {
    return run(blocks, whole(std::min(alone_bytes, bytes() / blocks)), 1, bytes());
  }

 private:
  static std::size_t most_bytes() {
    const auto free = static_cast<std::size_t>(find_device().free_bytes);
    std::size_t most = smallest;
    while (most < largest && 4 * most <= free / 2) most *= 4;
    return most;
  }
  // Bytes as numbers that keep all threads of a block busy.
  static std::size_t whole(std::size_t of_block) {
    return of_block / sizeof(double2) / threads * threads;
  }
  double run(Index blocks, std::size_t share, int times, std::size_t set) const {
    std::size_t start = 0;
    std::vector<double> seconds = time_on_device(repeats, 1, [&](void* stream) {
      read_shares<<<blocks, threads, 0, static_cast<cudaStream_t>(stream)>>>(
          values_.data(), set / sizeof(double2) - 1, start, share, times, out_.data());
      check_cuda(cudaGetLastError(), "a launch");
      if (set == bytes()) start += share * blocks;
    });
    return static_cast<double>(share * sizeof(double2)) * blocks * times / median(seconds);
  }

  DeviceArray<double2> values_;
  DeviceArray<double> out_{1};
};

// All powers of two, and some for each multiprocessor, up to as many as fit.
std::set<Index> list_blocks(Index fit, Index multiprocessors) {
  std::set<Index> list{fit};
  for (Index b = 1; b < fit; b *= 2) list.insert(b);
  for (Index b = multiprocessors; b < fit; b += multiprocessors) list.insert(b);
  for (const int part : {2, 4})
    if (multiprocessors >= part) list.insert(multiprocessors / part);
  return list;
}

void measure_reading(const DeviceReport& device, DeviceSpeeds& speeds) {
  const Reading reading;
  const Index fit = resident_blocks(reinterpret_cast<const void*>(read_shares), threads, 0, 0);
  for (std::size_t set = smallest; set <= reading.bytes(); set *= 4) {
    speeds.bytes.push_back(static_cast<double>(set));
    speeds.read.push_back(reading.over(set, fit));
  }
  std::vector<std::pair<Index, double>> found;
  double best = 0;
  for (const Index blocks : list_blocks(fit, device.multiprocessors)) {
    found.emplace_back(blocks, reading.through(blocks));
    best = std::max(best, found.back().second);
  }
  speeds.block_most = found.front().second;
  speeds.block_least = found.back().second / fit;
  for (const auto& [blocks, speed] : found) {
    speeds.blocks = blocks;
    if (speed >= 0.95 * best) break;
  }
}

double measure_launch() {
  const CudaStream stream;
  std::vector<double> seconds;
  for (int k = 0; k < 100 + repeats; ++k) {
    const Timer timer;
    do_nothing<<<1, threads, 0, stream.get()>>>();
    check_cuda(cudaStreamSynchronize(stream.get()), "an empty kernel");
    if (k >= repeats) seconds.push_back(timer.seconds());
  }
  return median(seconds);
}

double measure_level(Index multiprocessors) {
  std::vector<double> seconds = time_graph(repeats, 2, [&](void* stream) {
    for (int k = 0; k < levels; ++k)
      do_nothing<<<multiprocessors, threads, 0, static_cast<cudaStream_t>(stream)>>>();
  });
  return median(seconds) / levels;
}

double measure_hop() {
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k) {
    const DeviceArray<HopWords> words = make_zeros<HopWords>(1);
    hop<<<2, 32>>>(words.data());
    check_cuda(cudaGetLastError(), "a launch");
    HopWords seen{};
    check_cuda(cudaMemcpy(&seen, words.data(), sizeof seen, cudaMemcpyDeviceToHost), "a hop");
    if (seen.nanoseconds == 0)
      throw Error(ErrorCode::backend_failed,
                  "two thread blocks that hand a flag to and fro gave up after a second");
    seconds.push_back(static_cast<double>(seen.nanoseconds) * 1e-9 / (round_trips - 1) / 2);
  }
  return median(seconds);
}

}  // namespace

DeviceSpeeds measure_device() {
  require_device();
  const DeviceReport device = find_device();
  DeviceSpeeds speeds;
  speeds.devices = cuda_devices();
  measure_reading(device, speeds);
  speeds.launch_s = measure_launch();
  speeds.level_s = measure_level(device.multiprocessors);
  speeds.hop_s = measure_hop();
  return speeds;
}

}  // namespace echelon
