// exec/cuda/panels/cuda_blas.cu -- methods default and stream: cuBLAS calls per panel, on the
// caller's stream alone or on several streams.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A level begins on the caller's stream, where one launch fetches the inputs of all its
// tasks.  The side streams wait for that launch.  The tasks go to all streams in turn, and the
// caller's stream waits for the side streams before the next level.  A task writes only its own
// vector.
#include <vector>

#include "base/instantiate.hpp"
#include "exec/blas_panel.hpp"
#include "exec/cuda/panels/cublas.hpp"
#include "exec/cuda/panels/device_fetch.cuh"
#include "exec/cuda/panels/uploaded_plan.cuh"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/store_answers.cuh"
#include "exec/cuda/runtime/streams.cuh"

namespace echelon {
namespace {

constexpr Index fetch_threads = 128;  // per block; one task per block

template <class T>
__global__ void __launch_bounds__(fetch_threads)
    fetch_level(DeviceFetch<T> fetch, Index first, bool pull) {
  const Index t = first + static_cast<Index>(blockIdx.x), v = static_cast<Index>(blockIdx.y);
  if (pull)
    fetch.pull(t, v, fetch_threads);
  else
    fetch.push(t, v, fetch_threads);
}

// A stream besides the caller's.
struct SideStream {
  SideStream() { blas.use(stream.get()); }
  CudaStream stream;
  CudaEvent done;
  Cublas blas;
};

// The vectors of all tasks, for `width` right-hand sides.
template <class T>
struct BlasSpace {
  Index width;
  DeviceArray<DeviceScalar<T>> space;
  Offset bytes() const { return bytes_of(space); }
};

template <class T>
class CudaBlas final : public CudaSolve<T> {
 public:
  CudaBlas(const Plan& plan, const DeviceValues<T>& panels, Index streams)
      : reversed_(plan.blocks.reversed),
        size_(plan.blocks.space()),
        level_start_(plan.blocks.level_start),
        space_start_(plan.blocks.space_start),
        panels_(make_panels(plan.blocks)),
        plan_(plan.blocks),
        value_(panels.value),
        place_(find_places(plan.blocks)),
        spaces_(one_and(plan.rhs_per_pass)),
        side_(streams - 1) {
    spaces_.prepare(plan.cuda.right_sides, make_space());
  }

  void solve(const DeviceJob<T>& job) const override {
    blas_.use(static_cast<cudaStream_t>(job.stream));
    for (Index column = 0, count; column < job.x.count; column += count) {
      const BlasSpace<T>& space = spaces_.find(job.x.count - column, job.stream, make_space());
      count = std::min(space.width, job.x.count - column);
      run(job, column, count, space.space.data());
    }
  }

  Index launches(Op) const override {
    Index count = levels() + 1;
    for (const DevicePanel& p : panels_) count += p.h > 0 ? 2 : 1;
    return count;
  }
  Offset bytes() const override { return bytes_of(plan_, place_, spaces_); }

 private:
  using D = DeviceScalar<T>;

  auto make_space() const {
    return [size = static_cast<std::size_t>(size_)](Index width) {
      return std::make_unique<BlasSpace<T>>(BlasSpace<T>{width, DeviceArray<D>(size * width)});
    };
  }

  Index levels() const { return static_cast<Index>(level_start_.size()) - 1; }

  void run(const DeviceJob<T>& job, Index column, Index count, D* space) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const bool pull = plan_.pulls(job.op);
    const DeviceVectors<D> vectors = vectors_of(job, reversed_, column);
    const DeviceFetch<D> fetch{plan_.view(), vectors, place_.data(), space, size_};
    for (Index l = 0; l < levels(); ++l) {
      const Index level = pull ? levels() - 1 - l : l;
      const Index first = level_start_[level], end = level_start_[level + 1];
      fetch_level<<<dim3(static_cast<unsigned>(end - first), static_cast<unsigned>(count)),
                    fetch_threads, 0, stream>>>(fetch, first, pull);
      run_level(first, end, count, pull, space, stream);
    }
    store_answers(vectors, count, {space, place_.data(), 1, size_}, stream);
  }

  void run_level(Index first, Index end, Index count, bool pull, D* space,
                 cudaStream_t stream) const {
    const auto sides = std::min(side_.size(), static_cast<std::size_t>(end - first - 1));
    if (sides > 0) fetched_.record(stream);
    for (std::size_t k = 0; k < sides; ++k) fetched_.hold(side_[k].stream.get());
    for (Index t = first; t < end; ++t) {
      const auto k = static_cast<std::size_t>(t - first) % (sides + 1);
      const DevicePanel& p = panels_[t];
      solve_panel(k == 0 ? blas_ : side_[k - 1].blas,
                  BlasPanel<T>{p.w, p.h, value_.data() + p.value,
                               reinterpret_cast<T*>(space) + space_start_[t],
                               static_cast<Index>(size_), count},
                  pull);
    }
    for (std::size_t k = 0; k < sides; ++k) {
      side_[k].done.record(side_[k].stream.get());
      side_[k].done.hold(stream);
    }
  }

  bool reversed_;
  Offset size_;  // entries per vector
  Buffer<Index> level_start_;
  Buffer<Offset> space_start_;
  Buffer<DevicePanel> panels_;
  UploadedPlan plan_;
  const DeviceArray<T>& value_;
  DeviceArray<Index> place_;
  ByWidth<BlasSpace<T>> spaces_;
  Cublas blas_;  // on the caller's stream
  CudaEvent fetched_;
  std::vector<SideStream> side_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_blas(const Plan& plan, const DeviceValues<T>& panels,
                                             Index streams) {
  return std::make_unique<CudaBlas<T>>(plan, panels, streams);
}

#define ECHELON_INSTANTIATE(T) \
  template std::unique_ptr<CudaSolve<T>> make_cuda_blas(const Plan&, const DeviceValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
