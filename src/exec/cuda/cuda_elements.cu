// exec/cuda/cuda_elements.cu -- ELMR and ELMC: one launch, whose rows or columns wait for others.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  That of exec/cuda/pull_flow.cuh and exec/cuda/push_flow.cuh.  The launch is
// cooperative: all of its blocks run from the start.  What a solve that gave up left behind lies
// there until recover() takes it away.
#include <cmath>

#include "base/instantiate.hpp"
#include "exec/cuda/device_flow.cuh"
#include "exec/cuda/list_solve.cuh"
#include "exec/cuda/pull_flow.cuh"
#include "exec/cuda/push_flow.cuh"
#include "exec/cuda/resident_blocks.cuh"

namespace echelon {
namespace {

// Levels that are under way at a time.  Lists are fetched while others wait; but who waits polls,
// and is in the way of those whose turn it is.
constexpr double levels_ahead = 8;

template <class Flow>
__global__ void __launch_bounds__(list_threads) run_lists(const __grid_constant__ Flow flow) {
  flow.run();
}

// Tasks, the grid for them, and what the blocks share.
template <class T, class Flow>
class CudaElements : public ListSolve<T> {
 public:
  using typename ListSolve<T>::D, typename ListSolve<T>::Numbers;

  Index launches(Op) const final { return 1; }

 protected:
  CudaElements(const Plan& plan, const Buffer<Index>& index, const ListMemory& memory)
      : ListSolve<T>(plan, index, memory),
        task_(make_list_tasks(plan.pattern.start)),
        patience_(patience_of(plan.cuda)),
        resident_(resident_blocks(kernel(), list_threads, 0, plan.cuda.blocks)) {
    if (plan.cuda.blocks == 0) crowd_ = find_crowd(plan.level_start) / std::max(plan.pattern.n, 1);
  }

  void launch(Flow& flow, const ListPass<D>& pass, const Numbers& numbers, void* stream) const {
    static_cast<ListPass<D>&>(flow) = pass;
    flow.task = task_.data();
    flow.tasks = static_cast<Index>(task_.size()) - 1;
    flow.state = numbers.state.data();
    flow.patience = patience_;
    void* arguments[] = {&flow};
    check_cuda(cudaLaunchCooperativeKernel(kernel(), grid_for(flow), list_threads, arguments, 0,
                                           static_cast<cudaStream_t>(stream)),
               "a launch of a triangular solve");
  }
  Offset bytes_of_tasks() const { return bytes_of(task_) + this->bytes_of_lists(); }

 private:
  static const void* kernel() { return reinterpret_cast<const void*>(run_lists<Flow>); }

  // As many blocks as have warps for the tasks of some levels.
  unsigned grid_for(const Flow& flow) const {
    const double warps_of_all = std::ldexp(flow.tasks, flow.width_bits);
    const double wanted = warps_of_all * std::min(levels_ahead * crowd_, 1.0);
    const double blocks = std::ceil(wanted / (list_threads / 32));
    return static_cast<unsigned>(std::clamp(blocks, 1.0, static_cast<double>(resident_)));
  }

  DeviceArray<ListTask> task_;
  unsigned long long patience_;
  Index resident_;
  double crowd_ = 1;  // the share of all unknowns that the level of an unknown has
};

template <class T>
class CudaElementRows final : public CudaElements<T, PullFlow<DeviceScalar<T>>> {
 public:
  using Base = CudaElements<T, PullFlow<DeviceScalar<T>>>;
  using typename Base::D, typename Base::Numbers;

  // Two copies; all bits set where there is nothing.
  explicit CudaElementRows(const Plan& plan)
      : Base(plan, index_by_position(plan.pattern, plan.threads), {2, 255}) {}

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    this->forget_numbers();
  }
  Offset bytes() const override { return this->bytes_of_tasks(); }

 private:
  void run(const ListPass<D>& pass, const Numbers& numbers,
           const DeviceJob<T>& job) const override {
    PullFlow<D> flow{};
    flow.copy_size = static_cast<Offset>(numbers.z.size() / 2);
    this->launch(flow, pass, numbers, job.stream);
  }
};

template <class T>
class CudaElementColumns final : public CudaElements<T, PushFlow<DeviceScalar<T>>> {
 public:
  using Base = CudaElements<T, PushFlow<DeviceScalar<T>>>;
  using typename Base::D, typename Base::Numbers;

  explicit CudaElementColumns(const Plan& plan)
      : CudaElementColumns(plan, index_by_position(plan.pattern, plan.threads)) {}

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    this->forget_numbers();
    if (uses_.size() > 0)
      check_cuda(cudaMemcpy(missing_.data(), uses_.data(), uses_.bytes(), cudaMemcpyDeviceToDevice),
                 "cudaMemcpy");
    check_cuda(cudaDeviceSynchronize(), "cudaMemcpy");
  }
  Offset bytes() const override { return bytes_of(uses_, missing_) + this->bytes_of_tasks(); }

 private:
  // One copy, zero between solves.
  CudaElementColumns(const Plan& plan, const Buffer<Index>& index)
      : Base(plan, index, {1, 0}),
        uses_(count_uses(plan.pattern.n, index)),
        missing_(uses_.size()) {
    recover();
  }
  void run(const ListPass<D>& pass, const Numbers& numbers,
           const DeviceJob<T>& job) const override {
    PushFlow<D> flow{};
    flow.uses = uses_.data();
    flow.missing = missing_.data();
    this->launch(flow, pass, numbers, job.stream);
  }

  DeviceArray<unsigned> uses_, missing_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_elements(const Plan& plan) {
  if (lists_of(plan.method) == Order::rows) return std::make_unique<CudaElementRows<T>>(plan);
  return std::make_unique<CudaElementColumns<T>>(plan);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<CudaSolve<T>> make_cuda_elements(const Plan&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
