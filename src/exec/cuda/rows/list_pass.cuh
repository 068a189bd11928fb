// exec/cuda/rows/list_pass.cuh -- device code for methods level_row and level_column (LEVR and
// LEVC): solves one row or column per group of lanes, level by level.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The answers are in z by position, in the order of levels, so that the answers of one
// level are adjacent in memory.  By rows, z(k) = (alpha b - sum of M(k,j) z(j)) / d(k).  By
// columns, z starts as zero and z(j) receives -M(j,k) x(k) from each column k that it needs; the
// lanes that read z(j) reset it to zero for the next solve.  Only the caller reads x, so x may be
// the same memory as b.
//
// Lanes.  A list has 2^lane_bits lanes for its entries, which they process in turn, times
// 2^width_bits lanes for the vectors of a pass, which are adjacent in the warp as in z.  The sums
// of the lanes are added in a fixed order: by rows, bitwise reproducible and the same for every
// number of right-hand sides.
//
// Protocol.  Levels follow each other in the stream, or inside one block with a barrier after each.
// Pushed sums are read from the L2 cache, where the atomics take place, bypassing L1.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithms 1 and 2.
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/rows/list_program.hpp"
#include "exec/cuda/rows/lists_view.cuh"
#include "exec/cuda/runtime/device_flow.cuh"
#include "exec/cuda/runtime/device_vectors.cuh"
#include "exec/cuda/runtime/flow_number.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct ListPass {
  ListsView<T> lists;  // indices are positions
  DeviceVectors<T> vectors;
  T* z;              // entry k of the lane's vector is z[at(k)]
  Index count;       // number of vectors, at most
  Index width_bits;  // 2 to this power

  // One lane's state of a list.
  struct List {
    bool there;  // the list exists
    bool mine;   // and this lane has a vector
    Index k, unknown;
    Index lane_bits;
    Offset next, end;  // entries not yet loaded
    T given, diagonal;
    Index place[entries_ahead];  // negative: no entry
    T value[entries_ahead];
  };

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static T zero() { return zero_of(T{}); }
  __device__ Index vector() const { return lane() & ((1 << width_bits) - 1); }
  // The first of the list's entries that this lane processes.
  __device__ Index entry(Index lane_bits) const {
    return lane() >> width_bits & ((1 << lane_bits) - 1);
  }
  __device__ Index group_bits(const List& list) const { return list.lane_bits + width_bits; }
  __device__ bool is_first(const List& list) const { return entry(list.lane_bits) == 0; }
  __device__ Offset at(Index k) const { return (Offset{k} << width_bits) + vector(); }

  // Loads everything that does not depend on other unknowns.
  __device__ List fetch(Index k, bool there, Index lane_bits) const {
    List list{};
    list.there = there;
    list.mine = there && vector() < count;
    list.k = k;
    list.lane_bits = lane_bits;
    if (list.mine) {
      list.unknown = lists.order[k];
      list.next = lists.start[k] + entry(lane_bits);
      list.end = lists.start[k + 1];
      list.given = vectors.right_side(list.unknown, vector());
      list.diagonal = lists.kept_diagonal(k);
    }
    fetch_more(list);
    return list;
  }
  __device__ void fetch_more(List& list) const {
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a) {
      const Offset p = list.next + (Offset{a} << list.lane_bits);
      list.place[a] = p < list.end ? lists.index[p] : -1;
      list.value[a] = p < list.end ? lists.value[p] : zero();
    }
    list.next += Offset{entries_ahead} << list.lane_bits;
  }
  // All lanes of the warp call this; all lists of the warp have the same number of lanes.
  __device__ T sum_over_entries(T sum, const List& list) const {
    for (int step = 1 << group_bits(list) >> 1; step >= 1 << width_bits; step /= 2)
      sum = sum + broadcast(sum, lane() ^ step);
    return sum;
  }
  __device__ void store(const List& list, T x) const { vectors.store(list.unknown, vector(), x); }

  // --- Rows.  All lanes of the warp call this.

  __device__ void solve_row(List list) const {
    T sum = zero();
    for (;;) {
      ECHELON_UNROLL
      for (int a = 0; a < entries_ahead; ++a)
        if (list.place[a] >= 0) sum = multiply_add(list.value[a], z[at(list.place[a])], sum);
      if (list.next >= list.end) break;
      fetch_more(list);
    }
    sum = sum_over_entries(sum, list);
    if (!list.mine || !is_first(list)) return;
    const T x = lists.divide_by(list.given - sum, list.diagonal);
    z[at(list.k)] = x;
    store(list, x);
  }

  // --- Columns: computes x from the pushed sums, then pushes.

  __device__ T pushed_answer(const List& list) const {
    return lists.divide_by(list.given + look_for(z + at(list.k)), list.diagonal);
  }
  template <class Body>
  __device__ void for_each_entry(const List& list, const Body& body) const {
    ECHELON_UNROLL
    for (int a = 0; a < entries_ahead; ++a)
      if (list.place[a] >= 0) body(list.place[a], list.value[a]);
    for (Offset p = list.next; p < list.end; p += Offset{1} << list.lane_bits)
      body(lists.index[p], lists.value[p]);
  }
  __device__ void push(const List& list, T x) const {
    for_each_entry(list, [&](Index k, T value) { add_atomic(z + at(k), -(value * x)); });
  }
  // Call this after all lanes of the list have read z(k).
  __device__ void leave(const List& list, T x) const {
    if (!is_first(list)) return;
    z[at(list.k)] = zero();
    store(list, x);
  }
  // All lanes of the warp call this.
  __device__ void solve_column(const List& list) const {
    const T x = list.mine ? pushed_answer(list) : zero();
    sync_warp();
    if (!list.mine) return;
    push(list, x);
    leave(list, x);
  }

  // --- Levels.

  __device__ List fetch_thread(Offset thread, Index begin, Index end, Index lane_bits) const {
    const Index bits = clip_lanes(lane_bits, width_bits);
    const Offset k = begin + (thread >> (bits + width_bits));
    return fetch(static_cast<Index>(min(k, Offset{end})), k < end, bits);
  }
  // The work of one thread of a launch.  A run of several levels has one block.
  template <Order by>
  __device__ void run_levels(const LevelRun& run, const Index* level_start, const Index* lane_bits,
                             Offset thread) const {
    List list = fetch_thread(thread, run.begin, run.end, run.lane_bits);
    for (Index l = run.first + 1;; ++l) {
      List next{};
      if (l < run.last)
        next = fetch_thread(thread, level_start[l], level_start[l + 1], lane_bits[l]);
      if constexpr (by == Order::rows)
        solve_row(list);
      else
        solve_column(list);
      if (l == run.last) return;
      __syncthreads();
      list = next;
    }
  }
};

}  // namespace echelon
