// exec/nvshmem/persistent_pass.cu -- design persistent: one resident kernel a PE and pass, which
// stores numbers straight into the memory of other PEs.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  That of exec/cuda/tiles/tile_multi_gpu.cuh.  NVSHMEM gives the memory and says where
// that of others is; the kernel needs no more of it.  As many blocks are launched as fit at a time,
// so all of a PE's blocks run.  The launch is not cooperative: such launches of PEs that share a
// GPU do not run beside each other (seen with MPS on an H200).  Nor does a PE have multiprocessors
// of its own everywhere (sm_partition.hpp), so how many blocks fit beside those of others is found
// by rehearsal.
#include <bit>

#include "base/instantiate.hpp"
#include "distributed/all_to_all.hpp"
#include "echelon/executor.hpp"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_status.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/staging.cuh"
#include "exec/cuda/runtime/timed_event.cuh"
#include "exec/cuda/tiles/pe_values.hpp"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/cuda/tiles/tile_widths.hpp"
#include "exec/cuda/tiles/unused_slots.cuh"
#include "exec/nvshmem/pe_course.cuh"
#include "exec/nvshmem/pe_pass.hpp"
#include "exec/nvshmem/pinned_vectors.cuh"

namespace echelon {
namespace {

template <class T, class S, int R>
__global__ void __launch_bounds__(tile_threads, 2)
    run_shared_tiles(const __grid_constant__ TilePass<T, S, R, true> pass) {
  extern __shared__ __align__(128) char shared[];
  pass.run(shared);
}

PePlan plan_together(Pe& pe, const PeShare& share) {
  PePlanner planner(share.plan, share.supernodes);
  const auto answered = all_to_all(pe.comm(), planner.ask());
  return planner.finish(all_to_all(pe.comm(), planner.answer(answered)));
}

template <class T>
class PersistentPass final : public PePass<T> {
 public:
  PersistentPass(Pe& pe, const PeShare& share)
      : pe_(pe),
        local_(share.plan),
        options_(share.options),
        plan_(plan_together(pe, share)),
        panels_(make_panels(plan_.blocks)),
        task_start_(plan_.blocks.task_start),
        outside_(plan_.blocks.outside),
        to_(plan_.to),
        more_(plan_.slots.more),
        unused_(plan_.slots.unused),
        push_(plan_.push),
        pull_(plan_.pull),
        vectors_(static_cast<std::size_t>(plan_.size()) * share.rhs_per_pass,
                 pe.device().make_stream(StreamPriority::usual)),
        cached_(0.5 * device_attribute(cudaDevAttrL2CacheSize) / pe.on_this_device()) {
    shared_memory_ =
        -largest(pe.comm(), -shared_memory_for({.shared_memory = options_.shared_memory}));
    require_shared_memory("persistent", room_for(1).bytes, shared_memory_);
    for (std::size_t k = 0; k <= tile_width_for(share.rhs_per_pass); ++k)
      if (room_for(tile_widths[k]).bytes <= shared_memory_)
        for (auto& courses : courses_) courses.emplace_back().width = tile_widths[k];
    done_ = pe.allocate(2 * static_cast<std::size_t>(pe.size()) * sizeof(unsigned long long));
    done_at_ = reach<unsigned long long>(done_);
  }

  bool wants_diagonals() const override { return true; }

  void pack(const FillRows<T>& fill, const NumericOptions& o, Index threads) override {
    PeValues<T> values;
    pack_pe(local_, plan_, fill, o, values, threads);
    value_.assign(values.value);
    form_.assign(values.form);
    uninverted_blocks_ = values.uninverted_blocks;
    triangle_ = std::move(values.triangle);
  }

  // One right-hand side; memory for more is taken when they first come.
  void open() override {
    for (auto& courses : courses_)
      for (PeCourse<T>& course : courses) course.is_open = false;
    for (const Sweep sweep : {Sweep::forward, Sweep::backward}) prepare(sweep, 1);
  }
  bool is_prepared(Sweep sweep, Index count) const override {
    bool all = true;
    for_each_course(sweep, count,
                    [&](std::size_t k) { all &= courses_[is_pull(sweep)][k].is_open; });
    return all;
  }
  void prepare(Sweep sweep, Index count) override {
    for_each_course(sweep, count, [&](std::size_t k) {
      if (!courses_[is_pull(sweep)][k].is_open) open(k, is_pull(sweep));
    });
    check_cuda(cudaDeviceSynchronize(), "setup of a solve");
    pe_.comm().any(false);  // no PE begins before all are ready
  }

