// exec/cuda/panels/cuda_spmv.cu -- methods spmv and invert_full: one launch per sparse matrix.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The matrices follow each other in the stream.  A row adds to its own entry of z, which
// no other row of the same matrix reads or writes.
#include "base/instantiate.hpp"
#include "exec/cuda/panels/device_rows.cuh"
#include "exec/cuda/runtime/by_width.cuh"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/store_answers.cuh"

namespace echelon {
namespace {

constexpr Index threads = 256;  // per block
constexpr int several = 4;      // right-hand sides per lane, where there is more than one

template <class T, class S>
__global__ void fetch_all(DeviceRows<T, S> rows, DeviceVectors<T> from) {
  const Index k = static_cast<Index>(blockIdx.x * blockDim.x + threadIdx.x);
  if (k < from.n) rows.fetch(from, k);
}

template <int V, class T, class S>
__global__ void add_rows(DeviceRows<T, S> rows, Index begin, Index end, int lanes) {
  const Offset thread = Offset{blockIdx.x} * blockDim.x + threadIdx.x;
  const Offset r = begin + thread / lanes;
  rows.template add<V>(static_cast<Index>(min(r, Offset{end})), end, lanes,
                       static_cast<Index>(blockIdx.y) * V);
}

// The LevelMatrices of one direction, on the device.
template <class T>
class DeviceMatrices {
 public:
  void load(const LevelMatrices<T>& m) {
    level_start_ = m.level_start;
    lanes_.clear();
    for (Index l = 0; l < m.levels(); ++l) {
      const Index begin = m.level_start[l], end = m.level_start[l + 1];
      lanes_.push_back(lanes_for(m.start[end] - m.start[begin], end - begin));
    }
    row_.assign(m.row);
    start_.assign(m.start);
    index_.assign(m.index);
    value_.assign(m.value);
    low_.assign(m.low);
  }
  Index levels() const { return static_cast<Index>(lanes_.size()); }
  Offset bytes() const { return bytes_of(row_, start_, index_, value_, low_); }

  // Sets z = [b; 0], then applies all matrices in turn.
  void apply(const DeviceVectors<DeviceScalar<T>>& from, DeviceScalar<T>* z, Index count,
             const DeviceJob<T>& job) const {
    if (low_.size() > 0)
      apply(reinterpret_cast<const DeviceScalar<Low<T>>*>(low_.data()), from, z, count, job);
    else
      apply(reinterpret_cast<const DeviceScalar<T>*>(value_.data()), from, z, count, job);
  }

 private:
  template <class S>
  void apply(const S* value, const DeviceVectors<DeviceScalar<T>>& from, DeviceScalar<T>* z,
             Index count, const DeviceJob<T>& job) const {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const DeviceRows<DeviceScalar<T>, S> rows{row_.data(), start_.data(), index_.data(), value,
                                              z,           count};
    fetch_all<<<blocks_for(from.n, threads), threads, 0, stream>>>(rows, from);
    for (Index l = 0; l < levels(); ++l) {
      const Index begin = level_start_[l], end = level_start_[l + 1];
      const unsigned blocks = blocks_for(Offset{end - begin} * lanes_[l], threads);
      if (blocks == 0) continue;
      mark(job.levels, l, stream);
      if (count == 1)
        add_rows<1><<<blocks, threads, 0, stream>>>(rows, begin, end, lanes_[l]);
      else
        add_rows<several><<<dim3(blocks, blocks_for(count, several)), threads, 0, stream>>>(
            rows, begin, end, lanes_[l]);
    }
    mark(job.levels, no_step, stream);
    check_cuda(cudaGetLastError(), "a launch of a triangular solve");
  }

  Buffer<Index> level_start_;
  Buffer<int> lanes_;  // lanes per row, by level
  DeviceArray<Index> row_;
  DeviceArray<Offset> start_;
  DeviceArray<Index> index_;
  DeviceArray<T> value_;
  DeviceArray<Low<T>> low_;
};

// The work vectors of a pass, for `width` right-hand sides.
template <class T>
struct SpmvNumbers {
  Index width;
  DeviceArray<DeviceScalar<T>> z;
  Offset bytes() const { return bytes_of(z); }
};

template <class T>
class CudaSpmv final : public CudaSolve<T> {
 public:
  explicit CudaSpmv(const Plan& plan)
      : n_(plan.blocks.n),
        reversed_(plan.blocks.reversed),
        pull_(plan.blocks.pull),
        numbers_(one_and(plan.rhs_per_pass)) {
    numbers_.prepare(plan.cuda.right_sides, make_numbers());
  }

  void load(const BlockValues<T>& values) override {
    forwards_.load(values.spmv.forwards);
    backwards_.load(values.spmv.backwards);
  }

  void solve(const DeviceJob<T>& job) const override {
    const auto stream = static_cast<cudaStream_t>(job.stream);
    const DeviceMatrices<T>& matrices = matrices_of(job.op);
    if (matrices.levels() == 0)
      throw Error(ErrorCode::bad_argument, "setup has not prepared the matrices of this direction");
    for (Index column = 0, count; column < job.x.count; column += count) {
      const SpmvNumbers<T>& numbers =
          numbers_.find(job.x.count - column, job.stream, make_numbers());
      count = std::min(numbers.width, job.x.count - column);
      const auto vectors = vectors_of(job, reversed_, column);
      DeviceScalar<T>* const z = numbers.z.data();
      matrices.apply(vectors, z, count, job);
      store_answers(vectors, count, {z + Offset{n_} * count, nullptr, count, 1}, stream);
    }
  }

  Index launches(Op op) const override { return 2 + matrices_of(op).levels(); }
  Offset bytes() const override { return bytes_of(forwards_, backwards_, numbers_); }

 private:
  auto make_numbers() const {
    return [n = static_cast<std::size_t>(n_)](Index width) {
      return std::make_unique<SpmvNumbers<T>>(
          SpmvNumbers<T>{width, DeviceArray<DeviceScalar<T>>(2 * n * width)});
    };
  }
  const DeviceMatrices<T>& matrices_of(Op op) const {
    return pull_ != (op != Op::none) ? backwards_ : forwards_;
  }

  Index n_;
  bool reversed_, pull_;
  DeviceMatrices<T> forwards_, backwards_;
  ByWidth<SpmvNumbers<T>> numbers_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<CudaSolve<T>> make_cuda_spmv(const Plan& plan) {
  return std::make_unique<CudaSpmv<T>>(plan);
}

#define ECHELON_INSTANTIATE(T) template std::unique_ptr<CudaSolve<T>> make_cuda_spmv(const Plan&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
