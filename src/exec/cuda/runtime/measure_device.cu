// exec/cuda/runtime/measure_device.cu -- measures read bandwidth, launch time and hop latency of
// the current device.
// SPDX-License-Identifier: BSD-3-Clause
//
// Bandwidth.  Each thread block reads its part of a working set, repeated until a launch lasts long
// enough.  The loads bypass the L1 cache, because a solve reads each panel only once.
//
// Protocol of a hop.  Two blocks with one active thread each send a number back and forth.  Each
// block has one flag, written with release and read with acquire at device scope.  A waiting thread
// polls the other's flag and checks the deadline every 256 polls.  Past the deadline it sets
// given_up, which also ends the other block's wait.
#include <algorithm>
#include <set>

#include "base/timer.hpp"
#include "echelon/device.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/device_sync.cuh"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/streams.cuh"

namespace echelon {
namespace {

constexpr int threads = 256;
constexpr int ahead = 4;                                // loads in flight per thread
constexpr std::size_t smallest = std::size_t{1} << 20;  // bytes of a working set; by powers of 4
constexpr std::size_t largest = std::size_t{1} << 30;   // far larger than any cache
constexpr std::size_t launch_bytes = std::size_t{4} << 30;  // read by all blocks per launch
constexpr std::size_t alone_bytes = std::size_t{64} << 20;  // read per block where few blocks run
constexpr int repeats = 9;
constexpr int levels = 256;  // kernels per graph
constexpr int round_trips = 2000;
constexpr unsigned long long timeout_ns = 1000000000;  // timeout for all round trips

// Volatile, so that the compiler repeats it every time; .cg reads from L2 or memory, not from L1.
__device__ double2 load(const double2* from) {
  double2 value;
  asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(value.x), "=d"(value.y) : "l"(from));
  return value;
}

// Block b reads `share` elements from start + b share on, `times` times.  `share` is a multiple of
// the number of threads; indices wrap around at mask + 1 elements.
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
  if (sum != 0) *out = sum;  // never true: all values are zero, but the compiler cannot assume that
}

__global__ void do_nothing() {}

// Returns false after a timeout.
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
  unsigned long long nanoseconds;  // of all round trips; 0: timeout
};

__global__ void hop(HopWords* words) {
  if (threadIdx.x != 0) return;
  const bool leads = blockIdx.x == 0;
  int &mine = leads ? words->flag_0 : words->flag_1, &other = leads ? words->flag_1 : words->flag_0;
  unsigned long long begin = nanoseconds();
  const unsigned long long deadline = begin + timeout_ns;
  for (int k = 1; k <= round_trips; ++k) {
    if (leads) DeviceAtomic<int>(mine).store(k, order::memory_order_release);
    if (!wait_for(other, k, words->given_up, deadline)) return;
    if (!leads) DeviceAtomic<int>(mine).store(k, order::memory_order_release);
    if (k == 1) begin = nanoseconds();  // the other block may have started late
  }
  if (leads) words->nanoseconds = nanoseconds() - begin;
}

// An array of zeros on the device.
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

  // Bytes per second when `blocks` blocks read a working set of `set` bytes again and again.
  double over(std::size_t set, Index blocks) const {
    const std::size_t share = std::max<std::size_t>(whole(set / blocks), threads);
    const std::size_t once = share * sizeof(double2) * blocks;
    return run(blocks, share, static_cast<int>(std::max<std::size_t>(launch_bytes / once, 1)), set);
  }
  // The same when each launch reads memory once, starting where the previous launch ended.
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
  // Bytes as a number of elements, rounded down to a multiple of the number of threads.
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

// Numbers of blocks to try: powers of two, multiples of the number of multiprocessors up to all
// that fit, and a half and a quarter of that number.
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
                  "two thread blocks that exchange a flag hit the timeout of a second");
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
