// tests/exec/cuda/batch/test_solve_batch.cpp -- the GPU's kernel for batches, emulated on the CPU,
// against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>

// First: it defines the emulation that device code uses.
#include "exec/emulated_copies.hpp"
// (a separate include block)
#include "batch/batch_cases.hpp"
#include "batch/batch_plan.hpp"
#include "exec/cuda/batch/solve_batch.cuh"

namespace echelon {
namespace {

using test::BatchCase;
using test::RandomBatch;

// The device arrays of a batch, for thread blocks of one kind.
template <class T, class J, int W, int least>
struct EmulatedBatch {
  using D = DeviceScalar<T>;
  using Size = RingSize<D, J, W, least>;

  EmulatedBatch(const RandomBatch<T>& batch, const BatchCase& c, int warps, bool turned)
      : plan(make_batch_plan(batch.triangle(c, 0), c.read.op == Op::conjugate, BatchOrder::levels,
                             1)),
        groups((c.count + W - 1) / W) {
    const BatchSlots slots{32 / W * warps, 32 / W, Size::most_entries};
    step = turned ? find_turned_steps(plan, slots) : find_batch_steps(plan, slots);
    steps = static_cast<Index>(step.size());
    piece = find_batch_pieces(plan, step, turned, Size::most_entries, Size::ahead + 2);
    step.insert(step.end(), 3, {0, 0, 0});
    const Index all = (plan.entries() + Size::unit - 1) / Size::unit * Size::unit;
    index.assign(plan.index.begin(), plan.index.end());
    index.resize(static_cast<std::size_t>(all));
    group_size = Offset{all} * W;
    value.assign(static_cast<std::size_t>(groups * group_size), T(0));
    for (Index k = 0; k < groups * W; ++k)
      for (Index r = 0; r < plan.n; ++r)
        for (Index p = plan.start[r]; p < plan.start[r + 1]; ++p)
          value[k / W * group_size + p * W + k % W] = value_of(batch, c, k, p, p == plan.end(r));
    divides.assign(static_cast<std::size_t>(groups), 0);
    refused.assign(static_cast<std::size_t>(c.count), 0);
  }
  T value_of(const RandomBatch<T>& batch, const BatchCase& c, Index k, Index p, bool diagonal) {
    if (k >= c.count) return diagonal ? T(1) : T(0);
    T v = T(0);
    for (BatchPlan::Source s = plan.source[p];; s = plan.more[s.next]) {
      v += batch.values[k * batch.stride + s.place];
      if (s.next < 0) break;
    }
    if constexpr (is_complex<T>)
      if (plan.conjugated) v = std::conj(v);
    return diagonal ? T(1) / v : v;
  }
  BatchView<D> view(Index count) const {
    return {plan.n,
            plan.entries(),
            count,
            plan.unit,
            plan.row.data(),
            plan.start.data(),
            step.data(),
            steps,
            piece.data(),
            index.data(),
            reinterpret_cast<const D*>(value.data()),
            group_size,
            divides.data(),
            refused.data()};
  }

  BatchPlan plan;
  Index groups, steps = 0;
  Offset group_size = 0;
  Buffer<BatchStep> step;
  Buffer<Index> piece;
  Buffer<J> index;
  Buffer<T> value;
  std::vector<unsigned char> divides;
  std::vector<unsigned> refused;
};

template <class T, class J, int W, int least, bool in_shared, bool turned>
void expect_kernel(const BatchCase& c, int warps, bool at_once) {
  using D = DeviceScalar<T>;
  const RandomBatch<T> batch(c);
  const EmulatedBatch<T, J, W, least> there(batch, c, warps, turned);
  const T alpha = test::number<T>(0.5, 0.25);
  const auto b = test::random_vector<T>(test::batch_vectors_size(c));
  std::vector<T> x(b.size(), T(9));
  std::vector<unsigned char> bad(static_cast<std::size_t>(c.count * c.nrhs), 7);
  const auto from = test::batch_vectors(c, b.data());
  const auto to = test::batch_vectors(c, x.data());
  const BatchView<D> view = there.view(c.count);
  const BatchCall<D> call{std::bit_cast<D>(alpha),
                          true,
                          c.op == Op::conjugate,
                          c.nrhs,
                          reinterpret_cast<const D*>(from.data),
                          from.step(),
                          from.stride(),
                          reinterpret_cast<D*>(to.data),
                          to.step(),
                          to.stride(),
                          bad.data()};
  const int blocks = there.groups * c.nrhs;
  const std::size_t room = BatchRoom<D, J, W, least>::vectors(warps) +
                           static_cast<std::size_t>(c.n) * W * sizeof(T) + 64;
  std::vector<Buffer<char>> shared(static_cast<std::size_t>(blocks), Buffer<char>(room));
  emulated_copies = {};
  emulated_copies.at_once = at_once;
  blockDim.x = 32u * static_cast<unsigned>(warps);
  EmulatedBlock emulated(32 * warps, blocks);
  emulated.run([&] {
    BatchBlock<D, J, W, least, in_shared, turned>(view, call, shared[blockIdx.x].data()).run();
  });
  test::expect_answers<T>(c, batch, b, x, alpha);
  for (const unsigned char bit : bad) EXPECT_EQ(bit, 0);
}

template <class T, class J, int W, int least, bool in_shared>
void expect_kernels(BatchCase c, int warps) {
  for (const bool at_once : {false, true}) {
    c.op = Op::none;
    expect_kernel<T, J, W, least, in_shared, false>(c, warps, at_once);
    c.op = Op::transpose;
    expect_kernel<T, J, W, least, in_shared, true>(c, warps, at_once);
  }
}

using Short = std::uint16_t;

TEST(SolveBatch, EveryNumberOfWarpsAndSystems) {
  for (const int warps : {1, 2, 4}) {
    expect_kernels<double, Short, 8, 16384, true>({.n = 70, .count = 11}, warps);
    expect_kernels<double, Short, 8, 8192, true>({.n = 70, .count = 3}, warps);
    expect_kernels<double, Short, 1, 16384, true>({.n = 70, .count = 2}, warps);
    expect_kernels<double, Short, 32, 16384, true>({.n = 70, .count = 33}, warps);
    expect_kernels<float, Short, 4, 16384, true>({.n = 70, .count = 5}, warps);
    expect_kernels<float, Index, 1, 16384, false>({.n = 70, .count = 2, .nrhs = 3}, warps);
    expect_kernels<std::complex<double>, Short, 8, 16384, true>({.n = 70, .count = 9}, warps);
    expect_kernels<std::complex<float>, Short, 2, 16384, true>({.n = 70, .count = 3}, warps);
  }
}

TEST(SolveBatch, LongRowsComeInPieces) {
  for (const int warps : {1, 4}) {
    expect_kernels<double, Short, 8, 8192, true>({.n = 200, .count = 2, .per_row = 180}, warps);
    expect_kernels<float, Short, 1, 1024, true>({.n = 200, .count = 1, .per_row = 180}, warps);
  }
}

TEST(SolveBatch, UnitDiagonalsUpperTrianglesAndRowsOfVectors) {
  BatchCase c{.n = 90, .count = 10, .nrhs = 2, .uplo = Uplo::upper, .layout = Layout::row_major};
  expect_kernels<double, Short, 8, 16384, true>(c, 2);
  c.read.diagonal = Diagonal::unit;
  c.per_row = 1;
  expect_kernels<double, Short, 8, 16384, true>(c, 2);
  expect_kernels<double, Index, 1, 16384, false>(c, 2);
}

}  // namespace
}  // namespace echelon
