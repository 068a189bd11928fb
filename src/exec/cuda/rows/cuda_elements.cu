// exec/cuda/rows/cuda_elements.cu -- methods element_row and element_column (ELMR and ELMC): one
// launch, in which rows or columns wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  See exec/cuda/rows/pull_flow.cuh and exec/cuda/rows/push_flow.cuh.  The launch is
// cooperative: all its blocks are resident from the start.  After a timeout the memory of the solve
// stays as it is until recover() resets it.
#include <cmath>

#include "base/instantiate.hpp"
#include "exec/cuda/rows/list_solve.cuh"
#include "exec/cuda/rows/pull_flow.cuh"
#include "exec/cuda/rows/push_flow.cuh"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"

namespace echelon {
namespace {

// Levels in flight.  More levels let warps load their lists while earlier levels run; but waiting
// warps poll, and polling slows down the warps that could run.
constexpr double levels_ahead = 8;

template <class Flow>
__global__ void __launch_bounds__(list_threads) run_lists(const __grid_constant__ Flow flow) {
  flow.run();
}

// The tasks, the size of the grid, and the launch.
template <class T, class Flow>
class CudaElements : public ListSolve<T> {
 public:
  using typename ListSolve<T>::D, typename ListSolve<T>::Numbers;

  Index launches(Op) const final { return 1; }

 protected:
  CudaElements(const Plan& plan, const Buffer<Index>& index, const ListMemory& memory)
      : ListSolve<T>(plan, index, memory),
        task_(make_list_tasks(plan.pattern.start)),
        timeout_ns_(timeout_ns_of(plan.cuda)),
        resident_(resident_blocks(kernel(), list_threads, 0, plan.cuda.blocks)) {
    if (plan.cuda.blocks == 0)
      level_share_ = mean_level_width(plan.level_start) / std::max(plan.pattern.n, 1);
  }

  void launch(Flow& flow, const ListPass<D>& pass, const Numbers& numbers, void* stream) const {
    static_cast<ListPass<D>&>(flow) = pass;
    flow.task = task_.data();
    flow.tasks = static_cast<Index>(task_.size()) - 1;
    flow.grid = {numbers.words.data(), pass.vectors.status, timeout_ns_};
    void* arguments[] = {&flow};
    check_cuda(cudaLaunchCooperativeKernel(kernel(), grid_for(flow), list_threads, arguments, 0,
                                           static_cast<cudaStream_t>(stream)),
               "a launch of a triangular solve");
  }
  Offset bytes_of_tasks() const { return bytes_of(task_) + this->bytes_of_lists(); }

 private:
  static const void* kernel() { return reinterpret_cast<const void*>(run_lists<Flow>); }

  // Enough blocks for the tasks of levels_ahead average levels.
  unsigned grid_for(const Flow& flow) const {
    const double warps_of_all = std::ldexp(flow.tasks, flow.width_bits);
    const double wanted = warps_of_all * std::min(levels_ahead * level_share_, 1.0);
    const double blocks = std::ceil(wanted / (list_threads / 32));
    return static_cast<unsigned>(std::clamp(blocks, 1.0, static_cast<double>(resident_)));
  }

  DeviceArray<ListTask> task_;
  unsigned long long timeout_ns_;
  Index resident_;
  double level_share_ = 1;  // mean width of an unknown's level, divided by n
};

template <class T>
class CudaElementRows final : public CudaElements<T, PullFlow<DeviceScalar<T>>> {
 public:
  using Base = CudaElements<T, PullFlow<DeviceScalar<T>>>;
  using typename Base::D, typename Base::Numbers;

  // Two copies; all bits set means empty.
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
