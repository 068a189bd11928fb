// exec/nvshmem/coupled_pass.cu -- solves one triangle on the GPUs of all PEs with two kernels per
// pass, one receiving messages and one solving (Ding, Liu, Williams and Li, 2021).
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A pass is two kernels in two streams of each PE.  WAIT, a few thread blocks, receives
// all messages; SOLVE has one thread block per supernode column.  They communicate through words in
// GPU memory: ready(K), the answers of K are here, and fmod(I), the number of missing terms in the
// sum of I.  To send a message, a PE puts the numbers into the receiver's memory, then a fence,
// then the number of the pass into the message's own signal word.  Signals only grow: WAIT polls
// for the number of this pass or more, and no signal is reset.  WAIT releases received messages to
// SOLVE through ready and fmod, which SOLVE acquires (device scope).  A term is added to a sum with
// atomics, then a fence, then fmod is decremented; the thread that decrements it to zero has
// acquired all terms.
//
// There are two copies of signals and numbers, used alternately.  A PE that has finished pass p
// notifies all PEs that ever send to it, in either direction.  A PE begins pass p+2 when all PEs it
// ever sends to have finished p: then no PE reads the memory it will write, and its own messages
// have left.
//
// Forward progress.  WAIT is resident during the whole pass: SOLVE is launched only after every
// block of WAIT has reported that it runs, and WAIT never waits for one message before it polls
// another.  Blocks of SOLVE take columns from a counter in sweep order, so each earlier column is
// done or held by a running block, for any order in which the hardware starts blocks.  Take the
// first supernode K of the sweep that is not done on some PE.  It waits only for sums and answers
// of supernodes before K, sent by finished blocks and by WAIT, and for x(K) along its tree, which
// begins at a block that waits for no other.  So it proceeds.  All blocks of WAIT and one block of
// SOLVE must fit on the GPU beside the kernels of other PEs: if several PEs share a GPU, each needs
// its own part (MPS percentage) or at most `blocks` thread blocks, which then take columns one
// after the other.
//
// Same bits.  Backwards yes; forwards no: atomics add in order of arrival, as in the paper.
//
// Way out.  Every wait in a kernel has the deadline watchdog_ms; after it all waits end
// (coupled_view.cuh).
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>

#include "base/instantiate.hpp"
// (device functions that the kernels need; must come first)
#include "exec/nvshmem/coupled_wire.cuh"
// (a separate include block)
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/staging.cuh"
#include "exec/cuda/runtime/streams.cuh"
#include "exec/cuda/runtime/timed_event.cuh"
#include "exec/nvshmem/coupled_memory.cuh"
#include "exec/nvshmem/coupled_solve.cuh"
#include "exec/nvshmem/coupled_wait.cuh"
#include "exec/nvshmem/pe_pass.hpp"

namespace echelon {
namespace {

template <class D, class S>
__global__ void __launch_bounds__(coupled_threads)
    begin_coupled(const __grid_constant__ CoupledBegin<D, S> pass, unsigned long long* began) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *began = nanoseconds();
  pass.run(static_cast<Index>(blockIdx.x) * coupled_warps + pass.warp(),
           static_cast<Index>(gridDim.x) * coupled_warps);
}
// The last block to start reports to the host.
template <class D, class S>
__global__ void __launch_bounds__(coupled_threads)
    wait_coupled(const __grid_constant__ CoupledWait<D, S> pass, unsigned* running, Signal* runs) {
  if (threadIdx.x == 0 && atomicAdd(running, 1u) + 1 == gridDim.x) {
    *running = 0;
    *static_cast<volatile Signal*>(runs) = pass.pass;
    __threadfence_system();
  }
  pass.run(static_cast<Index>(blockIdx.x * coupled_threads + threadIdx.x),
           static_cast<Index>(gridDim.x) * coupled_threads);
}
template <class D, class S, int R>
__global__ void __launch_bounds__(coupled_threads)
    solve_coupled(const __grid_constant__ CoupledSolve<D, S, R> pass) {
  __shared__ typename CoupledSolve<D, S, R>::SharedMemory shared;
  pass.run(shared);
}
template <class D, class S>
__global__ void end_coupled(const __grid_constant__ CoupledEnd<D, S> pass,
                            unsigned long long* ended) {
  if (threadIdx.x == 0) *ended = nanoseconds();
  pass.run(static_cast<Index>(threadIdx.x), static_cast<Index>(blockDim.x));
}

template <class... P>
void launch(void (*kernel)(P...), Index blocks, cudaStream_t stream, std::type_identity_t<P>... p) {
  void* list[] = {&p...};
  check_cuda(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                              dim3(coupled_threads), list, 0, stream),
             "a kernel of the coupled solve");
}
// Converts the view to that of a kernel.
template <class Kernel, class View>
Kernel as(const View& view) {
  Kernel kernel{};
  static_cast<View&>(kernel) = view;
  return kernel;
}

