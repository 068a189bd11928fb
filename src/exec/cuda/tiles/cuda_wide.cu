// exec/cuda/tiles/cuda_wide.cu -- method tree for blocks of right-hand sides in double precision:
// one launch per pass and direction, for up to 256 right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  See exec/cuda/tiles/wide_pass.cuh.  The launches follow each other in the stream: one
// copies b, then come the solve and its way back.
#include "echelon/device.hpp"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/store_answers.cuh"
#include "exec/cuda/tiles/wide_entry.cuh"
#include "exec/cuda/tiles/wide_pass.cuh"
#include "exec/cuda/tiles/wide_solve.hpp"

namespace echelon {
namespace {

constexpr Index least_wide = 5;  // fewer right-hand sides: the narrow passes for up to 4 are faster
constexpr Index all_widths[] = {8, 16, 32, 64, 128, 256};

template <class S, int Q, bool pull>
__global__ void __launch_bounds__(wide_threads, 2)
    run_wide(const __grid_constant__ WideParameters<S> parameters) {
  extern __shared__ __align__(16) char shared[];
  run_wide_pass<S, Q, pull>(parameters, *reinterpret_cast<WideShared<Q>*>(shared));
}

__global__ void __launch_bounds__(entry_threads) enter_rows(const WideEntry entry) {
  __shared__ double tile[32][9];
  entry.run(static_cast<Index>(blockIdx.x), static_cast<Index>(blockIdx.y), tile);
}

// Calls visit with the tiles of 8 right-hand sides per group, as an integral_constant.
template <class Visit>
void with_group(Index width, const Visit& visit) {
  if (width <= 8)
    visit(std::integral_constant<int, 1>());
  else if (width <= 16)
    visit(std::integral_constant<int, 2>());
  else
    visit(std::integral_constant<int, 4>());
}

constexpr Index group_of(Index width) { return std::min(width, WideShape::group); }

// The widths whose blocks fit into shared memory, and whose vectors take at most a quarter of the
// memory that is free.
std::vector<Index> widths_for(const Plan& plan) {
  std::vector<Index> widths;
  const CudaOptions& o = plan.cuda;
  const Offset rows = plan.blocks.space() + 3 * Offset{plan.blocks.n};
  const Offset free = find_device().free_bytes / 4;
  for (const Index width : all_widths) {
    std::size_t shared = 0;
    with_group(group_of(width), [&](auto q) { shared = sizeof(WideShared<q>); });
    if (width <= o.rhs_per_pass && static_cast<Offset>(shared) <= shared_memory_for(o) &&
        width * rows * Offset{sizeof(double)} <= free)
      widths.push_back(width);
  }
  return widths;
}

// The program of one direction, on the device.
struct DeviceWide {
  explicit DeviceWide(const WideProgram& program)
      : items(program.items),
        signals(program.signals),
        counters(program.counters),
        tiles(program.tiles) {}
  Offset bytes() const { return bytes_of(items, signals); }
  DeviceArray<WideItem> items;
  DeviceArray<Index> signals;
  Index counters, tiles;
};

// For `width` right-hand sides per pass.
struct WideVariant {
  Index width, groups, blocks;
  DeviceWide push, pull;
  DeviceArray<double> space, rows, scratch;
  DeviceArray<unsigned> counters;  // the ticket, then the counters
  DeviceArray<GridWords> words;

  static constexpr Index ticket_words = 32;  // a cache line
  Offset bytes() const { return bytes_of(push, pull, space, rows, scratch, counters, words); }
};

class CudaWide final : public WideSolve {
 public:
  CudaWide(const Plan& plan, const DeviceValues<double>& panels, const UploadedPlan& uploaded,
           const TileSlots& slots, bool goes_back)
      : n_(plan.blocks.n),
        panels_(panels),
        uploaded_(uploaded),
        slots_(slots),
        goes_back_(goes_back),
        timeout_ns_(timeout_ns_of(plan.cuda)),
        variants_(widths_for(plan)) {
    const WideSources sources = make_wide_sources(plan.blocks, slots);
    source_ = DeviceArray<Index>(sources.from);
    more_ = DeviceArray<Index>(sources.more);
  }

