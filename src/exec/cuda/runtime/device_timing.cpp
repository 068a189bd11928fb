// exec/cuda/runtime/device_timing.cpp -- device time of repeated work, and copy bandwidth, from
// CUDA events.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>

#include "echelon/device.hpp"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/cuda/runtime/streams.cuh"
#include "exec/cuda/runtime/timed_event.cuh"

namespace echelon {
namespace {

struct Pair {
  TimedEvent begin, end;
};

// Captures the work that body puts into the stream as a CUDA graph.
class Graph {
 public:
  Graph(const CudaStream& stream, const std::function<void(void*)>& body) {
    // Relaxed mode: calls of other threads do not invalidate this capture.
    check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeRelaxed), "a capture");
    cudaGraph_t graph = nullptr;
    try {
      body(stream.get());
    } catch (...) {
      cudaStreamEndCapture(stream.get(), &graph);
      if (graph != nullptr) cudaGraphDestroy(graph);
      throw;
    }
    check_cuda(cudaStreamEndCapture(stream.get(), &graph), "a capture");
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check_cuda(status, "cudaGraphInstantiate");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(graph_); }
  void launch(void* stream) const {
    check_cuda(cudaGraphLaunch(graph_, static_cast<cudaStream_t>(stream)), "cudaGraphLaunch");
  }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

// This thread's stream on the current device, for as long as the thread lives: libraries such as
// cuDSS use the stream of their last call later, too.
const CudaStream& timing_stream() {
  thread_local std::map<int, CudaStream> streams;
  int device = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return streams[device];
}

constexpr std::size_t most_copied = std::size_t{1} << 30;  // far beyond any cache

}  // namespace

std::vector<double> time_on_device(int repeats, int warmup,
                                   const std::function<void(void* stream)>& body) {
  require_device();
  const CudaStream& stream = timing_stream();
  std::vector<Pair> pairs(static_cast<std::size_t>(repeats));
  check_cuda(cudaDeviceSynchronize(), "the device");  // no earlier work runs beside the timed work
  for (int k = 0; k < warmup; ++k) body(stream.get());
  for (Pair& pair : pairs) {
    pair.begin.record(stream.get());
    body(stream.get());
    pair.end.record(stream.get());
  }
  check_cuda(cudaStreamSynchronize(stream.get()), "what was timed");
  std::vector<double> seconds;
  seconds.reserve(pairs.size());
  for (const Pair& pair : pairs) seconds.push_back(pair.end.seconds_since(pair.begin));
  return seconds;
}

std::vector<double> time_graph(int repeats, int warmup,
                               const std::function<void(void* stream)>& body) {
  require_device();
  const CudaStream& stream = timing_stream();
  const Graph graph(stream, body);
  return time_on_device(repeats, warmup, [&](void* into) { graph.launch(into); });
}

double measure_copy_bandwidth() {
  const std::size_t bytes =
      std::min(most_copied, static_cast<std::size_t>(find_device().free_bytes) / 4);
  const DeviceMemory from(bytes), to(bytes);
  std::vector<double> seconds = time_on_device(9, 2, [&](void* stream) {
    check_cuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                               static_cast<cudaStream_t>(stream)),
               "cudaMemcpyAsync");
  });
  std::nth_element(seconds.begin(), seconds.begin() + 4, seconds.end());
  return 2 * static_cast<double>(bytes) / seconds[4];
}

}  // namespace echelon
