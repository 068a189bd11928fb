// exec/cuda/tiles/cuda_tiles.cu -- method tree: one launch per pass, with kernels for 1, 4 and 16
// right-hand sides, and wide passes for more (cuda_wide.cu).
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
#include "exec/cuda/tiles/device_slots.cuh"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/cuda/tiles/tile_widths.hpp"
#include "exec/cuda/tiles/unused_slots.cuh"
#include "exec/cuda/tiles/wide_solve.hpp"

namespace echelon {
namespace {

template <class K>
__global__ void __launch_bounds__(tile_threads, 2)
    run_tiles(const __grid_constant__ TileParameters<K> parameters) {
  extern __shared__ __align__(128) char shared[];
  run_tile_pass(parameters, shared);
}

// The program of one course on the device, with its flow.
template <class Word>
struct DeviceTiles {
  DeviceTiles(Sweep way, const TileProgram& program, const FlowPlaces& where, Index words_of_slot)
      : course(way),
        slot_words(words_of_slot),
        places(where),
        flow_size(places.size * slot_words),
        lists(program.lists),
        items(program.items),
        chunks(program.chunks),
        flow(2 * static_cast<std::size_t>(flow_size)),
        words(1) {}
  // Empties all slots, and sets slots without a producer to zero.
  void forget(const DeviceArray<Index>& unused) const {
    check_cuda(cudaMemsetAsync(words.data(), 0, words.bytes()), "cudaMemsetAsync");
    if (flow.size() > 0)
      check_cuda(cudaMemsetAsync(flow.data(), 255, flow.bytes()), "cudaMemsetAsync");
    if (course != Sweep::backward) fill_unused(unused, slot_words, flow.data(), flow_size, 2);
  }
  Offset bytes() const { return bytes_of(lists, items, chunks, flow, words); }

  Sweep course;
  Index slot_words;  // per slot
  FlowPlaces places;
  Offset flow_size;  // words per copy
  DeviceArray<TileList> lists;
  DeviceArray<TileItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<Word> flow;
  DeviceArray<GridWords> words;
};

// For `width` right-hand sides per pass.
template <class T>
struct Variant {
  using Tiles = DeviceTiles<Real<T>>;
  Index width = 0;
  TileSharedMemory room;
  Index blocks = 0;
  std::unique_ptr<Tiles> push, pull, both;
  DeviceArray<DeviceScalar<T>> scratch;
  DeviceArray<T> given;  // a copy of b where x is the same memory

  template <class Visit>
  void for_each_course(const Visit& visit) const {
    for (const Tiles* tiles : {push.get(), pull.get(), both.get()})
      if (tiles != nullptr) visit(*tiles);
  }
  Offset bytes() const {
    Offset sum = bytes_of(scratch, given);
    for_each_course([&](const Tiles& tiles) { sum += tiles.bytes(); });
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
        there_and_back_(plan.there_and_back),
        timeout_ns_(timeout_ns_of(plan.cuda)),
        cached_(0.5 * device_attribute(cudaDevAttrL2CacheSize)),
        shared_memory_(shared_memory_for(plan.cuda)),
        variants_(fitting_widths(plan)) {
    variants_.prepare(plan.cuda.right_sides,
                      [&](Index width) { return make_variant(plan, width); });
    if constexpr (takes_wide_passes)
      wide_ = make_wide_solve(plan, panels_, plan_, slots_.host, goes_back());
    if (wide_) wide_->prepare(plan, plan.cuda.right_sides);
  }

  void load(const BlockValues<T>& values) override {
    recover();  // other forms publish to other slots
    if constexpr (takes_wide_passes)
      if (wide_) wide_->load(values);
  }

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    variants_.for_each([&](const Variant<T>& v) { forget(v); });
    if (wide_) wide_->recover();
  }

  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      DeviceJob<T> part = job;
      part.b = job.b.slice(column, left);
      part.x = job.x.slice(column, left);
      column += wide_ && wide_->takes(left, job.stream) ? run_wide(part) : run(part);
    }
  }

  bool goes_back() const override { return there_and_back_ && !plan_.pulls(Op::none); }
  Index launches(Op) const override { return 1; }
  Offset bytes() const override {
    return bytes_of(plan_, slots_, variants_) + (wide_ ? wide_->bytes() : 0);
  }