  T* right() const override { return vectors_.right(); }
  T* answer() const override { return vectors_.answer(); }

  void run(Sweep sweep, Index count) override {
    vectors_.send(static_cast<std::size_t>(plan_.size()) * count);
    Index begin = 0;
    for_each_course(sweep, count, [&](std::size_t k) {
      PeCourse<T>& course = courses_[is_pull(sweep)][k];
      const Index rhs_per_pass = std::min(course.width, count - begin);
      launch(course, is_pull(sweep), begin, rhs_per_pass);
      begin += rhs_per_pass;
    });
    vectors_.receive(static_cast<std::size_t>(plan_.size()) * count);
    kernel_s_ += vectors_.kernel_s();
    if (status_.take() & status_gave_up) give_up(sweep);
  }

  double kernel_s() const override { return kernel_s_; }
  typename PePass<T>::Clock clock() const override { return {clock_.data()[0], clock_.data()[1]}; }
  Offset stored_bytes() const override { return static_cast<Offset>(value_.bytes()); }
  Offset symmetric_bytes() const override {
    Offset bytes = static_cast<Offset>(done_.bytes());
    for (const auto& courses : courses_)
      for (const PeCourse<T>& c : courses) bytes += static_cast<Offset>(c.flow.bytes());
    return bytes;
  }
  Index uninverted_blocks() const override { return uninverted_blocks_; }
  Index blocks() const override { return courses_[0].front().blocks; }

 private:
  using D = DeviceScalar<T>;
  using S = Real<T>;
  static constexpr Index parts = is_complex<T> ? 2 : 1;

  template <int R>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_shared_tiles<D, S, R>);
  }

  TileSharedMemory room_for(Index width) const {
    return make_tile_room({width, sizeof(T), sizeof(PeItem)}, shared_memory_);
  }

  // Where this PE reaches the same memory of all.
  template <class Word>
  DeviceArray<Word*> reach(const SymmetricMemory& memory) const {
    Buffer<Word*> at;
    for (Index pe = 0; pe < pe_.size(); ++pe) {
      at.push_back(reinterpret_cast<Word*>(memory.of(pe)));
      if (at.back() == nullptr && memory.bytes() > 0)
        throw Error(ErrorCode::backend_failed,
                    "PE " + std::to_string(pe_.rank()) + " cannot write into the memory of PE " +
                        std::to_string(pe) + "; design coupled does not need that");
    }
    return DeviceArray<Word*>(at);
  }

  static bool is_pull(Sweep sweep) { return sweep == Sweep::backward; }

  // Calls body(k) for the course of each pass over so many right-hand sides.
  template <class Body>
  void for_each_course(Sweep sweep, Index count, const Body& body) const {
    const auto& courses = courses_[is_pull(sweep)];
    for (Index begin = 0; begin < count;) {
      const std::size_t k = std::min(tile_width_for(count - begin), courses.size() - 1);
      body(k);
      begin += courses[k].width;
    }
  }

  // As many as run beside those of all other PEs.
  void find_blocks(PeCourse<T>& course) {
    constexpr Index steps = 16;  // of those that would fit if nobody else were there
    const TileSharedMemory room = room_for(course.width);
    Index fit = 0;
    with_tile_width(course.width, [&](auto r) {
      allow_shared_memory(kernel<r>());
      fit = resident_blocks(kernel<r>(), tile_threads, static_cast<std::size_t>(room.bytes),
                            options_.blocks, pe_.device().multiprocessors());
    });
    course.blocks = fit;
    course.room = room;
    if (pe_.size() == 1) return;
    if (course.state.size() == 0) course.state = DeviceArray<TileState>(1);
    for (Index step = steps; step > 0; --step) {
      course.blocks = std::max(fit * step / steps, Index{1});
      if (!pe_.comm().any(!rehearse(course))) return;
    }
    throw Error(ErrorCode::backend_failed,
                "the kernels of PEs that share a GPU do not run side by side: they need MPS");
  }
  // Whether all blocks of all PEs run at a time.
  bool rehearse(PeCourse<T>& course) {
    constexpr unsigned long long timeout_ns = 20000000;  // nanoseconds
    check_cuda(cudaMemset(course.state.data(), 0, course.state.bytes()), "cudaMemset");
    const Buffer<TileList> nothing(static_cast<std::size_t>(course.blocks), TileList{});
    course.lists.assign(nothing);
    check_cuda(cudaDeviceSynchronize(), "a rehearsal");
    pe_.comm().any(false);
    with_tile_width(course.width, [&](auto r) {
      TilePass<D, S, r, true> pass{};
      pass.lists = course.lists.data();
      pass.state = course.state.data();
      pass.vectors.status = status_.device();
      pass.timeout_ns = timeout_ns;
      pass.room = course.room;
      pass.share.me = pe_.rank();
      pass.share.pes = pe_.size();
      pass.share.rehearses = true;
      pass.share.done = done_at_.data();
      pass.share.clock = clock_.data();
      pass.share.pass = ++pass_;
      launch(course, pass);
    });
    check_cuda(cudaStreamSynchronize(vectors_.stream()), "a rehearsal");
    return (status_.take() & status_gave_up) == 0;
  }