  void prepare(const Plan& plan, Index right_sides) override {
    if (right_sides >= least_wide)
      variants_.prepare_one(right_sides, [&](Index width) { return make_variant(plan, width); });
  }
  void load(const BlockValues<double>& values) override { all_inverse_ = values.all_inverse; }
  void recover() override {
    variants_.for_each([&](const WideVariant& v) { reset(v); });
  }

  bool takes(Index left, void* stream) const override {
    return all_inverse_ && left >= least_wide &&
           (variants_.has_any() || !is_captured(static_cast<cudaStream_t>(stream)));
  }
  Index solve(const DeviceJob<double>& job) const override {
    const WideVariant& v = variants_.find(
        job.x.count, job.stream, [&](Index width) { return make_variant(*job.plan, width); });
    const Index count = std::min(job.x.count, v.width);
    DeviceJob<double> part = job;
    part.b = job.b.slice(0, count);
    part.x = job.x.slice(0, count);
    enter(part, v);
    if (job.and_back || !uploaded_.pulls(job.op)) launch(part, v, false);
    if (job.and_back || uploaded_.pulls(job.op)) launch(part, v, true);
    return count;
  }
  Offset bytes() const override { return bytes_of(source_, more_, variants_); }

 private:
  // Calls visit(kernel, bytes of shared memory, values).
  template <class Visit>
  void with_kernel(Index width, bool pull, const Visit& visit) const {
    panels_.with_values([&]<class S>(const S* values) {
      with_group(group_of(width), [&](auto q) {
        visit(pull ? run_wide<S, q, true> : run_wide<S, q, false>, sizeof(WideShared<q>), values);
      });
    });
  }

  std::unique_ptr<WideVariant> make_variant(const Plan& plan, Index width) const {
    const Index groups = width / group_of(width);
    Index blocks = std::numeric_limits<Index>::max();
    for (const bool pull : {false, true})
      with_kernel(width, pull, [&](auto* kernel, std::size_t shared, const auto*) {
        const auto* const function = reinterpret_cast<const void*>(kernel);
        allow_shared_memory(function);
        blocks =
            std::min(blocks, resident_blocks(function, wide_threads, shared, plan.cuda.blocks));
      });
    const auto program = [&](bool pull) {
      return make_wide_program(plan.blocks, slots_, pull, blocks, groups);
    };
    const auto vectors = [&](Offset rows) {
      return DeviceArray<double>(static_cast<std::size_t>(rows * width));
    };
    DeviceWide push(program(false)), pull(program(true));
    const auto counters = static_cast<std::size_t>(std::max(push.counters, pull.counters)) *
                              static_cast<std::size_t>(groups) +
                          WideVariant::ticket_words;
    const Offset scratch = Offset{std::max(push.tiles, pull.tiles)} * WideShape::tile;
    auto v = std::make_unique<WideVariant>(
        WideVariant{width, groups, blocks, std::move(push), std::move(pull),
                    vectors(plan.blocks.space() + 1), vectors((goes_back_ ? 3 : 2) * Offset{n_}),
                    vectors(scratch), DeviceArray<unsigned>(counters), DeviceArray<GridWords>(1)});
    check_cuda(cudaMemset(v->space.data() + plan.blocks.space() * width, 0,
                          static_cast<std::size_t>(width) * sizeof(double)),
               "cudaMemset");
    reset(*v);
    return v;
  }
  void reset(const WideVariant& v) const {
    check_cuda(cudaMemsetAsync(v.counters.data(), 0, v.counters.bytes()), "cudaMemsetAsync");
    check_cuda(cudaMemsetAsync(v.words.data(), 0, v.words.bytes()), "cudaMemsetAsync");
    check_cuda(cudaDeviceSynchronize(), "cudaMemsetAsync");
  }

