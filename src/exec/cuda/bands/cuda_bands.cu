// exec/cuda/bands/cuda_bands.cu -- method superstep: one launch for all bands of a triangle, which
// publish answers to each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  See exec/cuda/bands/solve_bands.cuh.  The launch is cooperative: all its blocks are
// resident from the start.  With k right-hand sides, the launch runs each band k times.
#include "base/instantiate.hpp"
#include "exec/cuda/bands/band_source.cuh"
#include "exec/cuda/bands/solve_bands.cuh"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/resident_blocks.cuh"
#include "exec/cuda/runtime/store_answers.cuh"

namespace echelon {
namespace {

constexpr Index most_threads = 768;    // per block
constexpr Index max_rhs_per_pass = 8;  // per launch

template <class T, bool divides>
__global__ void __launch_bounds__(most_threads)
    run_bands(const __grid_constant__ BandPass<T, divides> pass) {
  extern __shared__ __align__(128) char shared[];
  pass.run(shared);
}

// One block per chunk.
template <class T>
__global__ void lay_out_chunks(BandSource<T> source) {
  source.lay_out(static_cast<Index>(blockIdx.x), static_cast<int>(threadIdx.x),
                 static_cast<int>(blockDim.x));
}

// The answers that bands publish, for `width` right-hand sides.
template <class T>
struct BandNumbers {
  Index width;
  DeviceArray<T> flow;  // two copies
  DeviceArray<GridWords> words{1};

  void forget() const {
    check_cuda(cudaMemset(words.data(), 0, words.bytes()), "cudaMemset");
    if (flow.size() > 0) check_cuda(cudaMemset(flow.data(), 255, flow.bytes()), "cudaMemset");
    check_cuda(cudaDeviceSynchronize(), "cudaMemset");
  }
  Offset bytes() const { return bytes_of(flow, words); }
};

template <class T>
class CudaBands final : public CudaSolve<T> {
 public:
  using D = DeviceScalar<T>;
  using CudaSolve<T>::load;

  explicit CudaBands(const Plan& plan)
      : roles_(make_band_roles(plan.bands.threads)),
        rings_(plan.bands.rings),
        published_(plan.bands.published),
        bands_(plan.bands.count()),
        chunks_(plan.bands.chunks),
        band_first_(first_of_chunks(plan.bands)),
        chunk_start_(plan.bands.chunk_start),
        step_end_(plan.bands.step_end),
        fetch_(plan.bands.fetch),
        number_(plan.bands.number),
        slot_(plan.bands.slot),
        order_(plan.pattern.order),
        low_(plan.pattern.start.low()),
        base_(plan.pattern.start.base()),
        timeout_ns_(timeout_ns_of(plan.cuda)),
        numbers_(one_and(std::min(plan.rhs_per_pass, max_rhs_per_pass))) {
    Index largest = 0;
    const Buffer<Offset> at = chunk_places(plan.bands, sizeof(T), largest);
    chunk_at_.assign(at);
    chunk_ = DeviceArray<char>(static_cast<std::size_t>(at.back()));
    room_ = make_band_room(plan.bands, largest, sizeof(T));
    require_shared_memory("superstep", room_.bytes, shared_memory_for(plan.cuda));
    prepare<false>(plan.cuda);
    prepare<true>(plan.cuda);
    numbers_.prepare(plan.cuda.right_sides, make_numbers());
  }

  void load(const Plan&, const PackedValues<T>& values) override {
    value_.assign(values.value);
    diagonal_.assign(values.diagonal);
    divides_ = values.form == DiagonalForm::plain;
    const BandSource<D> source{chunks_.data(),
                               band_first_.data(),
                               order_.data(),
                               {low_.data(), base_.data()},
                               slot_.data(),
                               step_end_.data(),
                               fetch_.data(),
                               number_.data(),
                               reinterpret_cast<const D*>(value_.data()),
                               reinterpret_cast<const D*>(diagonal_.data()),
                               divides_,
                               rings_,
                               chunk_at_.data(),
                               chunk_.data()};
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    if (chunks_.size() > 0) lay_out_chunks<<<static_cast<unsigned>(chunks_.size()), 128>>>(source);
    check_cuda(cudaGetLastError(), "a launch");
    check_cuda(cudaDeviceSynchronize(), "laying out values");
  }

