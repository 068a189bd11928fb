// exec/cuda/panels/cuda_queue.cu -- method dynamic: one launch whose thread blocks pop tasks from a
// queue.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  See exec/cuda/panels/ready_queue.cuh.  A copy in the stream resets the queue before
// each launch.  The launch is cooperative: all its blocks are resident from the start.
#include "base/instantiate.hpp"
#include "exec/cuda/panels/device_blocks.cuh"
#include "exec/cuda/panels/ready_queue.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"

namespace echelon {
namespace {

template <class T, class S>
__global__ void __launch_bounds__(block_threads)
    run_queue(DevicePass<T, S> pass, bool pull, ReadyQueue queue) {
  __shared__ typename DevicePass<T, S>::Shared shared;
  __shared__ Index mine;
  queue.run(pass, pull, shared, mine);
}

// The task graph of one direction, on the device.
struct DeviceGraph {
  explicit DeviceGraph(const TaskGraph& g)
      : start(g.start), member(g.member), state(ReadyQueue::make_state(g)) {}
  Offset bytes() const { return bytes_of(start, member, state); }
  DeviceArray<Index> start, member, state;  // the state before the first task
};

template <class T>
class CudaQueue final : public CudaSolve<T> {
 public:
  CudaQueue(const Plan& plan, const DeviceValues<T>& panels)
      : blocks_(plan.blocks, panels),
        tasks_(plan.blocks.tasks()),
        forwards_(make_task_graph(plan.blocks, false)),
        backwards_(make_task_graph(plan.blocks, true)),
        state_(forwards_.state.size()),
        timeout_ns_(timeout_ns_of(plan.cuda)) {
    panels.with_values([&]<class S>(const S*) {
      const auto fit = resident_blocks(kernel<S>(), block_threads, 0, plan.cuda.blocks);
      grid_ = static_cast<unsigned>(std::min(fit, tasks_));
    });
  }

  void solve(const DeviceJob<T>& job) const override {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    bool pull = blocks_.pulls(job.op);
    const DeviceGraph& graph = pull ? backwards_ : forwards_;
    ReadyQueue queue{tasks_,        graph.start.data(), graph.member.data(),
                     state_.data(), job.status,         timeout_ns_};
    blocks_.solve(job, [&]<class S>(DevicePass<DeviceScalar<T>, S> pass) {
      check_cuda(cudaMemcpyAsync(state_.data(), graph.state.data(), state_.bytes(),
                                 cudaMemcpyDeviceToDevice, stream),
                 "cudaMemcpyAsync");
      void* arguments[] = {&pass, &pull, &queue};
      check_cuda(
          cudaLaunchCooperativeKernel(kernel<S>(), grid_, block_threads, arguments, 0, stream),
          "a launch of a triangular solve");
    });
  }

  Index launches(Op) const override { return 2; }
  Offset bytes() const override { return bytes_of(blocks_, forwards_, backwards_, state_); }

 private:
  template <class S>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_queue<DeviceScalar<T>, S>);
  }

  DeviceBlocks<T> blocks_;
  Index tasks_;
  DeviceGraph forwards_, backwards_;
  DeviceArray<Index> state_;
  unsigned long long timeout_ns_;
  unsigned grid_ = 0;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_queue(const Plan& plan, const DeviceValues<T>& panels) {
  return std::make_unique<CudaQueue<T>>(plan, panels);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<CudaSolve<T>> make_cuda_queue(const Plan&, const DeviceValues<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
