// exec/cuda/panels/cuda_blocks.cu -- methods team, merge, invert_diag and invert_off: one launch
// per phase of the program, one thread block per item.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The phases of exec/block_program.hpp follow each other in the stream.  No item writes
// memory that another item of its phase reads or writes.  No kernel waits for another block.
#include "base/instantiate.hpp"
#include "exec/cuda/panels/device_blocks.cuh"

namespace echelon {
namespace {

template <class T, class S>
__global__ void __launch_bounds__(block_threads)
    run_phase(DevicePass<T, S> pass, PhaseKind kind, bool pull, const PhaseItem* items) {
  __shared__ typename DevicePass<T, S>::Shared shared;
  pass.run_item(kind, pull, items[blockIdx.x], shared);
}

// The program of one direction, on the device.
struct DeviceProgram {
  explicit DeviceProgram(BlockProgram&& host) : program(std::move(host)), items(program.items) {}
  BlockProgram program;
  DeviceArray<PhaseItem> items;
};

template <class T>
class CudaBlocks final : public CudaSolve<T> {
 public:
  CudaBlocks(const BlockPlan& plan, const DeviceValues<T>& panels)
      : blocks_(plan, panels),
        forwards_(make_block_program(plan, false)),
        backwards_(make_block_program(plan, true)) {}

  void load(const BlockValues<T>& values) override { all_inverse_ = values.all_inverse; }

  void solve(const DeviceJob<T>& job) const override {
    const bool pull = blocks_.pulls(job.op);
    const DeviceProgram& program = pull ? backwards_ : forwards_;
    blocks_.solve(job, [&](const auto& pass) {
      Index level = -1;
      for (const Phase& phase : program.program.phases) {
        if (left_out(phase)) continue;
        if (phase.level != level) mark(job.levels, level = phase.level, job.stream);
        run_phase<<<static_cast<unsigned>(phase.end - phase.begin), block_threads, 0,
                    static_cast<cudaStream_t>(job.stream)>>>(pass, phase.kind, pull,
                                                             program.items.data() + phase.begin);
      }
      mark(job.levels, no_step, job.stream);
    });
  }

  Index launches(Op op) const override {
    Index count = 1;  // the copy of the answers
    for (const Phase& phase : (blocks_.pulls(op) ? backwards_ : forwards_).program.phases)
      count += !left_out(phase);
    return count;
  }

  Offset bytes() const override { return bytes_of(blocks_, forwards_.items, backwards_.items); }

 private:
  bool left_out(const Phase& phase) const {
    return phase.kind == PhaseKind::diagonal && all_inverse_;
  }

  DeviceBlocks<T> blocks_;
  DeviceProgram forwards_, backwards_;
  bool all_inverse_ = false;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blocks(const Plan& plan, const DeviceValues<T>& panels) {
  return std::make_unique<CudaBlocks<T>>(plan.blocks, panels);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<CudaSolve<T>> make_cuda_blocks(const Plan&, const DeviceValues<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
