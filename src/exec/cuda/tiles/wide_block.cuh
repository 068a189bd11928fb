// exec/cuda/tiles/wide_block.cuh -- the parameters of a wide pass of method tree, what one of its
// blocks has in shared memory, and how blocks wait for each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/runtime/device_scalar.cuh"
#include "exec/cuda/runtime/grid_state.cuh"
#include "exec/cuda/tiles/tile_parameters.cuh"
#include "exec/cuda/tiles/wide_program.hpp"

namespace echelon {

constexpr int wide_threads = 32 * WideShape::warps;

// S is the real type of the stored values.  In all arrays of vectors, the numbers of one row lie
// side by side: `width` of them.
template <class S>
struct WideParameters {
  const S* value;
  const WideItem* items;
  const Index* signal;
  const Index* source;  // push: WideSources
  const Index* more;
  const Index* outside;  // pull: positions
  unsigned tickets;
  Index groups, width;
  TileVectors<double> sides;
  double* space;    // push: the vectors of all tasks, then a row of zeros
  double* rows;     // by position: right-hand sides, n more: minus the answers of a pull, and n
                    // more where solves go back: the right-hand sides of the way back
  Index given;      // row of position 0's right-hand side
  double* scratch;  // sums of parts of items
  unsigned* counter;
  Index counters;    // to reset
  unsigned* ticket;  // the next one to take
  GridState grid;
};

// Numbers of two neighbouring columns.
struct alignas(16) WideTwo {
  double a, b;
};
__device__ inline WideTwo operator+(WideTwo x, WideTwo y) { return {x.a + y.a, x.b + y.b}; }
__device__ inline WideTwo operator-(WideTwo x, WideTwo y) { return {x.a - y.a, x.b - y.b}; }
__device__ inline WideTwo operator-(WideTwo x) { return {-x.a, -x.b}; }

// What a block has in shared memory, for groups of 8 Q right-hand sides.
template <int Q>
struct WideShared {
  // Two more than needed: then lanes that read a fragment have no bank conflicts.
  static constexpr Index stride = 8 * Q + 2;
  static constexpr int stages = Q == 4 ? 3 : 4;
  // A chunk under way: fragments of the panel by lane, and 8 rows of right-hand sides.
  struct Stage {
    WideTwo a[4][32];
    double x[8 * stride];
  };
  union {
    Stage stage[WideShape::warps][stages];
    alignas(16) double sum[WideShape::warps * WideShape::tile * stride];  // at the end of an item
  };
  alignas(16) WideItem item;
  Index row[WideShape::most_rows];  // push: WideSources of the item's rows; pull: rows of factors
  unsigned ticket;
  bool last;
};

template <class S, int Q>
struct WideBlock {
  static constexpr Index columns = 8 * Q, stride = WideShared<Q>::stride;

  const WideParameters<S>& p;
  WideShared<Q>& shared;
  const WideItem& item;
  Index group;

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static Index worker() { return static_cast<Index>(threadIdx.x); }

  // Of column 0 of the group, in an array of vectors.
  __device__ Offset at(Offset row) const { return row * p.width + group * columns; }
  __device__ WideTwo& two(double* vectors, Offset row, Index column) const {
    return *reinterpret_cast<WideTwo*>(vectors + at(row) + column);
  }

  // Thread 0: waits until the item may begin.
  __device__ void wait() const {
    if (item.wait < 0) return;
    const DeviceAtomic<unsigned> done(p.counter[item.wait * p.groups + group]);
    const auto needed = static_cast<unsigned>(item.needed);
    const unsigned long long deadline = p.grid.deadline();
    for (unsigned polls = 1; done.load(order::memory_order_acquire) < needed; ++polls) {
      if (polls % 256 == 0 && p.grid.gives_up(deadline)) return;
      pause_thread();
    }
  }
  // Thread 0, after a barrier: tells others that the item is done.
  __device__ void signal() const {
    fence_blocks();
    for (Index k = item.signal; k < item.signal + item.signals; ++k) count(p.signal[k]);
  }
  // Returns the count before.
  __device__ unsigned count(Index counter) const {
    return DeviceAtomic<unsigned>(p.counter[counter * p.groups + group])
        .fetch_add(1, order::memory_order_relaxed);
  }

  // Calls use(row, column, load(row, column)) for every second column of `rows` rows, `at_once`
  // loads at a time.
  template <int at_once, class Load, class Use>
  __device__ void for_each_two(Index rows, const Load& load, const Use& use) const {
    constexpr Index step = wide_threads / (4 * Q);
    const Index column = worker() % (4 * Q) * 2;
    for (Index begin = worker() / (4 * Q); begin < rows; begin += at_once * step) {
      WideTwo a[at_once];
      ECHELON_UNROLL
      for (int k = 0; k < at_once; ++k)
        a[k] = begin + k * step < rows ? load(begin + k * step, column) : WideTwo{0, 0};
      ECHELON_UNROLL
      for (int k = 0; k < at_once; ++k)
        if (begin + k * step < rows) use(begin + k * step, column, a[k]);
    }
  }
  // Calls visit(row, first of 8 columns) with neighbouring lanes at neighbouring rows.
  template <class Visit>
  __device__ void for_each_eight(Index rows, const Visit& visit) const {
    for (Index k = warp(); k < (rows + 31) / 32 * Q; k += WideShape::warps)
      if (const Index row = k / Q * 32 + lane(); row < rows) visit(row, k % Q * 8);
  }
};

}  // namespace echelon
