// exec/cuda/panels/cuda_invert.cu -- the inversion of panels: one launch per stage, one thread
// block per item.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The stages of exec/cuda/panels/device_invert.cuh follow the uploads and each other in
// the stream.  No item writes memory that another item of its stage reads or writes.
#include <cassert>

#include "base/instantiate.hpp"
#include "exec/cuda/panels/cuda_invert.hpp"
#include "exec/cuda/panels/device_invert.cuh"
#include "exec/cuda/runtime/require_device.hpp"
#include "exec/cuda/runtime/staging.cuh"

namespace echelon {
namespace {

constexpr std::size_t piece_bytes = std::size_t{16} << 20;  // per upload

template <Scalar T>
using InverterOf = DeviceInverter<DeviceScalar<T>, Real<T>>;

template <class Inverter>
__global__ void __launch_bounds__(block_threads)
    invert_tiles(Inverter on, const InvertItem* items) {
  __shared__ typename Inverter::TileSpace space;
  on.invert_tile(items[blockIdx.x], space);
}
template <class Inverter>
__global__ void __launch_bounds__(block_threads)
    invert_columns(Inverter on, const InvertItem* items) {
  __shared__ typename Inverter::SliceSpace space;
  on.invert_columns(items[blockIdx.x], space);
}
template <class Inverter>
__global__ void __launch_bounds__(block_threads) find_growth(Inverter on, const InvertItem* items) {
  __shared__ typename Inverter::SumSpace space;
  on.find_growth(static_cast<Index>(blockIdx.x), items[blockIdx.x], space);
}
template <class Inverter>
__global__ void decide_forms(Inverter on, Index panels) {
  const auto k = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < panels) on.decide_form(k);
}
template <class Inverter>
__global__ void __launch_bounds__(block_threads)
    finish_strips(Inverter on, const InvertItem* items) {
  __shared__ typename Inverter::SliceSpace space;
  on.finish_strips(items[blockIdx.x], space);
}
template <class Inverter>
__global__ void __launch_bounds__(block_threads) keep_strips(Inverter on, const InvertItem* items) {
  on.keep_strips(items[blockIdx.x]);
}
template <class Inverter>
__global__ void keep_forms(Inverter on, Index panels) {
  const auto k = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < panels) on.keep_form(k);
}
template <class Inverter, class S>
__global__ void __launch_bounds__(block_threads)
    lower_strips(Inverter on, const InvertItem* items, S* low) {
  on.lower_strips(items[blockIdx.x], low);
}

template <class T>
Buffer<T> download(const DeviceArray<T>& from, cudaStream_t stream) {
  Buffer<T> to(from.size());
  if (from.size() > 0)
    check_cuda(
        cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost, stream),
        "cudaMemcpyAsync");
  return to;
}

template <class T>
void resize(DeviceArray<T>& array, std::size_t size) {
  if (array.size() == size) return;
  array = DeviceArray<T>();  // frees the old array before allocating the new one
  array = DeviceArray<T>(size);
}

// Calls allocate(); on out_of_memory, adds the total bytes needed to the message.
template <class Allocate>
void with_room(std::size_t bytes, const Allocate& allocate) {
  try {
    allocate();
  } catch (const Error& e) {
    if (e.code() != ErrorCode::out_of_memory) throw;
    throw Error(ErrorCode::out_of_memory, "inverting these panels on the device needs " +
                                              std::to_string(bytes) + " bytes of it; " + e.what());
  }
}

}  // namespace

template <Scalar T>
struct CudaInverter<T>::State {
  State(const Buffer<DevicePanel>& panel, const InvertItems& items, const BlockPlan& plan)
      : values(static_cast<std::size_t>(plan.values())),
        n(plan.n),
        reversed(plan.reversed),
        panels(panel),
        tile_start(items.tile_start),
        tiles(items.tiles),
        columns(items.columns),
        strips(items.strips),
        row_sum(static_cast<std::size_t>(plan.n)),
        part(items.tiles.size()),
        growth(panel.size()),
        refused(panel.size()) {}

  bool is_low(const NumericOptions& o) const { return o.low_precision && !std::same_as<T, Low<T>>; }
  std::size_t bytes(bool low) const {
    return values * (2 * sizeof(T) + (low ? sizeof(Low<T>) : 0));
  }

  // Launches one block per item.
  template <class Kernel, class... More>
  static void launch(const Kernel& kernel, const InverterOf<T>& on,
                     const DeviceArray<InvertItem>& items, cudaStream_t stream, More... more) {
    if (items.size() == 0) return;
    kernel<<<static_cast<unsigned>(items.size()), block_threads, 0, stream>>>(on, items.data(),
                                                                              more...);
    check_cuda(cudaGetLastError(), "a launch of the inversion");
  }

