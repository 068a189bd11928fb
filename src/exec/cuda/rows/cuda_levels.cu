// exec/cuda/rows/cuda_levels.cu -- methods level_row and level_column (LEVR and LEVC): one launch
// per level, and one per run of small levels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol: see exec/cuda/rows/list_pass.cuh.
#include <vector>

#include "base/instantiate.hpp"
#include "exec/cuda/rows/list_solve.cuh"
#include "exec/cuda/runtime/device_flow.cuh"

namespace echelon {
namespace {

constexpr Index threads = 256;         // per block, where a launch is one level
constexpr Index shared_threads = 512;  // per block, where a launch is several levels

// The parameters that all launches of a solve share.
template <class T>
struct LevelPass : ListPass<T> {
  const Index* level_start;
  const Index* lane_bits;
};

template <class T, Order by>
__global__ void __launch_bounds__(shared_threads)
    solve_levels(const __grid_constant__ LevelPass<T> pass, LevelRun run) {
  pass.template run_levels<by>(run, pass.level_start, pass.lane_bits,
                               Offset{blockIdx.x} * blockDim.x + threadIdx.x);
}

template <class T, Order by>
class CudaLevels final : public ListSolve<T> {
 public:
  using typename ListSolve<T>::D, typename ListSolve<T>::Numbers;

  explicit CudaLevels(const Plan& plan)
      : ListSolve<T>(plan, index_by_position(plan.pattern, plan.threads), {1, 0}),
        level_start_(plan.level_start) {
    const Buffer<Index> lane_bits = find_level_lanes(plan.level_start, plan.pattern.start);
    lane_bits_.assign(lane_bits);
    for (Index bits = 0; bits <= this->most_bits(); ++bits)
      runs_.push_back(make_level_runs(plan.level_start, lane_bits, bits, shared_threads));
  }

  Index launches(Op) const override { return static_cast<Index>(runs_.front().size()); }
  Offset bytes() const override {
    return bytes_of(level_start_, lane_bits_) + this->bytes_of_lists();
  }

 private:
  void run(const ListPass<D>& pass, const Numbers&, const DeviceJob<T>& job) const override {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const LevelPass<D> levels{pass, level_start_.data(), lane_bits_.data()};
    int step = 0;
    for (const LevelRun& run : runs_[pass.width_bits]) {
      mark(job.levels, step++, stream);
      const bool alone = run.last - run.first == 1;
      const Index bits = clip_lanes(run.lane_bits, pass.width_bits) + pass.width_bits;
      const unsigned blocks = alone ? blocks_for(Offset{run.end - run.begin} << bits, threads) : 1;
      solve_levels<D, by><<<blocks, alone ? threads : shared_threads, 0, stream>>>(levels, run);
    }
    mark(job.levels, no_step, stream);
    check_cuda(cudaGetLastError(), "a launch of a triangular solve");
  }

  DeviceArray<Index> level_start_, lane_bits_;
  std::vector<std::vector<LevelRun>> runs_;  // by the logarithm of the number of vectors
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_levels(const Plan& plan) {
  if (lists_of(plan.method) == Order::rows)
    return std::make_unique<CudaLevels<T, Order::rows>>(plan);
  return std::make_unique<CudaLevels<T, Order::columns>>(plan);
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<CudaSolve<T>> make_cuda_levels(const Plan&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
