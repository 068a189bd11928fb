// exec/cuda/cuda_tiles.cu -- one launch a solve: plans, flows and shared memory for one, a few and
// many right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <bit>

#include "base/instantiate.hpp"
#include "exec/cuda/cuda_tiles.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/cuda/device_flow.cuh"
#include "exec/cuda/tile_pass.cuh"

namespace echelon {
namespace {

constexpr std::array<Index, 3> widths{1, 4, 16};  // right-hand sides of a pass

template <class T, class S, int R>
__global__ void __launch_bounds__(tile_threads, R == 1 ? 2 : 1)
    run_tiles(const __grid_constant__ TilePass<T, S, R> pass) {
  extern __shared__ __align__(128) char shared[];
  pass.run(shared);
}

// A program on the device, and the numbers under way in it.
struct DeviceTiles {
  // Numbers of so many bytes each, besides those that parts of tiles leave for the last.
  DeviceTiles(const TileProgram& program, Offset numbers, std::size_t bytes)
      : sums(numbers),
        item_start(program.item_start),
        chunk_start(program.chunk_start),
        items(program.items),
        chunks(program.chunks),
        flow(2 * static_cast<std::size_t>(numbers + program.sums) * bytes),
        state(1) {
    forget(nullptr);
  }
  // Marks all numbers as not there.
  void forget(cudaStream_t stream) const {
    if (flow.bytes() > 0)
      check_cuda(cudaMemsetAsync(flow.data(), 255, flow.bytes(), stream), "cudaMemset");
    check_cuda(cudaMemsetAsync(state.data(), 0, sizeof(TileState), stream), "cudaMemset");
  }

  Offset sums;
  DeviceArray<Index> item_start, chunk_start;
  DeviceArray<TileItem> items;
  DeviceArray<TileChunk> chunks;
  DeviceArray<char> flow;
  DeviceArray<TileState> state;
};

// For so many right-hand sides at once.
struct Variant {
  TileRoom room;
  Index blocks = 0;
  std::unique_ptr<DeviceTiles> tiles[2];  // forwards, backwards
};

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

template <Scalar T>
struct CudaTiles<T>::State {
  using D = DeviceScalar<T>;

  State(const BlockPlan& plan, bool low_precision, Index blocks, double patience_s)
      : panels(make_panels(plan)),
        task_start(plan.task_start),
        space_start(plan.space_start),
        own(plan.own),
        outside_start(plan.outside_start),
        outside(plan.outside),
        local(plan.local),
        form(plan.order.size()),
        status(2),
        space(plan.space()),
        patience(static_cast<unsigned long long>(patience_s * 1e9)),
        pull(plan.pull) {
    const TileSources sources = find_tile_sources(plan);
    pair = DeviceArray<TileSources::Pair>(sources.pair);
    more = DeviceArray<Index>(sources.more);
    device.n = plan.n;
    device.reversed = plan.reversed;
    device.panel = panels.data();
    device.task_start = task_start.data();
    device.space_start = space_start.data();
    device.own = own.data();
    device.outside_start = outside_start.data();
    device.outside = outside.data();
    device.local = local.data();
    check_cuda(cudaMemset(status.data(), 0, status.bytes()), "cudaMemset");
    for (std::size_t k = 0; k < widths.size(); ++k)
      make_variant(plan, low_precision, blocks, widths[k], variants[k]);
    scratch = DeviceArray<D>(2 * static_cast<std::size_t>(space * widths.back()));
    inbox = DeviceArray<T>(static_cast<std::size_t>(plan.n) * widths.back());
  }