  void launch_all(const InverterOf<T>& on, Real<Low<T>>* low, cudaStream_t stream) const {
    if (on.wanted != BlockForm::triangle) {
      launch(invert_tiles<InverterOf<T>>, on, tiles, stream);
      launch(invert_columns<InverterOf<T>>, on, columns, stream);
      launch(find_growth<InverterOf<T>>, on, tiles, stream);
    }
    const auto count = static_cast<Index>(panels.size());
    if (count > 0) decide_forms<<<(count + 255) / 256, 256, 0, stream>>>(on, count);
    launch(finish_strips<InverterOf<T>>, on, strips, stream);
    if (on.wanted == BlockForm::inverse) launch(keep_strips<InverterOf<T>>, on, strips, stream);
    if (on.wanted == BlockForm::inverse && count > 0)
      keep_forms<<<(count + 255) / 256, 256, 0, stream>>>(on, count);
    if (low != nullptr) launch(lower_strips<InverterOf<T>, Real<Low<T>>>, on, strips, stream, low);
  }

  // Throws not_finite if single precision cannot hold a value, with the first such column of the
  // first such panel.
  void check_low(const Buffer<Index>& column) const {
    const auto bad =
        std::find_if(column.begin(), column.end(), [](Index j) { return j != none_refused; });
    if (bad == column.end()) return;
    DevicePanel panel{};
    check_cuda(cudaMemcpy(&panel, panels.data() + (bad - column.begin()), sizeof(panel),
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    const Index position = panel.first + *bad;
    throw Error(ErrorCode::not_finite,
                "single precision cannot hold row or column " +
                    std::to_string(reversed ? n - 1 - position : position) +
                    " of the triangle, or its inverse; keep the values in double precision");
  }

  std::size_t values;
  Index n;
  bool reversed;
  DeviceArray<DevicePanel> panels;
  DeviceArray<Index> tile_start;
  DeviceArray<InvertItem> tiles, columns, strips;
  DeviceArray<double> row_sum, part, growth;
  DeviceArray<Index> refused;
  DeviceArray<T> raw, scratch;  // scratch: values to convert to low precision
  Staging<T> staging;
};

template <Scalar T>
CudaInverter<T>::CudaInverter(const BlockPlan& plan) {
  require_device();
  const Buffer<DevicePanel> panels = make_panels(plan);
  state_ = std::make_unique<State>(panels, make_invert_items(panels), plan);
}
template <Scalar T>
CudaInverter<T>::~CudaInverter() = default;

template <Scalar T>
void CudaInverter<T>::load(const BlockPlan& plan, const FillPanel<T>& fill, Index threads,
                           cudaStream_t stream) {
  with_room(state_->bytes(false), [&] { resize(state_->raw, state_->values); });
  T* const to = state_->raw.data();
  const auto count = static_cast<Index>(plan.order.size());
  const auto size = [&](Index begin, Index end) {
    return static_cast<std::size_t>(plan.value_start[end] - plan.value_start[begin]);
  };
  std::size_t half = std::min(piece_bytes / sizeof(T), state_->values);
  for (Index k = 0; k < count; ++k) half = std::max(half, size(k, k + 1));
  if (state_->staging.half() < half) state_->staging = Staging<T>(half);
  for (Index begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && size(begin, end + 1) <= half) ++end;
    const std::span<T> piece = state_->staging.take(size(begin, end));
    pack_triangles(plan, fill, begin, end, piece, threads);
    state_->staging.upload(piece, to + plan.value_start[begin], stream);
  }
}

template <Scalar T>
void CudaInverter<T>::run(BlockForm wanted, const NumericOptions& o, DeviceValues<T>& out,
                          BlockValues<T>& report, cudaStream_t stream) {
  State& s = *state_;
  assert(s.raw.size() == s.values);  // load() comes first
  const bool low = s.is_low(o);
  with_room(s.bytes(low), [&] {
    resize(out.value, low ? 0 : s.values);
    resize(out.low, low ? s.values : 0);
    resize(out.form, s.panels.size());
    resize(s.scratch, low ? s.values : 0);
  });
  const auto in = reinterpret_cast<const Real<T>*>(s.raw.data());
  const auto to = reinterpret_cast<Real<T>*>(low ? s.scratch.data() : out.value.data());
  const InverterOf<T> on{s.panels.data(),
                         s.tile_start.data(),
                         in,
                         to,
                         s.row_sum.data(),
                         s.part.data(),
                         s.growth.data(),
                         out.form.data(),
                         s.refused.data(),
                         wanted,
                         o.largest_growth};
  s.launch_all(on, low ? reinterpret_cast<Real<Low<T>>*>(out.low.data()) : nullptr, stream);
  report.form = download(out.form, stream);
  const Buffer<double> growth = download(s.growth, stream);
  const Buffer<Index> refused = download(s.refused, stream);
  check_cuda(cudaStreamSynchronize(stream), "the inversion of the panels");
  if (low) s.check_low(refused);
  count_forms<T>(wanted, growth, report);
}

#define ECHELON_INSTANTIATE(T) template class CudaInverter<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