  void open(std::size_t k, bool pull) {
    if (courses_[0][k].blocks == 0) {
      find_blocks(courses_[0][k]);
      courses_[1][k].blocks = courses_[0][k].blocks;
    }
    PeCourse<T>& course = courses_[pull][k];
    course.room = room_for(course.width);
    const TileLimits limits{course.blocks, static_cast<Index>(sizeof(T)), course.room.vector_size,
                            course.room.slots,
                            course.width == 1 ? TileShape::warps : course.room.slots};
    const TileProgram program = make_pe_program(plan_, pull, triangle_, limits);
    course.places.emplace(plan_, pull, program.sums);
    course.lists.assign(program.lists);
    course.items.assign(pe_items(plan_, pull, program.items));
    course.chunks.assign(program.chunks);
    if (course.state.size() == 0) course.state = DeviceArray<TileState>(1);
    check_cuda(cudaMemset(course.state.data(), 0, course.state.bytes()), "cudaMemset");

    const Index words = course.width * parts;
    const Offset wanted = largest(pe_.comm(), course.places->size) * words;
    if (wanted > course.flow_size) {
      course.flow = {};
      course.flow_size = 0;
      course.flow = pe_.allocate(static_cast<std::size_t>(copies_of_a_flow * wanted) * sizeof(S));
      course.flows = reach<S>(course.flow);
      course.flow_size = wanted;
    }
    check_cuda(cudaMemset(course.flow.data(), 255, course.flow.bytes()), "cudaMemset");
    if (!pull)
      fill_unused(unused_, words, reinterpret_cast<S*>(course.flow.data()), course.flow_size,
                  copies_of_a_flow);
    course.is_open = true;
  }

  void launch(PeCourse<T>& course, bool pull, Index begin, Index count) {
    with_tile_width(course.width, [&](auto r) {
      TilePass<D, S, r, true> pass = make_pass<r>(course, pull, begin, count);
      vectors_.begin_kernel();
      launch(course, pass);
      vectors_.end_kernel();
    });
  }
  template <int R>
  void launch(const PeCourse<T>& course, TilePass<D, S, R, true>& pass) {
    void* arguments[] = {&pass};
    check_cuda(cudaLaunchKernel(kernel<R>(), dim3(static_cast<unsigned>(course.blocks)),
                                dim3(tile_threads), arguments,
                                static_cast<std::size_t>(course.room.bytes), vectors_.stream()),
               "a launch of a triangular solve");
  }

