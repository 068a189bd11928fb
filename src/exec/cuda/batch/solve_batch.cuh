// exec/cuda/batch/solve_batch.cuh -- one warp solves W systems side by side.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Lane s*W + w works for system w of the group; a slot s is W lanes.  The vectors lie in
// shared memory, entry by entry, or for large systems (W = 1) in the caller's x.  Rows come level
// by level, in steps: either a row per slot, whose entries its lanes sum one after the other, or
// one row for all slots, which take every S-th entry and add their sums.  With the transpose, rows
// go backwards and one at a time; the slots scatter its entries, no two to the same unknown.  The
// order of sums depends on the plan only.
//
// Protocol.  The warp is synchronized after each step, so that all lanes see its answers; no other
// warp reads or writes the vectors.
#pragma once

#include "exec/cuda/batch/batch_view.cuh"
#include "exec/cuda/batch/value_ring.cuh"

namespace echelon {

// The vectors of a group while they are solved.
template <class T, int W, bool in_shared>
struct GroupVectors {
  T* data;
  Offset step;  // in the caller's memory
  int w;

  __device__ T& operator[](Index i) const {
    if constexpr (in_shared)
      return data[i * W + w];
    else
      return data[i * step];
  }
};

template <class T, class J, int W, bool in_shared, bool turned>
class BatchWarp {
 public:
  static constexpr int slots = 32 / W;

  __device__ BatchWarp(const BatchView<T>& m, const BatchCall<T>& call, char* shared)
      : m_(m),
        call_(call),
        index_(static_cast<const J*>(m.index)),
        group_(static_cast<Index>(blockIdx.x) / call.nrhs),
        r_(static_cast<Index>(blockIdx.x) % call.nrhs),
        lane_(static_cast<int>(threadIdx.x)),
        slot_(lane_ / W),
        x_{in_shared ? reinterpret_cast<T*>(shared + RingSize<T, W>::bytes)
                     : call.x + vector_of(0) * call.x_stride,
           call.x_step, lane_ % W},
        divides_(m.divides[group_] != 0),
        ring_(shared, m.value + group_ * m.group_size, m.entries) {}

  __device__ void run() {
    load();
    if constexpr (turned)
      solve_turned();
    else
      solve();
    store();
  }

 private:
  using Ring = ValueRing<T, W, turned>;
  struct Rows {
    Index begin, end, unknown;  // of this lane's row; the end of its entries with the diagonal
    Index count, finish;        // rows of the step, and the end of its entries
  };

  __device__ Offset vector_of(int w) const { return (Offset{group_} * W + w) * call_.nrhs + r_; }
  __device__ bool is_there(int w) const { return group_ * W + w < m_.count; }
  // The lanes that read or write the caller's vectors: neighbours of the caller's memory.
  __device__ int own_system(Offset step) const { return step == 1 ? lane_ / slots : lane_ % W; }
  __device__ Index own_entry(Offset step) const { return step == 1 ? lane_ % slots : lane_ / W; }

  __device__ void load() {
    const int w = own_system(call_.b_step);
    const T* const b = call_.b + vector_of(is_there(w) ? w : 0) * call_.b_stride;
    if constexpr (in_shared) {
      for (Index i = own_entry(call_.b_step); i < m_.n; i += slots)
        copy_async(x_.data + i * W + w, b + i * call_.b_step);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncwarp();
    }
    if (in_shared && !call_.scales) return;
    T* const x = in_shared ? x_.data + w : x_.data;
    for (Index i = own_entry(call_.b_step); i < m_.n; i += slots) {
      const T given = in_shared ? x[i * W] : b[i * call_.b_step];
      x[in_shared ? i * W : i * x_.step] =
          conjugate_if(call_.conjugates, call_.scales ? call_.alpha * given : given);
    }
    __syncwarp();
  }
  // Numbers of the caller are aligned like their real parts.
  static __device__ void copy_async(T* to, const T* from) {
    using R = decltype(real_part(T()));
    for (unsigned part = 0; part < sizeof(T) / sizeof(R); ++part)
      __pipeline_memcpy_async(reinterpret_cast<R*>(to) + part,
                              reinterpret_cast<const R*>(from) + part, sizeof(R));
  }

  __device__ void store() {
    const int w = own_system(call_.x_step);
    const bool there = is_there(w);
    const bool refused = there && m_.refused[group_ * W + w] != 0;
    const Offset v = vector_of(there ? w : 0);
    T* const x = call_.x + v * call_.x_stride;
    bool bad = false;
    for (Index i = own_entry(call_.x_step); i < m_.n; i += slots) {
      const T a = in_shared ? x_.data[i * W + w] : x_.data[i * x_.step];
      bad = bad || !is_finite(a);
      if (there) x[i * call_.x_step] = refused ? none_of(a) : conjugate_if(call_.conjugates, a);
    }
    unsigned mask = ~0u;  // the lanes of system w
    if (W > 1) {
      mask = 0;
      for (int s = 0; s < slots; ++s) mask |= 1u << (call_.x_step == 1 ? w * slots + s : s * W + w);
    }
    const unsigned any = __ballot_sync(~0u, bad) & mask;
    if (there) call_.bad[v] = any != 0;
  }