// Words that kernels write in host memory.
struct HostWords {
  Signal runs = 0;  // the pass in which WAIT is resident
  CoupledAlarm alarm;
  unsigned long long began = 0, ended = 0;  // nanoseconds
};

template <Scalar T>
class CoupledPass final : public PePass<T> {
 public:
  CoupledPass(Pe& pe, const PeShare& share)
      : plan_(share.plan),
        rhs_per_pass_(std::clamp<Index>(share.rhs_per_pass, 1, 16)),
        options_(share.options) {
    Communicator& comm = pe.comm();
    CoupledLists lists[2];
    comm.all_succeed([&] {
      for (const Sweep sweep : both) lists[index(sweep)] = list_coupled(plan_, sweep);
    });
    for (const Sweep sweep : both) exchange_targets(comm, plan_, sweep, lists[index(sweep)]);
    layout_ = {pe.size(), common_sizes(comm, lists), sizeof(T) * rhs_per_pass_};
    comm.all_succeed([&] { make_room(pe, lists); });
    memory_ = pe.allocate(layout_.bytes);
    comm.all_succeed([&] { warm_up(); });
  }
  // No kernel may run when the memory is freed.
  ~CoupledPass() override {
    cudaStreamSynchronize(waits_->get());
    cudaStreamSynchronize(solves_->get());
  }

  bool wants_diagonals() const override { return false; }
  void pack(const FillRows<T>& fill, const NumericOptions& o, Index threads) override {
    NumericOptions plain = o;
    plain.low_precision = false;
    LocalValues<T> values;
    pack_local<T>(plan_, fill, plain, values, threads);
    Buffer<BlockForm> form;
    for (const Index d : plan_.diagonal)
      form.push_back(d < 0 ? BlockForm::triangle : values.diagonals.form[d]);
    value_.assign(values.value);
    diagonal_value_.assign(values.diagonals.value);
    form_.assign(form);
    uninverted_blocks_ = values.diagonals.uninverted_blocks;
  }

  void open() override {}

  T* right() const override { return host_right_.data(); }
  T* answer() const override { return host_answer_.data(); }

