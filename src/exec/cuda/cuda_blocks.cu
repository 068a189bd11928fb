// exec/cuda/cuda_blocks.cu -- one launch for each phase of the program, one block for each item.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The phases of exec/block_program.hpp follow each other in the stream; items of a phase
// write what no other item of it reads or writes.  Nothing is waited for inside a kernel.
#include <bit>

#include "base/instantiate.hpp"
#include "exec/cuda/cuda_blocks.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/cuda/device_pass.cuh"

namespace echelon {
namespace {

template <class T, class S>
__global__ void __launch_bounds__(block_threads)
    run_phase(DevicePass<T, S> pass, PhaseKind kind, bool pull, const PhaseItem* items) {
  __shared__ typename DevicePass<T, S>::Shared shared;
  pass.run_item(kind, pull, items[blockIdx.x], shared);
}

// The answers by position to where the caller wants them.
template <class T>
__global__ void copy_answer(const T* answer, Index n, bool reversed, bool conjugate, T* x,
                            Offset step, unsigned* not_finite) {
  const Index k = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k >= n) return;
  const T a = answer[k];
  if (!is_finite(a)) *not_finite = 1;
  x[(reversed ? n - 1 - k : k) * step] = conjugate_if(conjugate, a);
}

// One of the two directions on the device.
struct DeviceProgram {
  explicit DeviceProgram(BlockProgram&& host) : program(std::move(host)), items(program.items) {}
  BlockProgram program;
  DeviceArray<PhaseItem> items;
};

void require_device() {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
}

}  // namespace

template <Scalar T>
struct CudaBlocks<T>::State {
  explicit State(const BlockPlan& plan)
      : panels(make_panels(plan)),
        task_start(plan.task_start),
        space_start(plan.space_start),
        own(plan.own),
        outside_start(plan.outside_start),
        outside(plan.outside),
        local(plan.local),
        fetch_start(plan.fetch_start),
        fetch(plan.fetch),
        partial_start(plan.partial_start),
        piece_start(plan.by_rows.start),
        forwards(make_block_program(plan, false)),
        backwards(make_block_program(plan, true)),
        form(plan.order.size()),
        space(static_cast<std::size_t>(plan.space())),
        answer(static_cast<std::size_t>(plan.n)),
        partial(static_cast<std::size_t>(plan.partial_start.back())),
        not_finite(1),
        pull(plan.pull) {
    device = {plan.n,
              plan.reversed,
              panels.data(),
              task_start.data(),
              space_start.data(),
              own.data(),
              outside_start.data(),
              outside.data(),
              local.data(),
              fetch_start.data(),
              fetch.data(),
              partial_start.data(),
              piece_start.data()};
    check_cuda(cudaMemset(not_finite.data(), 0, not_finite.bytes()), "cudaMemset");
  }

  template <class S>
  void run(const DeviceJob<T>& job, const S* value, Index column) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const bool conjugate = job.op == Op::conjugate, pulls = pull != (job.op != Op::none);
    const DeviceProgram& program = pulls ? backwards : forwards;
    const DevicePass<DeviceScalar<T>, S> pass{
        device,
        form.data(),
        value,
        std::bit_cast<DeviceScalar<T>>(job.alpha),
        conjugate,
        reinterpret_cast<const DeviceScalar<T>*>(job.b.data) + column * job.b.stride(),
        job.b.step(),
        space.data(),
        answer.data(),
        partial.data()};
    for (const Phase& phase : program.program.phases) {
      if (phase.kind == PhaseKind::diagonal && all_inverse) continue;
      run_phase<<<static_cast<unsigned>(phase.end - phase.begin), block_threads, 0, stream>>>(
          pass, phase.kind, pulls, program.items.data() + phase.begin);
    }
    const auto blocks = static_cast<unsigned>((device.n + block_threads - 1) / block_threads);
    if (blocks > 0)
      copy_answer<<<blocks, block_threads, 0, stream>>>(
          answer.data(), device.n, device.reversed, conjugate,
          reinterpret_cast<DeviceScalar<T>*>(job.x.data) + column * job.x.stride(), job.x.step(),
          not_finite.data());
    check_cuda(cudaGetLastError(), "a launch of a triangular solve");
  }

  DeviceArray<DevicePanel> panels;
  DeviceArray<Index> task_start;
  DeviceArray<Offset> space_start;
  DeviceArray<Index> own;
  DeviceArray<Offset> outside_start;
  DeviceArray<Index> outside, local;
  DeviceArray<Offset> fetch_start;
  DeviceArray<Index> fetch;
  DeviceArray<Offset> partial_start;
  DeviceArray<Index> piece_start;
  DevicePlan device;
  DeviceProgram forwards, backwards;
  DeviceArray<T> value;
  DeviceArray<Low<T>> low;
  DeviceArray<BlockForm> form;
  DeviceArray<DeviceScalar<T>> space, answer, partial;
  DeviceArray<unsigned> not_finite;
  bool pull;
  bool all_inverse = false;
};

template <Scalar T>
CudaBlocks<T>::CudaBlocks(const BlockPlan& plan, const BlockValues<T>& values) {
  require_device();
  state_ = std::make_unique<State>(plan);
  load(values);
}
template <Scalar T>
CudaBlocks<T>::~CudaBlocks() = default;

template <Scalar T>
void CudaBlocks<T>::load(const BlockValues<T>& values) {
  State& s = *state_;
  if (s.value.size() != values.value.size()) s.value = DeviceArray<T>(values.value.size());
  if (s.low.size() != values.low.size()) s.low = DeviceArray<Low<T>>(values.low.size());
  s.value.load(values.value);
  s.low.load(values.low);
  s.form.load(values.form);
  s.all_inverse = values.all_inverse;
}

template <Scalar T>
void CudaBlocks<T>::solve(const DeviceJob<T>& job) const {
  const State& s = *state_;
  for (Index column = 0; column < job.x.count; ++column)
    if (s.low.size() > 0)
      s.run(job, reinterpret_cast<const Real<Low<T>>*>(s.low.data()), column);
    else
      s.run(job, reinterpret_cast<const Real<T>*>(s.value.data()), column);
}

template <Scalar T>
bool CudaBlocks<T>::all_finite() const {
  unsigned seen = 0;
  unsigned* const word = state_->not_finite.data();
  check_cuda(cudaDeviceSynchronize(), "a triangular solve");
  check_cuda(cudaMemcpy(&seen, word, sizeof(seen), cudaMemcpyDeviceToHost), "cudaMemcpy");
  if (seen != 0) check_cuda(cudaMemset(word, 0, sizeof(seen)), "cudaMemset");
  return seen == 0;
}

template <Scalar T>
Index CudaBlocks<T>::launches(Op op) const {
  const State& s = *state_;
  const bool pulls = s.pull != (op != Op::none);
  Index count = 1;  // the copy of the answer
  for (const Phase& phase : (pulls ? s.backwards : s.forwards).program.phases)
    count += !(phase.kind == PhaseKind::diagonal && s.all_inverse);
  return count;
}

#define ECHELON_INSTANTIATE(T) template class CudaBlocks<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