  TileVectors<double> sides_of(const DeviceJob<double>& job) const {
    return {vectors_of(job, uploaded_.view().reversed, 0), job.x.count, job.and_back, false,
            job.divisor};
  }
  Index groups_for(Index count, Index width) const {
    return (count + group_of(width) - 1) / group_of(width);
  }
  // All items read copies of b, so that x may be the same memory.
  void enter(const DeviceJob<double>& job, const WideVariant& v) const {
    const Index eights = groups_for(job.x.count, v.width) * (group_of(v.width) / 8);
    enter_rows<<<dim3(blocks_for(n_, 32), static_cast<unsigned>(eights)), entry_threads, 0,
                 static_cast<cudaStream_t>(job.stream)>>>({sides_of(job), v.rows.data(), v.width});
    check_cuda(cudaGetLastError(), "a launch of a triangular solve");
  }
  void launch(const DeviceJob<double>& job, const WideVariant& v, bool pull) const {
    with_kernel(
        v.width, pull,
        [&]<class S>(void (*kernel)(WideParameters<S>), std::size_t shared, const S* values) {
          const WideParameters<S> p = make_parameters(job, v, pull, values);
          const unsigned blocks = std::min(static_cast<unsigned>(v.blocks), p.tickets);
          kernel<<<blocks, wide_threads, shared, static_cast<cudaStream_t>(job.stream)>>>(p);
          check_cuda(cudaGetLastError(), "a launch of a triangular solve");
        });
  }
  template <class S>
  WideParameters<S> make_parameters(const DeviceJob<double>& job, const WideVariant& v, bool pull,
                                    const S* values) const {
    const DevicePlan plan = uploaded_.view();
    const DeviceWide& program = pull ? v.pull : v.push;
    WideParameters<S> p{};
    p.value = values;
    p.items = program.items.data();
    p.signal = program.signals.data();
    p.source = source_.data();
    p.more = more_.data();
    p.outside = plan.outside;
    p.groups = groups_for(job.x.count, v.width);
    p.width = v.width;
    p.tickets = static_cast<unsigned>(program.items.size()) * static_cast<unsigned>(p.groups);
    p.sides = sides_of(job);
    p.space = v.space.data();
    p.rows = v.rows.data();
    p.given = pull && job.and_back ? 2 * n_ : 0;
    p.scratch = v.scratch.data();
    p.ticket = v.counters.data();
    p.counter = v.counters.data() + WideVariant::ticket_words;
    p.counters = program.counters * p.groups;
    p.grid = {v.words.data(), job.status, timeout_ns_};
    return p;
  }

  Index n_;
  const DeviceValues<double>& panels_;
  const UploadedPlan& uploaded_;
  const TileSlots& slots_;
  DeviceArray<Index> source_, more_;  // WideSources
  bool goes_back_;
  bool all_inverse_ = false;
  unsigned long long timeout_ns_;
  ByWidth<WideVariant> variants_;
};

// Whether this build has code for the device's FP64 tensor cores.
bool has_tensor_cores() {
  cudaFuncAttributes found{};
  check_cuda(
      cudaFuncGetAttributes(&found, reinterpret_cast<const void*>(run_wide<double, 1, false>)),
      "cudaFuncGetAttributes");
  return found.ptxVersion >= 80;
}

}  // namespace

std::unique_ptr<WideSolve> make_wide_solve(const Plan& plan, const DeviceValues<double>& panels,
                                           const UploadedPlan& uploaded, const TileSlots& slots,
                                           bool goes_back) {
  if (widths_for(plan).empty() || !has_single_tasks(plan.blocks) || !has_tensor_cores())
    return nullptr;
  return std::make_unique<CudaWide>(plan, panels, uploaded, slots, goes_back);
}

}  // namespace echelon