  void recover() override {
    check_cuda(cudaDeviceSynchronize(), "solves under way");
    numbers_.for_each([](const BandNumbers<D>& numbers) { numbers.forget(); });
  }

  void solve(const DeviceJob<T>& job) const override {
    for (Index column = 0; column < job.x.count;) {
      const Index left = job.x.count - column;
      const BandNumbers<D>& numbers = numbers_.find(left, job.stream, make_numbers());
      const Index count = std::min(numbers.width, left);
      divides_ ? run<true>(job, column, count, numbers) : run<false>(job, column, count, numbers);
      column += count;
    }
  }

  Index launches(Op) const override { return 1; }
  Offset bytes() const override {
    return bytes_of(chunks_, band_first_, chunk_start_, step_end_, fetch_, number_, slot_, order_,
                    low_, base_, chunk_at_, chunk_, value_, diagonal_, numbers_);
  }

 private:
  auto make_numbers() const {
    return [size = static_cast<std::size_t>(published_)](Index width) {
      auto numbers =
          std::make_unique<BandNumbers<D>>(BandNumbers<D>{width, DeviceArray<D>(2 * size * width)});
      numbers->forget();
      return numbers;
    };
  }
  template <bool divides>
  static const void* kernel() {
    return reinterpret_cast<const void*>(run_bands<D, divides>);
  }
  template <bool divides>
  void prepare(const CudaOptions& o) {
    allow_shared_memory(kernel<divides>());
    const auto bytes = static_cast<std::size_t>(room_.bytes);
    blocks_[divides] = resident_blocks(kernel<divides>(), threads(), bytes, o.blocks);
  }

  template <bool divides>
  void run(const DeviceJob<T>& job, Index column, Index count,
           const BandNumbers<D>& numbers) const {
    BandPass<D, divides> pass{};
    pass.chunk = chunk_.data();
    pass.chunk_at = chunk_at_.data();
    pass.chunk_start = chunk_start_.data();
    pass.bands = bands_;
    pass.rings = rings_;
    pass.roles = roles_;
    pass.vectors = vectors_of(job, false, column);
    pass.count = count;
    pass.flow = numbers.flow.data();
    pass.flow_size = static_cast<Offset>(numbers.flow.size() / 2);
    pass.published = published_;
    pass.grid = {numbers.words.data(), pass.vectors.status, timeout_ns_};
    pass.room = room_;
    const Offset blocks = std::min<Offset>(blocks_[divides], Offset{bands_} * count);
    void* arguments[] = {&pass};
    check_cuda(cudaLaunchCooperativeKernel(kernel<divides>(), static_cast<unsigned>(blocks),
                                           static_cast<unsigned>(threads()), arguments,
                                           static_cast<std::size_t>(room_.bytes),
                                           static_cast<cudaStream_t>(job.stream)),
               "a launch of a triangular solve");
  }
  Index threads() const { return roles_.threads(BandRings::stages(sizeof(T))); }

  BandRoles roles_;
  BandRings rings_;
  Index published_, bands_;
  DeviceArray<BandChunk> chunks_;
  DeviceArray<Index> band_first_, chunk_start_;
  DeviceArray<std::uint16_t> step_end_;
  DeviceArray<Index> fetch_, number_;
  DeviceArray<std::uint16_t> slot_;
  DeviceArray<Index> order_;
  DeviceArray<std::uint32_t> low_;
  DeviceArray<Offset> base_;
  unsigned long long timeout_ns_;
  ByWidth<BandNumbers<D>> numbers_;
  DeviceArray<Offset> chunk_at_;
  DeviceArray<char> chunk_;
  DeviceArray<T> value_, diagonal_;
  BandSharedMemory room_;
  Index blocks_[2] = {0, 0};  // for a diagonal stored as reciprocal, and as it is
  bool divides_ = false;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_bands(const Plan& plan) {
  return std::make_unique<CudaBands<T>>(plan);
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<CudaSolve<T>> make_cuda_bands(const Plan&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
