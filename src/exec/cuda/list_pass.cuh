// exec/cuda/list_pass.cuh -- what some lanes of a warp do with a row or a column of a triangle, and
// a thread with a level: the work of LEVR and LEVC.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Answers are kept in z by position, which is the order of levels: what a level needs of
// the one before lies side by side.  By rows, z(k) = (alpha b - sum of M(k,j) z(j)) / d(k).  By
// columns, z begins as zero, z(j) gets -M(j,k) x(k) from each column k it needs, and whoever takes
// it leaves a zero for the next solve.  x itself is written for the caller alone, so it may be b.
//
// Lanes.  A list has 2^lane_bits lanes for its entries, dealt out in turn, times 2^width_bits for
// the vectors of a pass, which are neighbours in the warp as they are in z.  The lanes' sums are
// added up in one order: the same bits each time and for every number of right-hand sides.
//
// Protocol.  Levels follow each other in the stream, or inside one block with a barrier after each.
// Sums that are pushed are read where atomics happen, past the cache of the multiprocessor.
//
// Reference.  Li and Zhang, SIAM PP 2020, Algorithms 1 and 2.
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include "exec/cuda/device_vectors.cuh"
#include "exec/cuda/flow_number.cuh"
#include "exec/cuda/lists_view.cuh"
#include "exec/list_program.hpp"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct ListPass {
  ListsView<T> lists;  // of positions
  DeviceVectors<T> vectors;
  T* z;              // entry k of vector v is z[at(k)] in a lane of that vector
  Index count;       // vectors, up to
  Index width_bits;  // this power of two

  // A list as one lane knows it.
  struct List {
    bool there;  // there is such a list,
    bool mine;   // and a vector for this lane
    Index k, unknown;
    Index lane_bits;
    Offset next, end;  // entries that are not at hand yet
    T given, diagonal;
    Index place[entries_ahead];  // below 0: none
    T value[entries_ahead];
  };

  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ static T zero() { return zero_of(T{}); }
  __device__ Index vector() const { return lane() & ((1 << width_bits) - 1); }
  // Which of the list's entries come first to this lane.
  __device__ Index entry(Index lane_bits) const {
    return lane() >> width_bits & ((1 << lane_bits) - 1);
  }
  __device__ Index group_bits(const List& list) const { return list.lane_bits + width_bits; }
  __device__ bool is_first(const List& list) const { return entry(list.lane_bits) == 0; }
  __device__ Offset at(Index k) const { return (Offset{k} << width_bits) + vector(); }

  // All that does not depend on other unknowns.
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
  // All lanes of the warp, whose lists have as many lanes each.
  __device__ T sum_over_entries(T sum, const List& list) const {
    for (int step = 1 << group_bits(list) >> 1; step >= 1 << width_bits; step /= 2)
      sum = sum + broadcast(sum, lane() ^ step);
    return sum;
  }
  __device__ void store(const List& list, T x) const { vectors.store(list.unknown, vector(), x); }

  // --- A row.  The whole warp comes here.

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

  // --- A column: x from what was pushed; pushes.

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
  // After the last of the list's lanes has read what was there.
  __device__ void leave(const List& list, T x) const {
    if (!is_first(list)) return;
    z[at(list.k)] = zero();
    store(list, x);
  }
  // The whole warp comes here.
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
  // What a thread of the launch does; several levels have one block.
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
