// exec/cuda/batch/solve_batch.cuh -- one thread block solves W systems side by side.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Thread s*W + w works for system w of the group; a slot s is W neighbouring threads.  The
// vectors lie in shared memory, entry by entry, or for large systems (W = 1) in the caller's x.
// Rows come in steps (exec/cuda/batch/batch_steps.hpp), each row by a team of slots: with M, slot r
// of the team sums every entry whose number is r modulo the size of the team, and the sums are
// added; with the transpose the team scatters x of the row to its entries.  Four entries at a time,
// so that their loads overlap.  The order of sums depends on the plan only.
//
// Protocol.  A barrier between two steps (ValueRing::advance) makes the answers of the first
// visible to the second.  No other block reads or writes the vectors.  In a step with the
// transpose, no two threads write the same number: its rows have no entry in common.
#pragma once

#include "exec/cuda/batch/batch_steps.hpp"
#include "exec/cuda/batch/batch_view.cuh"
#include "exec/cuda/batch/value_ring.cuh"

namespace echelon {

// The vectors of a group while they are solved.
template <class T, int W, bool in_shared>
struct GroupVectors {
  T* data;
  Offset step;  // in the caller's memory
  int w;

  __device__ T& of(Index i, int system) const {
    if constexpr (in_shared)
      return data[i * W + system];
    else
      return data[i * step];
  }
  __device__ T& operator[](Index i) const { return of(i, w); }
};

// Shared memory of a block: the ring, the sums of its warps, a word of flags, the vectors.
template <class T, class J, int W, int least>
struct BatchRoom {
  static constexpr int sums = RingSize<T, J, W, least>::bytes;
  __host__ __device__ static constexpr int flags(int warps) {
    return sums + warps * W * static_cast<int>(sizeof(T));
  }
  __host__ __device__ static constexpr int vectors(int warps) { return flags(warps) + 16; }
};

template <class T, class J, int W, int least, bool in_shared, bool turned>
class BatchBlock {
 public:
  static constexpr int warp_slots = 32 / W;
  static constexpr int batch = 4;  // entries at a time

  __device__ BatchBlock(const BatchView<T>& m, const BatchCall<T>& call, char* shared)
      : m_(m),
        call_(call),
        group_(static_cast<Index>(blockIdx.x) / call.nrhs),
        r_(static_cast<Index>(blockIdx.x) % call.nrhs),
        warps_(static_cast<int>(blockDim.x) / 32),
        lane_(static_cast<int>(threadIdx.x) % 32),
        warp_(static_cast<int>(threadIdx.x) / 32),
        slot_(static_cast<int>(threadIdx.x) / W),
        sums_(reinterpret_cast<T*>(shared + BatchRoom<T, J, W, least>::sums)),
        flags_(reinterpret_cast<unsigned*>(shared + BatchRoom<T, J, W, least>::flags(warps_))),
        x_{in_shared ? reinterpret_cast<T*>(shared + BatchRoom<T, J, W, least>::vectors(warps_))
                     : call.x + vector_of(0) * call.x_stride,
           call.x_step, lane_ % W},
        divides_(m.divides[group_] != 0),
        ring_(shared, m.value + group_ * m.group_size, static_cast<const J*>(m.index), m.piece) {}

  __device__ void run() {
    load();
    solve();
    store();
  }

 private:
  // A row of this thread.
  struct Row {
    Index begin, end, unknown;  // the end of its entries off the diagonal
    Index bound;                // of the entries of the whole step, where they end in its direction
    BatchStep step;
    bool active;  // else there is no row for this slot

    __device__ int team() const { return 1 << step.team_bits; }
  };

  __device__ Offset vector_of(int w) const { return (Offset{group_} * W + w) * call_.nrhs + r_; }
  __device__ bool is_there(int w) const { return group_ * W + w < m_.count; }
  // The system and the first entry that a thread copies: neighbours in the caller's memory.
  __device__ int own_system(Offset step) const {
    return step == 1 ? lane_ / warp_slots : lane_ % W;
  }
  __device__ Index own_entry(Offset step) const {
    return warp_ * warp_slots + (step == 1 ? lane_ % warp_slots : lane_ / W);
  }
  __device__ Index entries_apart() const { return warps_ * warp_slots; }