  template <int R>
  TilePass<D, S, R, true> make_pass(PeCourse<T>& course, bool pull, Index begin, Index count) {
    TilePass<D, S, R, true> pass{};
    pass.plan.n = plan_.size();
    pass.plan.panel = panels_.data();
    pass.plan.task_start = task_start_.data();
    pass.plan.outside = outside_.data();
    pass.form = form_.data();
    pass.value = reinterpret_cast<const S*>(value_.data());
    pass.kept =
        value_.bytes() == 0 ? 1 : static_cast<float>(cached_ / static_cast<double>(value_.bytes()));
    pass.lists = course.lists.data();
    pass.items = course.items.data();
    pass.chunks = course.chunks.data();
    pass.to = to_.data();
    pass.more = more_.data();
    const Offset first = Offset{begin} * plan_.size();
    pass.vectors = {plan_.size(),
                    false,
                    false,
                    std::bit_cast<D>(T(1)),
                    reinterpret_cast<const D*>(vectors_.device_right() + first),
                    1,
                    plan_.size(),
                    reinterpret_cast<D*>(vectors_.device_answer() + first),
                    1,
                    plan_.size(),
                    status_.device()};
    pass.count = count;
    pass.flow = reinterpret_cast<S*>(course.flow.data());
    pass.flow_size = course.flow_size;
    pass.pushed = course.places->pushed;
    pass.answers = course.places->answers;
    pass.sums_place = course.places->sums;
    pass.state = course.state.data();
    pass.timeout_ns = nanoseconds_of(options_.watchdog_ms);
    pass.room = course.room;
    const DeviceWay& way = pull ? pull_ : push_;
    pass.share.flow = course.flows.data();
    pass.share.copy = static_cast<unsigned>(course.used % copies_of_a_flow);
    pass.share.target = way.target.data();
    pass.share.list = way.list.data();
    pass.share.inbox = way.inbox.data();
    pass.share.inbox_size = static_cast<Index>(way.inbox.size());
    pass.share.receivers = way.receivers.data();
    pass.share.receivers_size = static_cast<Index>(way.receivers.size());
    pass.share.senders = way.senders.data();
    pass.share.senders_size = static_cast<Index>(way.senders.size());
    pass.share.me = pe_.rank();
    pass.share.pes = pe_.size();
    pass.share.done = done_at_.data();
    pass.share.clock = clock_.data();
    pass.share.pass = ++pass_;
    pass.share.finished = course.uses.size() < 2 ? 0 : course.uses.front();
    if (course.uses.size() == 2) course.uses.erase(course.uses.begin());
    course.uses.push_back(pass_);
    ++course.used;
    last_ = &course;
    return pass;
  }

  // Whose numbers have not come.
  [[noreturn]] void give_up(Sweep sweep) {
    const PePlan::Way& mine = sweep == Sweep::backward ? plan_.pull : plan_.push;
    const Index words = last_->width * parts;
    Buffer<S> flow(static_cast<std::size_t>(last_->places->size * words));
    const auto copy = static_cast<Offset>((last_->used - 1) % copies_of_a_flow);
    check_cuda(cudaMemcpy(flow.data(),
                          reinterpret_cast<const S*>(last_->flow.data()) + copy * last_->flow_size,
                          flow.size() * sizeof(S), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    std::vector<Index> missing(static_cast<std::size_t>(pe_.size()), 0);
    for (std::size_t k = 0; k < mine.inbox.size(); ++k)
      if (std::isnan(flow[static_cast<std::size_t>(Offset{mine.inbox[k]} * words)]))
        ++missing[mine.from[k]];
    std::string text = "the kernel of PE " + std::to_string(pe_.rank()) + " gave up waiting";
    for (std::size_t pe = 0; pe < missing.size(); ++pe)
      if (missing[pe] > 0)
        text += "; of PE " + std::to_string(pe) + " " + std::to_string(missing[pe]) +
                " numbers have not come";
    throw Error(ErrorCode::backend_failed, text);
  }

  Pe& pe_;
  const LocalPlan& local_;
  const NvshmemOptions& options_;
  PePlan plan_;
  DeviceArray<DevicePanel> panels_;
  DeviceArray<Index> task_start_, outside_;
  DeviceArray<Offset> to_;
  DeviceArray<Index> more_, unused_;
  DeviceWay push_, pull_;
  DeviceArray<T> value_;
  DeviceArray<BlockForm> form_;
  Buffer<char> triangle_;
  Index uninverted_blocks_ = 0;
  PinnedVectors<T> vectors_;
  DeviceStatus status_;
  double cached_;             // bytes of the panels that had better stay in the second-level cache
  Offset shared_memory_ = 0;  // that a block of any PE may use
  std::vector<PeCourse<T>> courses_[2];  // by way
  SymmetricMemory done_;
  DeviceArray<unsigned long long*> done_at_;
  unsigned long long pass_ = 0;
  const PeCourse<T>* last_ = nullptr;
  double kernel_s_ = 0;
  PinnedBuffer<unsigned long long> clock_{2};  // which the kernel writes to
};

}  // namespace

template <Scalar T>
std::unique_ptr<PePass<T>> make_persistent_pass(Pe& pe, const PeShare& share) {
  return std::make_unique<PersistentPass<T>>(pe, share);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<PePass<T>> make_persistent_pass(Pe&, const PeShare&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