  void run(Sweep sweep, Index count) override {
    if (broken_) throw Error(ErrorCode::backend_failed, "a pass before this one was given up");
    ++pass_;
    if (plan_.nodes() == 0) return;
    broken_ = true;  // reset on success
    const View view = view_of(sweep, count);
    const cudaStream_t stream = solves_->get();
    const std::size_t bytes = static_cast<std::size_t>(plan_.size()) * count * sizeof(T);
    check_cuda(
        cudaMemcpyAsync(right_.data(), host_right_.data(), bytes, cudaMemcpyHostToDevice, stream),
        "cudaMemcpyAsync");
    begins_->record(stream);
    launch(begin_coupled<D, S>, begin_blocks_, stream, as<CoupledBegin<D, S>>(view),
           &said_.data()->began);
    if (view.messages > 0) launch_wait(view, wait_blocks_[index(sweep)]);
    if (view.tasks > 0) launch_solve(view);
    if (view.messages > 0) waited_->hold(stream);
    launch(end_coupled<D, S>, 1, stream, as<CoupledEnd<D, S>>(view), &said_.data()->ended);
    ends_->record(stream);
    check_cuda(
        cudaMemcpyAsync(host_answer_.data(), answer_.data(), bytes, cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync");
    check_cuda(cudaStreamSynchronize(stream), "the coupled solve");
    kernel_s_ += ends_->seconds_since(*begins_);
    check_alarm(sweep);
    broken_ = false;
  }

  double kernel_s() const override { return kernel_s_; }
  typename PePass<T>::Clock clock() const override {
    return {said_.data()->began, said_.data()->ended};
  }
  Offset stored_bytes() const override {
    return static_cast<Offset>(value_.bytes() + diagonal_value_.bytes());
  }
  Offset symmetric_bytes() const override { return static_cast<Offset>(memory_.bytes()); }
  Index uninverted_blocks() const override { return uninverted_blocks_; }
  Index blocks() const override {
    const Index most = std::max(lists_[0].tasks, lists_[1].tasks);
    return options_.blocks > 0 ? std::min(most, options_.blocks) : most;
  }

 private:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  using View = CoupledView<D, S>;
  static constexpr Sweep both[2] = {Sweep::forward, Sweep::backward};
  static constexpr Index messages_per_thread = 4;  // of WAIT, while a few blocks suffice
  static constexpr Index most_wait_blocks = 8;
  static constexpr int several = 4;  // right-hand sides per thread at a time
  static int index(Sweep sweep) { return static_cast<int>(sweep); }

  void make_room(Pe& pe, const CoupledLists (&lists)[2]) {
    const auto nodes = static_cast<std::size_t>(plan_.nodes());
    const auto numbers = static_cast<std::size_t>(plan_.size()) * rhs_per_pass_;
    uploaded_ = UploadedLocalPlan(plan_, lists);
    const Index most = std::clamp<Index>(pe.device().multiprocessors() / 8, 1, most_wait_blocks);
    for (const Sweep sweep : both) {
      lists_[index(sweep)] = UploadedLists(plan_, sweep, lists[index(sweep)]);
      const Index share = messages_per_thread * coupled_threads;
      wait_blocks_[index(sweep)] =
          std::clamp<Index>((lists_[index(sweep)].messages + share - 1) / share, 1, most);
    }
    begin_blocks_ = std::clamp<Index>((plan_.nodes() + coupled_warps - 1) / coupled_warps, 1,
                                      std::max<Index>(pe.device().multiprocessors(), 1));
    missing_ = DeviceArray<Index>(nodes);
    ready_.assign(Buffer<Signal>(nodes, 0));
    words_.assign(Buffer<unsigned>(3, 0));
    right_ = DeviceArray<T>(numbers);
    answer_.assign(Buffer<T>(numbers, T(0)));
    host_right_ = PinnedBuffer<T>(numbers);
    host_answer_ = PinnedBuffer<T>(numbers);
    std::fill_n(host_right_.data(), numbers, T(0));
    std::fill_n(host_answer_.data(), numbers, T(0));
    said_ = PinnedBuffer<HostWords>(1);
    *said_.data() = {};
    solves_.emplace(pe.device().make_stream(StreamPriority::usual));
    // A separate stream of higher priority: SOLVE cannot delay WAIT.
    waits_.emplace(pe.device().make_stream(StreamPriority::urgent));
    begun_.emplace();
    waited_.emplace();
    begins_.emplace();
    ends_.emplace();
  }
  // CUDA loads a kernel at its first launch, and loading would wait for WAIT to end: so launches
  // each kernel once, without work.
  void warm_up() {
    View view = view_of(Sweep::forward, 1);
    view.nodes = view.tasks = view.messages = view.receivers = view.senders = 0;
    const cudaStream_t stream = solves_->get();
    launch(begin_coupled<D, S>, 1, stream, as<CoupledBegin<D, S>>(view), &said_.data()->began);
    launch(solve_coupled<D, S, 1>, 1, stream, as<CoupledSolve<D, S, 1>>(view));
    launch(solve_coupled<D, S, several>, 1, stream, as<CoupledSolve<D, S, several>>(view));
    launch(end_coupled<D, S>, 1, stream, as<CoupledEnd<D, S>>(view), &said_.data()->ended);
    check_cuda(cudaStreamSynchronize(stream), "the first kernels of a coupled solve");
    launch(wait_coupled<D, S>, 1, waits_->get(), as<CoupledWait<D, S>>(view), running(),
           &said_.data()->runs);
    check_cuda(cudaStreamSynchronize(waits_->get()), "the first kernel that waits");
  }

  View view_of(Sweep sweep, Index count) const {
    const auto turn = static_cast<std::size_t>(pass_ % 2);
    View view{};
    uploaded_.show(view);
    lists_[index(sweep)].show(view);
    view.forwards = sweep == Sweep::forward;
    view.count = count;
    view.pass = pass_;
    view.timeout_ns = nanoseconds_of(options_.watchdog_ms);
    view.me = plan_.rank;
    view.nodes = plan_.nodes();
    view.size = plan_.size();
    view.form = form_.data();
    view.value = reinterpret_cast<const S*>(value_.data());
    view.diagonal_value = reinterpret_cast<const S*>(diagonal_value_.data());
    view.finished = reinterpret_cast<Signal*>(memory_.data());
    view.signal = reinterpret_cast<Signal*>(memory_.data() + layout_.signals) +
                  turn * static_cast<std::size_t>(layout_.signal_count);
    view.copy = reinterpret_cast<D*>(memory_.data() + layout_.copies + turn * layout_.copy_bytes);
    view.missing = missing_.data();
    view.ready = ready_.data();
    view.right = reinterpret_cast<const D*>(right_.data());
    view.answer = reinterpret_cast<D*>(answer_.data());
    view.ticket = words_.data();
    view.given_up = words_.data() + 1;
    view.alarm = &said_.data()->alarm;
    return view;
  }
  unsigned* running() const { return words_.data() + 2; }

  // Returns when all blocks of WAIT run, or have ended.
  void launch_wait(const View& view, Index blocks) {
    begun_->record(solves_->get());
    begun_->hold(waits_->get());
    launch(wait_coupled<D, S>, blocks, waits_->get(), as<CoupledWait<D, S>>(view), running(),
           &said_.data()->runs);
    waited_->record(waits_->get());
    while (std::atomic_ref(said_.data()->runs).load() != pass_) {
      const cudaError_t status = cudaStreamQuery(waits_->get());
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check_cuda(status, "the kernel that waits");
      std::this_thread::yield();
    }
  }
  void launch_solve(const View& view) {
    const Index blocks = options_.blocks > 0 ? std::min(view.tasks, options_.blocks) : view.tasks;
    if (view.count == 1)
      launch(solve_coupled<D, S, 1>, blocks, solves_->get(), as<CoupledSolve<D, S, 1>>(view));
    else
      launch(solve_coupled<D, S, several>, blocks, solves_->get(),
             as<CoupledSolve<D, S, several>>(view));
  }
  void check_alarm(Sweep sweep) const {
    const CoupledAlarm& alarm = said_.data()->alarm;
    if (alarm.what == Awaited::nothing) return;
    std::string text = "PE " + std::to_string(plan_.rank) + " gave up after " +
                       std::to_string(options_.watchdog_ms) + " ms of a pass: it waited for ";
    if (alarm.what == Awaited::finish)
      throw Error(ErrorCode::backend_failed,
                  text + "PE " + std::to_string(alarm.pe) + " to end an earlier one");
    const Index from = alarm.what == Awaited::answers && alarm.pe < 0
                           ? answer_trees(plan_, sweep).parent[alarm.node]
                           : alarm.pe;
    text += alarm.what == Awaited::answers ? "the answers" : "a sum";
    text += " of supernode " + std::to_string(plan_.node[alarm.node]);
    if (from >= 0) text += " from PE " + std::to_string(from);
    throw Error(ErrorCode::backend_failed, text);
  }

  const LocalPlan& plan_;
  Index rhs_per_pass_;
  NvshmemOptions options_;
  CoupledLayout layout_;
  UploadedLocalPlan uploaded_;
  UploadedLists lists_[2];
  Index wait_blocks_[2] = {1, 1}, begin_blocks_ = 1;
  DeviceArray<T> value_, diagonal_value_;
  DeviceArray<BlockForm> form_;
  DeviceArray<Index> missing_;
  DeviceArray<Signal> ready_;
  DeviceArray<unsigned> words_;  // column counter, given_up, running blocks of WAIT
  DeviceArray<T> right_, answer_;
  PinnedBuffer<T> host_right_, host_answer_;
  PinnedBuffer<HostWords> said_;
  SymmetricMemory memory_;
  std::optional<CudaStream> solves_;
  std::optional<CudaStream> waits_;
  std::optional<CudaEvent> begun_, waited_;
  std::optional<TimedEvent> begins_, ends_;
  Signal pass_ = 0;
  bool broken_ = false;
  double kernel_s_ = 0;
  Index uninverted_blocks_ = 0;
};

}  // namespace

template <Scalar T>
std::unique_ptr<PePass<T>> make_coupled_pass(Pe& pe, const PeShare& share) {
  return std::make_unique<CoupledPass<T>>(pe, share);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<PePass<T>> make_coupled_pass<T>(Pe&, const PeShare&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