  __device__ void load() {
    if (threadIdx.x == 0) *flags_ = 0;
    const int w = own_system(call_.b_step);
    const T* const b = call_.b + vector_of(is_there(w) ? w : 0) * call_.b_stride;
    if constexpr (in_shared) {
      for (Index i = own_entry(call_.b_step); i < m_.n; i += entries_apart())
        copy_async(&x_.of(i, w), b + i * call_.b_step);
      commit_copies();
      wait_for_copies<0>();
      if (!call_.scales) return;
    }
    for (Index i = own_entry(call_.b_step); i < m_.n; i += entries_apart()) {
      T given;
      if constexpr (in_shared)
        given = x_.of(i, w);
      else
        given = b[i * call_.b_step];
      x_.of(i, w) = conjugate_if(call_.conjugates, call_.scales ? call_.alpha * given : given);
    }
  }
  // Numbers of the caller are aligned like their real parts.
  static __device__ void copy_async(T* to, const T* from) {
    using R = decltype(real_part(T()));
    for (unsigned part = 0; part < sizeof(T) / sizeof(R); ++part)
      start_copy<sizeof(R)>(reinterpret_cast<R*>(to) + part,
                            reinterpret_cast<const R*>(from) + part);
  }

  __device__ void store() {
    __syncthreads();
    const int w = own_system(call_.x_step);
    if (is_there(w)) {
      const bool refused = m_.refused[group_ * W + w] != 0;
      T* const x = call_.x + vector_of(w) * call_.x_stride;
      bool bad = false;
      for (Index i = own_entry(call_.x_step); i < m_.n; i += entries_apart()) {
        const T a = x_.of(i, w);
        bad = bad || !is_finite(a);
        x[i * call_.x_step] = refused ? none_of(a) : conjugate_if(call_.conjugates, a);
      }
      if (bad) atomicOr(flags_, 1u << w);
    }
    __syncthreads();
    const int system = static_cast<int>(threadIdx.x);
    if (system < W && is_there(system))
      call_.bad[vector_of(system)] = static_cast<unsigned char>(*flags_ >> system & 1);
  }

  // The row of team `own` in a step.
  __device__ Row row_of(const BatchStep& step, int own) const {
    const bool active = own < step.count;
    const Index k = step.first + (active ? own : 0);
    const Index end = m_.start[k + 1];
    return {m_.start[k], m_.unit ? end : end - 1,
            m_.row[k],   m_.start[turned ? step.first : step.first + step.count],
            step,        active};
  }
  __device__ Row row_of(const BatchStep& step) const {
    return row_of(step, slot_ >> step.team_bits);
  }

  // Rows are read two ahead and steps three: they come from the L2 cache.
  __device__ void solve() {
    Row next = row_of(m_.step[0]), second = row_of(m_.step[1]);
    BatchStep third = m_.step[2];
    ring_.advance();
    for (Index t = 0; t < m_.steps; ++t) {
      const Row row = next;
      next = second;
      second = row_of(third);
      third = m_.step[t + 3];
      T s = zero_of(T());
      if constexpr (turned)
        s = row.step.count == 1 ? scatter_alone(row) : scatter(row);
      else if (row.step.count == 1)
        gather_alone(row);
      else
        gather(row);
      // Several teams have more rows than slots only if each is one slot.
      for (int own = slot_ + entries_apart(); own < row.step.count; own += entries_apart())
        solve_more(row_of(row.step, own));
      ring_.advance();
      // All threads have read the right-hand side of this row.
      if constexpr (turned)
        if (is_first(row)) x_[row.unknown] = s;
    }
  }
  __device__ void solve_more(const Row& row) {
    if constexpr (turned)
      x_[row.unknown] = scatter(row);
    else
      gather(row);
  }
  __device__ bool is_first(const Row& row) const {
    return row.active && (slot_ & (row.team() - 1)) == 0;
  }