 private:
  using D = DeviceScalar<T>;
  static constexpr Index parts = is_complex<T> ? 2 : 1;
  static constexpr bool takes_wide_passes = std::same_as<T, double>;

  using Tiles = typename Variant<T>::Tiles;

  template <class K>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_tiles<K>);
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
    with_kernel(width, [&]<class K>(K, const typename K::S*) {
      allow_shared_memory(kernel<K>());
      limits.blocks = v->blocks = resident_blocks(
          kernel<K>(), tile_threads, static_cast<std::size_t>(v->room.bytes), plan.cuda.blocks);
      limits.value_bytes = static_cast<Index>(sizeof(typename K::S)) * parts;
    });
    const auto make_tiles = [&](Sweep course) {
      const TileProgram program = make_tile_program(plan.blocks, slots_.host, course, limits);
      return std::make_unique<Tiles>(course, program,
                                     lay_flow(slots_.host, plan.blocks.n, course, program.sums),
                                     width * parts);
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
    v.for_each_course([&](const Tiles& tiles) { tiles.forget(slots_.unused); });
    check_cuda(cudaDeviceSynchronize(), "cudaMemsetAsync");
  }

  // Calls visit(types of a kernel, values).
  template <class Visit>
  void with_kernel(Index width, const Visit& visit) const {
    panels_.with_values([&]<class S>(const S* values) {
      with_tile_width(width, [&](auto r) { visit(TileTypes<D, S, r>(), values); });
    });
  }

  // Both solve for the first vectors of the job and return their number.
  Index run_wide(const DeviceJob<T>& job) const {
    if constexpr (takes_wide_passes) return wide_->solve(job);
    return 0;
  }
  Index run(DeviceJob<T> job) const {
    const Variant<T>& v = variants_.find(
        job.x.count, job.stream, [&](Index width) { return make_variant(*job.plan, width); });
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const Index count = std::min(job.x.count, v.width);
    job.b = job.b.slice(0, count);
    job.x = job.x.slice(0, count);
    if (job.b.data == job.x.data) {  // tiles read b after others wrote x
      const Vectors<T> given = vectors_like(job.b, v.given.data());
      copy_vectors(job.b, given, cudaMemcpyDeviceToDevice, stream);
      job.b = given;
    }
    with_kernel(v.width, [&]<class K>(K, const typename K::S* values) {
      TileParameters<K> parameters = make_parameters<K>(job, values, v);
      void* arguments[] = {&parameters};
      check_cuda(
          cudaLaunchCooperativeKernel(kernel<K>(), static_cast<unsigned>(v.blocks), tile_threads,
                                      arguments, static_cast<std::size_t>(v.room.bytes), stream),
          "a launch of a triangular solve");
    });
    return count;
  }

  template <class K>
  TileParameters<K> make_parameters(const DeviceJob<T>& job, const typename K::S* values,
                                    const Variant<T>& v) const {
    const Tiles& tiles = job.and_back ? *v.both : plan_.pulls(job.op) ? *v.pull : *v.push;
    const DevicePlan plan = plan_.view();
    TileVectors<D> sides{vectors_of(job, plan.reversed, 0), job.x.count, false, false, nullptr};
    if (job.and_back) {  // the first solve is with M itself
      sides.relays = true;
      sides.conjugates = job.op == Op::conjugate;
      sides.vectors.conjugate = false;
      sides.divisor = reinterpret_cast<const D*>(job.divisor);
    }
    const auto kept = static_cast<float>(cached_ / static_cast<double>(panels_.bytes()));
    return make_tile_parameters<K>(
        {plan, panels_.form.data(), values, kept, slots_.to.data(), slots_.more.data()}, tiles,
        sides, {v.room, v.scratch.data(), timeout_ns_});
  }

  UploadedPlan plan_;
  const DeviceValues<T>& panels_;
  DeviceSlots slots_;
  bool there_and_back_;
  unsigned long long timeout_ns_;
  double cached_;         // bytes of the panels to keep in the L2 cache
  Offset shared_memory_;  // per block
  ByWidth<Variant<T>> variants_;
  std::unique_ptr<WideSolve> wide_;  // null where there are no wide passes
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