  template <class S, int R>
  static Index prepare(const TileRoom& room) {
    const auto kernel = run_tiles<D, S, R>;
    check_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(room.bytes)),
               "cudaFuncSetAttribute");
    int fits = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, kernel, tile_threads,
                                                             static_cast<std::size_t>(room.bytes)),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return fits * attribute(cudaDevAttrMultiProcessorCount);
  }

  void make_variant(const BlockPlan& plan, bool low, Index blocks, Index width, Variant& v) {
    v.room = make_tile_room(width, sizeof(T));
    const Index fit = with_kernel(low, width, [&](auto s, auto r) {
      return prepare<decltype(s), decltype(r)::value>(v.room);
    });
    v.blocks = blocks == 0 ? fit : std::min(blocks, fit);
    if (v.blocks == 0)
      throw Error(ErrorCode::backend_failed, "a block of the persistent solve does not fit");
    const Index value = static_cast<Index>(low ? sizeof(Low<T>) : sizeof(T));
    const TileLimits limits{v.blocks, value, v.room.vector_size, v.room.slots};
    for (const bool back : {false, true})
      v.tiles[back] = std::make_unique<DeviceTiles>(make_tile_program(plan, back, limits),
                                                    (back ? 0 : plan.space()) + plan.n,
                                                    sizeof(T) * static_cast<std::size_t>(width));
  }

  // What of the values the second-level cache can keep from one solve to the next.
  float kept_share(const Variant&) const {
    const double bytes = static_cast<double>(value.bytes() + low.bytes());
    return static_cast<float>(0.5 * attribute(cudaDevAttrL2CacheSize) / bytes);
  }

  // Calls body with the storage type and the width as types.
  template <class Body>
  static auto with_kernel(bool low, Index width, const Body& body) {
    const auto with_width = [&](auto s) {
      switch (width) {
        case 1:
          return body(s, std::integral_constant<int, 1>());
        case 4:
          return body(s, std::integral_constant<int, 4>());
        default:
          return body(s, std::integral_constant<int, 16>());
      }
    };
    return low ? with_width(Real<Low<T>>()) : with_width(Real<T>());
  }

  template <class S, int R>
  void run(const DeviceJob<T>& job, const S* values, Index column, Index count,
           const Variant& v) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const bool back = pull != (job.op != Op::none);
    const DeviceTiles& tiles = *v.tiles[back];
    TilePass<D, S, R> pass{};
    pass.plan = device;
    pass.form = form.data();
    pass.value = values;
    pass.item_start = tiles.item_start.data();
    pass.items = tiles.items.data();
    pass.chunk_start = tiles.chunk_start.data();
    pass.chunks = tiles.chunks.data();
    pass.pair = pair.data();
    pass.more = more.data();
    pass.pull = back;
    pass.conjugate = job.op == Op::conjugate;
    pass.alpha = std::bit_cast<D>(job.alpha);
    pass.b = reinterpret_cast<const D*>(job.b.data) + column * job.b.stride();
    pass.b_step = job.b.step();
    pass.b_stride = job.b.stride();
    pass.x = reinterpret_cast<D*>(job.x.data) + column * job.x.stride();
    pass.x_step = job.x.step();
    pass.x_stride = job.x.stride();
    pass.count = count;
    pass.flow = reinterpret_cast<typename TilePass<D, S, R>::Word*>(tiles.flow.data());
    pass.flow_size = static_cast<Offset>(tiles.flow.bytes() / sizeof(Real<T>) / 2);
    pass.answers = back ? 0 : space;
    pass.sums = tiles.sums;
    pass.kept = kept_share(v);
    pass.scratch = scratch.data();
    pass.state = tiles.state.data();
    pass.status = status.data();
    pass.patience = patience;
    pass.room = v.room;
    if (job.x.data == const_cast<T*>(job.b.data)) {
      // Tiles read b after others have written their part of x: they get a copy.
      const bool by_columns = job.b.step() == 1;
      const std::size_t row = sizeof(T) * (by_columns ? device.n : count);
      const auto pitch =
          sizeof(T) * static_cast<std::size_t>(by_columns ? job.b.stride() : job.b.step());
      const auto lines = static_cast<std::size_t>(by_columns ? count : device.n);
      check_cuda(cudaMemcpy2DAsync(inbox.data(), row, pass.b, std::max(pitch, row), row, lines,
                                   cudaMemcpyDeviceToDevice, stream),
                 "cudaMemcpy2DAsync");
      pass.b = reinterpret_cast<const D*>(inbox.data());
      (by_columns ? pass.b_stride : pass.b_step) = by_columns ? device.n : count;
    }
    void* arguments[] = {&pass};
    check_cuda(
        cudaLaunchCooperativeKernel(run_tiles<D, S, R>, dim3(v.blocks), dim3(tile_threads),
                                    arguments, static_cast<std::size_t>(v.room.bytes), stream),
        "the launch of a triangular solve");
  }

  DeviceArray<DevicePanel> panels;
  DeviceArray<Index> task_start;
  DeviceArray<Offset> space_start;
  DeviceArray<Index> own;
  DeviceArray<Offset> outside_start;
  DeviceArray<Index> outside, local;
  DeviceArray<TileSources::Pair> pair;
  DeviceArray<Index> more;
  DevicePlan device;
  DeviceArray<T> value;
  DeviceArray<Low<T>> low;
  DeviceArray<BlockForm> form;
  DeviceArray<unsigned> status;
  DeviceArray<D> scratch;
  DeviceArray<T> inbox;
  Variant variants[widths.size()];
  Offset space;
  unsigned long long patience;
  bool pull;
};