  // Rows [first, last) are a step.
  __device__ Rows rows_of(Index first, Index last) const {
    const Index count = last - first;
    const Index k = first + (slot_ < count ? slot_ : 0);
    return {m_.start[k], m_.start[k + 1], m_.row[k], count, m_.start[last]};
  }

  __device__ void solve() {
    Rows next = rows_of(m_.step[0], m_.step[1]);
    Index first = m_.step[1], last = m_.step[2];
    for (Index t = 0; t < m_.steps; ++t) {
      const Rows rows = next;
      next = rows_of(first, last);
      first = last;
      last = m_.step[t + 3];
      if (rows.count > 1)
        solve_rows(rows);
      else
        solve_row(rows);
      __syncwarp();
    }
  }

  // A row per slot.
  __device__ void solve_rows(const Rows& rows) {
    ring_.require(rows.finish - 1);
    if (slot_ >= rows.count) return;
    T s = x_[rows.unknown];
    const Index end = m_.unit ? rows.end : rows.end - 1;
#pragma unroll 4
    for (Index p = rows.begin; p < end; ++p) s = subtract(s, p, index_[p]);
    x_[rows.unknown] = m_.unit ? s : divided(s, end);
  }

  // One row for all slots.
  __device__ void solve_row(const Rows& rows) {
    const Index end = m_.unit ? rows.end : rows.end - 1;
    T s = slot_ == 0 ? x_[rows.unknown] : zero_of(T());
    for (Index p = rows.begin + slot_;;) {
      const Index there = min(end, ring_.edge());
      for (; p < there; p += slots) s = subtract(s, p, index_[p]);
      if (ring_.edge() >= end) break;
      ring_.advance();
    }
    s = add_slots(s);
    if (!m_.unit) {
      ring_.require(end);
      s = divided(s, end);
    }
    if (slot_ == 0) x_[rows.unknown] = s;
  }

  __device__ void solve_turned() {
    Index begin = m_.n == 0 ? 0 : m_.start[m_.n - 1], end = m_.start[m_.n];
    Index unknown = m_.n == 0 ? 0 : m_.row[m_.n - 1];
    for (Index k = m_.n - 1; k >= 0; --k) {
      const Index own = unknown, first = begin, last = m_.unit ? end : end - 1;
      end = begin;
      begin = m_.start[k > 0 ? k - 1 : 0];
      unknown = m_.row[k > 0 ? k - 1 : 0];
      T s = x_[own];
      if (!m_.unit) {
        ring_.require(last);
        s = divided(s, last);
      }
      for (Index p = last - 1 - slot_;;) {
        const Index there = max(first, ring_.edge());
        for (; p >= there; p -= slots) {
          const Index j = index_[p];
          x_[j] = subtract_product(x_[j], ring_.at(p, x_.w), s);
        }
        if (ring_.edge() <= first) break;
        ring_.advance();
      }
      __syncwarp();
      if (slot_ == 0) x_[own] = s;
    }
    __syncwarp();
  }

  __device__ T subtract(T s, Index p, Index j) const {
    return subtract_product(s, ring_.at(p, x_.w), x_[j]);
  }
  static __device__ T subtract_product(T s, T a, T b) { return multiply_add(-a, b, s); }
  __device__ T divided(T s, Index p) const {
    const T d = ring_.at(p, x_.w);
    return divides_ ? s / d : s * d;
  }
  // The sum over the slots, in every lane.
  static __device__ T add_slots(T s) {
#pragma unroll
    for (int apart = W; apart < 32; apart *= 2) s = s + from_lane(s, apart);
    return s;
  }

  const BatchView<T>& m_;
  const BatchCall<T>& call_;
  const J* index_;
  Index group_, r_;
  int lane_, slot_;
  GroupVectors<T, W, in_shared> x_;
  bool divides_;
  Ring ring_;
};

template <class T, class J, int W, bool in_shared, bool turned>
__global__ void __launch_bounds__(32)
    solve_batch(const __grid_constant__ BatchView<T> m, const __grid_constant__ BatchCall<T> call) {
  extern __shared__ __align__(16) char batch_memory[];
  BatchWarp<T, J, W, in_shared, turned>(m, call, batch_memory).run();
}

}  // namespace echelon