  // x of the row = (b - the sum of its products) / d, by a team within a warp.
  __device__ void gather(const Row& row) {
    const Index p = row.begin + (slot_ & (row.team() - 1));
    T s = zero_of(T());
    if (row.active) s = sum_entries(p, row.end, row.team(), s);
    for (int apart = W; apart < W * row.team(); apart *= 2) s = s + from_lane(s, apart);
    if (is_first(row)) x_[row.unknown] = divided(x_[row.unknown] - s, row.end);
  }
  // The same by all threads, piece by piece.
  __device__ void gather_alone(const Row& row) {
    Index p = row.begin + slot_;
    T s = sum_entries(p, min(row.end, ring_.edge()), row.team(), zero_of(T()));
    while (ring_.edge() != row.bound) {
      if (p < ring_.edge())
        p += (ring_.edge() - p + row.team() - 1) >> row.step.team_bits << row.step.team_bits;
      ring_.advance();
      s = sum_entries(p, min(row.end, ring_.edge()), row.team(), s);
    }
    for (int apart = W; apart < 32; apart *= 2) s = s + from_lane(s, apart);
    if (warps_ > 1) s = add_warps(s);
    if (slot_ == 0) x_[row.unknown] = divided(x_[row.unknown] - s, row.end);
  }
  // Products of entries p, p + team and so on, before `end`.
  __device__ T sum_entries(Index p, Index end, int team, T s) const {
    for (; p < end; p += batch * team) {
      T v[batch], x[batch];
      for (int k = 0; k < batch; ++k) {
        const Index q = min(p + k * team, end - 1);
        x[k] = x_[ring_.unknown(q)];
        v[k] = ring_.at(q, x_.w);
      }
      for (int k = 0; k < batch; ++k)
        if (p + k * team < end) s = multiply_add(v[k], x[k], s);
    }
    return s;
  }
  // The sum over all warps, in the first slot.
  __device__ T add_warps(T s) const {
    if (lane_ < W) sums_[warp_ * W + lane_] = s;
    __syncthreads();
    if (slot_ == 0)
      for (int k = 1; k < warps_; ++k) s = s + sums_[k * W + lane_];
    return s;
  }

  // x of its entries -= their products with x of the row, which is returned.
  __device__ T scatter(const Row& row) {
    if (!row.active) return zero_of(T());
    const T s = divided(x_[row.unknown], row.end);
    scatter_entries(row.end - 1 - (slot_ & (row.team() - 1)), row.begin, row.team(), s);
    return s;
  }
  // The same by all threads, piece by piece.
  __device__ T scatter_alone(const Row& row) {
    const T s = divided(x_[row.unknown], row.end);
    Index p = row.end - 1 - slot_;
    scatter_entries(p, max(row.begin, ring_.edge()), row.team(), s);
    while (ring_.edge() != row.bound) {
      if (p >= ring_.edge())
        p -= (((p - ring_.edge()) >> row.step.team_bits) + 1) << row.step.team_bits;
      ring_.advance();
      scatter_entries(p, max(row.begin, ring_.edge()), row.team(), s);
    }
    return s;
  }
  // To entries p, p - team and so on, from `first` on.
  __device__ void scatter_entries(Index p, Index first, int team, T s) const {
    for (; p >= first; p -= batch * team) {
      T x[batch];
      Index j[batch];
      for (int k = 0; k < batch; ++k) {
        const Index q = max(p - k * team, first);
        j[k] = ring_.unknown(q);
        x[k] = multiply_add(-ring_.at(q, x_.w), s, x_[j[k]]);
      }
      for (int k = 0; k < batch; ++k)
        if (p - k * team >= first) x_[j[k]] = x[k];
    }
  }

  // Entry p is the diagonal.
  __device__ T divided(T s, Index p) const {
    if (m_.unit) return s;
    const T d = ring_.at(p, x_.w);
    return divides_ ? s / d : s * d;
  }

  const BatchView<T>& m_;
  const BatchCall<T>& call_;
  Index group_, r_;
  int warps_, lane_, warp_, slot_;
  T* sums_;
  unsigned* flags_;
  GroupVectors<T, W, in_shared> x_;
  bool divides_;
  ValueRing<T, J, W, least, turned> ring_;
};

}  // namespace echelon
