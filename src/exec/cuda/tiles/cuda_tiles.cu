// exec/cuda/tiles/cuda_tiles.cu -- method tree: one launch per pass, with kernels for 1, 4 and 16
// right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  See exec/cuda/tiles/tile_pass.cuh.  The launch is cooperative: all its blocks are
// resident from the start.  After a timeout, numbers of the solve stay in the flows until recover()
// resets them.
//
// A kernel for several right-hand sides publishes numbers for all right-hand sides that it is
// compiled for, absent ones included: so each flow is always filled and emptied as a whole.
#include "base/instantiate.hpp"
#include "exec/cuda/panels/uploaded_plan.cuh"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/copy_vectors.cuh"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/store_answers.cuh"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/cuda/tiles/tile_widths.hpp"
#include "exec/cuda/tiles/unused_slots.cuh"

namespace echelon {
namespace {

template <class T, class S, int R>
__global__ void __launch_bounds__(tile_threads, 2)
    run_tiles(const __grid_constant__ TilePass<T, S, R> pass) {
  extern __shared__ __align__(128) char shared[];
  pass.run(shared);
}

// The program of one course on the device, with its flow.
struct DeviceTiles {
  DeviceTiles(Sweep way, const TileProgram& program, const TileSlots& slots, Index n,
              std::size_t number_bytes)
      : course(way),
        places(slots, n, way, program.sums),
        lists(program.lists),
        items(program.items),
        chunks(program.chunks),
        flow(2 * static_cast<std::size_t>(places.size) * number_bytes),
        state(1) {}
  // Empties all slots, and sets slots without a producer to zero.
  template <class Word>
  void forget(const DeviceArray<Index>& unused, Index words) const {
    check_cuda(cudaMemsetAsync(state.data(), 0, state.bytes()), "cudaMemsetAsync");
    if (flow.size() > 0)
      check_cuda(cudaMemsetAsync(flow.data(), 255, flow.bytes()), "cudaMemsetAsync");
    if (course != Sweep::backward)
      fill_unused(unused, words, reinterpret_cast<Word*>(flow.data()), places.size * words, 2);
  }
  Offset bytes() const { return bytes_of(lists, items, chunks, flow, state); }

  Sweep course;
  FlowPlaces places;
  DeviceArray<TileList> lists;
  DeviceArray<TileItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<char> flow;
  DeviceArray<TileState> state;
};

// Only the arrays by task stay on the host; programs are made from them.
struct DeviceSlots {
  explicit DeviceSlots(TileSlots&& s)
      : to(s.to), more(s.more), unused(s.unused), by_task(std::move(s)) {
    by_task.to = by_task.more = by_task.unused = {};
  }
  Offset bytes() const { return bytes_of(to, more, unused); }
  DeviceArray<Index> to, more, unused;
  TileSlots by_task;
};

// For `width` right-hand sides per pass.
template <class T>
struct Variant {
  Index width = 0;
  TileSharedMemory room;
  Index blocks = 0;
  std::unique_ptr<DeviceTiles> push, pull, both;
  DeviceArray<DeviceScalar<T>> scratch;
  DeviceArray<T> given;  // a copy of b where x is the same memory

  template <class Visit>
  void for_each_course(const Visit& visit) const {
    for (const DeviceTiles* tiles : {push.get(), pull.get(), both.get()})
      if (tiles != nullptr) visit(*tiles);
  }
  Offset bytes() const {
    Offset sum = bytes_of(scratch, given);
    for_each_course([&](const DeviceTiles& tiles) { sum += tiles.bytes(); });
    return sum;
  }
};

template <class T>
class CudaTiles final : public CudaSolve<T> {
 public:
  CudaTiles(const Plan& plan, const DeviceValues<T>& panels)
      : plan_(plan.blocks),
        panels_(panels),
        slots_(make_tile_slots(plan.blocks)),
        timeout_ns_(patience_of(plan.cuda)),
        cached_(0.5 * device_attribute(cudaDevAttrL2CacheSize)),
        shared_memory_(shared_memory_for(plan.cuda)),
        variants_(fitting_widths(plan)) {
    variants_.prepare(plan.cuda.right_sides,
                      [&](Index width) { return make_variant(plan, width); });
  }

