// exec/cuda/cuda_tiles.cu -- method tree: one launch a solve, for one, a few or many right-hand
// sides at once.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  That of exec/cuda/tile_pass.cuh.  The launch is cooperative: all of its blocks run
// from the start.  Numbers of a solve that gave up lie in the flows until recover() takes them
// away.
#include "base/instantiate.hpp"
#include "exec/cuda/copy_vectors.cuh"
#include "exec/cuda/device_flow.cuh"
#include "exec/cuda/resident_blocks.cuh"
#include "exec/cuda/store_answers.cuh"
#include "exec/cuda/tile_pass.cuh"
#include "exec/cuda/tile_widths.hpp"
#include "exec/cuda/unused_slots.cuh"
#include "exec/cuda/uploaded_plan.cuh"

namespace echelon {
namespace {

template <class T, class S, int R>
__global__ void __launch_bounds__(tile_threads, 2)
    run_tiles(const __grid_constant__ TilePass<T, S, R> pass) {
  extern __shared__ __align__(128) char shared[];
  pass.run(shared);
}

// One course on the device, and the numbers under way in it.
struct DeviceTiles {
  // A number has so many bytes.
  DeviceTiles(Course way, const TileProgram& program, const TileSlots& slots, Index n,
              std::size_t bytes)
      : course(way),
        places(slots, n, way, program.sums),
        lists(program.lists),
        items(program.items),
        chunks(program.chunks),
        flow(2 * static_cast<std::size_t>(places.size) * bytes),
        state(1) {}
  // Marks all numbers as not there but those that nobody brings.
  template <class Word>
  void forget(const DeviceArray<Index>& unused, Index words) const {
    check_cuda(cudaMemsetAsync(state.data(), 0, state.bytes()), "cudaMemsetAsync");
    if (flow.size() > 0)
      check_cuda(cudaMemsetAsync(flow.data(), 255, flow.bytes()), "cudaMemsetAsync");
    if (course != Course::pull)
      fill_unused(unused, words, reinterpret_cast<Word*>(flow.data()), places.size * words, 2);
  }

  Course course;
  FlowPlaces places;
  DeviceArray<TileList> lists;
  DeviceArray<TileItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<char> flow;
  DeviceArray<TileState> state;
};

struct DeviceSlots {
  explicit DeviceSlots(const TileSlots& s) : to(s.to), more(s.more), unused(s.unused) {}
  DeviceArray<Index> to, more, unused;
};

// For so many right-hand sides at once.
struct Variant {
  Index width = 0;
  TileRoom room;
  Index blocks = 0;
  std::unique_ptr<DeviceTiles> push, pull, both;
};

template <class T>
class CudaTiles final : public CudaSolve<T> {
 public:
  CudaTiles(const Plan& plan, const DeviceValues<T>& panels)
      : CudaTiles(plan, panels, make_tile_slots(plan.blocks)) {}
  CudaTiles(const Plan& plan, const DeviceValues<T>& panels, const TileSlots& slots)
      : plan_(plan.blocks),
        panels_(panels),
        slots_(slots),
        scratch_(2 * static_cast<std::size_t>(plan.blocks.space()) * tile_widths.back()),
        given_(static_cast<std::size_t>(plan.blocks.n) * tile_widths.back()),
        patience_(patience_of(plan.cuda)),
        cached_(0.5 * device_attribute(cudaDevAttrL2CacheSize)) {
    for (std::size_t k = 0; k < tile_widths.size(); ++k)
      variants_[k] = make_variant(plan, slots, tile_widths[k]);
  }

  void load(const BlockValues<T>&) override { recover(); }  // other forms leave other numbers empty

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    for (const Variant& v : variants_)
      for (const DeviceTiles* tiles : {v.push.get(), v.pull.get(), v.both.get()})
        tiles->template forget<Real<T>>(slots_.unused, v.width * parts);
    check_cuda(cudaDeviceSynchronize(), "cudaMemsetAsync");
  }

  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      const Variant& v = variants_[tile_width_for(left)];
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

 private:
  using D = DeviceScalar<T>;
  static constexpr Index parts = is_complex<T> ? 2 : 1;

  template <class S, int R>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_tiles<D, S, R>);
  }

  Variant make_variant(const Plan& plan, const TileSlots& slots, Index width) const {
    Variant v;
    v.width = width;
    v.room = make_tile_room(width, sizeof(T));
    TileLimits limits{.vector = v.room.vector_size,
                      .slots = v.room.slots,
                      .strips = width == 1 ? TileShape::warps : v.room.slots};
    with_kernel(width, [&]<class S, int R>(const S*, std::integral_constant<int, R>) {
      check_cuda(cudaFuncSetAttribute(kernel<S, R>(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(v.room.bytes)),
                 "cudaFuncSetAttribute");
      limits.blocks = v.blocks = resident_blocks(
          kernel<S, R>(), tile_threads, static_cast<std::size_t>(v.room.bytes), plan.cuda.blocks);
      limits.value_bytes = static_cast<Index>(sizeof(S) * (sizeof(T) / sizeof(Real<T>)));
    });
    const auto make_tiles = [&](Course course) {
      return std::make_unique<DeviceTiles>(
          course, make_tile_program(plan.blocks, slots, course, limits), slots, plan.blocks.n,
          static_cast<std::size_t>(width) * sizeof(T));
    };
    v.push = make_tiles(Course::push);
    v.pull = make_tiles(Course::pull);
    v.both = make_tiles(Course::push_then_pull);
    return v;
  }

  // Calls visit(values, right-hand sides): types that a kernel is made for.
  template <class Visit>
  void with_kernel(Index width, const Visit& visit) const {
    panels_.with_values(
        [&](const auto* values) { with_tile_width(width, [&](auto r) { visit(values, r); }); });
  }

  // As many vectors as the variant takes, or fewer.
  void run(DeviceJob<T> job, const Variant& v) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    if (job.b.data == job.x.data) {  // tiles read b after others have written their part of x
      const Vectors<T> given = vectors_like(job.b, given_.data());
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
  TilePass<D, S, R> make_pass(const DeviceJob<T>& job, const S* values, const Variant& v) const {
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
    if (job.and_back) {  // what is asked for first is M itself
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
    pass.scratch = scratch_.data();
    pass.state = tiles.state.data();
    pass.patience = patience_;
    pass.room = v.room;
    return pass;
  }

  UploadedPlan plan_;
  const DeviceValues<T>& panels_;
  DeviceSlots slots_;
  DeviceArray<D> scratch_;
  DeviceArray<T> given_;  // a copy of b where x takes its place
  unsigned long long patience_;
  double cached_;  // bytes of the panels that had better stay in the second-level cache
  std::array<Variant, tile_widths.size()> variants_;
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