template <Scalar T>
CudaTiles<T>::CudaTiles(const BlockPlan& plan, const BlockValues<T>& values, Index blocks,
                        double patience_s) {
  if (cuda_devices() == 0)
    throw Error(ErrorCode::backend_missing, "there is no CUDA device, or no driver for it");
  state_ = std::make_unique<State>(plan, !values.low.empty(), blocks, patience_s);
  load(values);
}
template <Scalar T>
CudaTiles<T>::~CudaTiles() = default;

template <Scalar T>
void CudaTiles<T>::load(const BlockValues<T>& values) {
  State& s = *state_;
  if (s.value.size() != values.value.size()) s.value = DeviceArray<T>(values.value.size());
  if (s.low.size() != values.low.size()) s.low = DeviceArray<Low<T>>(values.low.size());
  s.value.load(values.value);
  s.low.load(values.low);
  s.form.load(values.form);
  for (const Variant& v : s.variants)
    for (const auto& tiles : v.tiles) tiles->forget(nullptr);
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

template <Scalar T>
void CudaTiles<T>::solve(const DeviceJob<T>& job) const {
  const State& s = *state_;
  if (job.x.n == 0) return;
  for (Index column = 0; column < job.x.count;) {
    const Index left = job.x.count - column;
    const std::size_t k = left == 1 ? 0 : left <= widths[1] ? 1 : 2;
    const Index count = std::min(left, widths[k]);
    State::with_kernel(s.low.size() > 0, widths[k], [&](auto type, auto width) {
      using S = decltype(type);
      const S* values;
      if constexpr (std::is_same_v<S, Real<T>>)
        values = reinterpret_cast<const S*>(s.value.data());
      else
        values = reinterpret_cast<const S*>(s.low.data());
      s.template run<S, decltype(width)::value>(job, values, column, count, s.variants[k]);
    });
    column += count;
  }
}

template <Scalar T>
bool CudaTiles<T>::all_finite() const {
  unsigned seen[2] = {};
  unsigned* const word = state_->status.data();
  check_cuda(cudaDeviceSynchronize(), "a triangular solve");
  check_cuda(cudaMemcpy(seen, word, sizeof(seen), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check_cuda(cudaMemset(word, 0, sizeof(seen)), "cudaMemset");
  if (seen[1] != 0) {
    for (const Variant& v : state_->variants)
      for (const auto& tiles : v.tiles) tiles->forget(nullptr);
    throw Error(ErrorCode::backend_failed, "a triangular solve was given up: it took too long");
  }
  return seen[0] == 0;
}

#define ECHELON_INSTANTIATE(T) template class CudaTiles<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