  void load(const BlockValues<T>&) override { recover(); }  // other forms publish to other slots

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    variants_.for_each([&](const Variant<T>& v) { forget(v); });
  }

  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      const Variant<T>& v = variants_.find(
          left, job.stream, [&](Index width) { return make_variant(*job.plan, width); });
      DeviceJob<T> part = job;
      const Index count = std::min(left, v.width);
      part.b = job.b.slice(column, count);
      part.x = job.x.slice(column, count);
      run(part, v);
      column += count;
    }
  }

  bool goes_back() const override { return !plan_.pulls(Op::none); }
  Index launches(Op) const override { return 1; }
  Offset bytes() const override { return bytes_of(plan_, slots_, variants_); }

 private:
  using D = DeviceScalar<T>;
  static constexpr Index parts = is_complex<T> ? 2 : 1;

  template <class S, int R>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_tiles<D, S, R>);
  }

  // The widths whose blocks fit into shared memory; width 1 must fit.
  std::vector<Index> fitting_widths(const Plan& plan) const {
    std::vector<Index> widths;
    for (const Index width : tile_widths)
      if (width <= std::max(plan.rhs_per_pass, Index{1}) && room_for(width).bytes <= shared_memory_)
        widths.push_back(width);
    require_shared_memory("tree", room_for(1).bytes, shared_memory_);
    return widths;
  }
  TileSharedMemory room_for(Index width) const {
    return make_tile_room({width, static_cast<Index>(sizeof(T))}, shared_memory_);
  }

  std::unique_ptr<Variant<T>> make_variant(const Plan& plan, Index width) const {
    auto v = std::make_unique<Variant<T>>();
    v->width = width;
    v->room = room_for(width);
    TileLimits limits{.vector = v->room.vector_size,
                      .slots = v->room.slots,
                      .strips = width == 1 ? TileShape::warps : v->room.slots};
    with_kernel(width, [&]<class S, int R>(const S*, std::integral_constant<int, R>) {
      allow_shared_memory(kernel<S, R>());
      limits.blocks = v->blocks = resident_blocks(
          kernel<S, R>(), tile_threads, static_cast<std::size_t>(v->room.bytes), plan.cuda.blocks);
      limits.value_bytes = static_cast<Index>(sizeof(S) * (sizeof(T) / sizeof(Real<T>)));
    });
    const auto make_tiles = [&](Sweep course) {
      return std::make_unique<DeviceTiles>(
          course, make_tile_program(plan.blocks, slots_.by_task, course, limits), slots_.by_task,
          plan.blocks.n, static_cast<std::size_t>(width) * sizeof(T));
    };
    v->push = make_tiles(Sweep::forward);
    v->pull = make_tiles(Sweep::backward);
    if (goes_back()) v->both = make_tiles(Sweep::symmetric);
    v->scratch = DeviceArray<D>(2 * static_cast<std::size_t>(plan.blocks.space()) * width);
    v->given = DeviceArray<T>(static_cast<std::size_t>(plan.blocks.n) * width);
    forget(*v);
    return v;
  }
  void forget(const Variant<T>& v) const {
    v.for_each_course([&](const DeviceTiles& tiles) {
      tiles.template forget<Real<T>>(slots_.unused, v.width * parts);
    });
    check_cuda(cudaDeviceSynchronize(), "cudaMemsetAsync");
  }

  // Calls visit(values, integral_constant of the width) with the types of a kernel.
  template <class Visit>
  void with_kernel(Index width, const Visit& visit) const {
    panels_.with_values(
        [&](const auto* values) { with_tile_width(width, [&](auto r) { visit(values, r); }); });
  }

  // Solves for as many vectors as the variant has, or fewer.
  void run(DeviceJob<T> job, const Variant<T>& v) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    if (job.b.data == job.x.data) {  // tiles read b after others wrote x
      const Vectors<T> given = vectors_like(job.b, v.given.data());
      copy_vectors(job.b, given, cudaMemcpyDeviceToDevice, stream);
      job.b = given;
    }
    with_kernel(v.width, [&]<class S, int R>(const S* values, std::integral_constant<int, R>) {
      TilePass<D, S, R> pass = make_pass<S, R>(job, values, v);
      void* arguments[] = {&pass};
      check_cuda(
          cudaLaunchCooperativeKernel(kernel<S, R>(), static_cast<unsigned>(v.blocks), tile_threads,
                                      arguments, static_cast<std::size_t>(v.room.bytes), stream),
          "a launch of a triangular solve");
    });
  }

  template <class S, int R>
  TilePass<D, S, R> make_pass(const DeviceJob<T>& job, const S* values, const Variant<T>& v) const {
    const DeviceTiles& tiles = job.and_back ? *v.both : plan_.pulls(job.op) ? *v.pull : *v.push;
    TilePass<D, S, R> pass{};
    pass.plan = plan_.view();
    pass.form = panels_.form.data();
    pass.value = values;
    pass.kept = static_cast<float>(cached_ / static_cast<double>(panels_.bytes()));
    pass.lists = tiles.lists.data();
    pass.items = tiles.items.data();
    pass.chunks = tiles.chunks.data();
    pass.to = slots_.to.data();
    pass.more = slots_.more.data();
    pass.vectors = vectors_of(job, pass.plan.reversed, 0);
    pass.count = job.x.count;
    if (job.and_back) {  // the first solve is with M itself
      pass.relays = true;
      pass.conjugates = job.op == Op::conjugate;
      pass.vectors.conjugate = false;
      pass.divisor = reinterpret_cast<const D*>(job.divisor);
    }
    pass.flow = reinterpret_cast<typename TilePass<D, S, R>::Word*>(tiles.flow.data());
    pass.flow_size = tiles.places.size * v.width * parts;
    pass.pushed = tiles.places.pushed;
    pass.answers = tiles.places.answers;
    pass.sums_place = tiles.places.sums;
    pass.scratch = v.scratch.data();
    pass.state = tiles.state.data();
    pass.timeout_ns = timeout_ns_;
    pass.room = v.room;
    return pass;
  }

  UploadedPlan plan_;
  const DeviceValues<T>& panels_;
  DeviceSlots slots_;
  unsigned long long timeout_ns_;
  double cached_;         // bytes of the panels to keep in the L2 cache
  Offset shared_memory_;  // per block
  ByWidth<Variant<T>> variants_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_tiles(const Plan& plan, const DeviceValues<T>& panels) {
  return std::make_unique<CudaTiles<T>>(plan, panels);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<CudaSolve<T>> make_cuda_tiles(const Plan&, const DeviceValues<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
