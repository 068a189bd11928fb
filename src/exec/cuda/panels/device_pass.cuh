// exec/cuda/panels/device_pass.cuh -- device code for one right-hand side with the panels of a
// plan: the steps of a thread block, without the schedule.
// SPDX-License-Identifier: BSD-3-Clause
//
// The same steps as in exec/cpu/panels/block_pass.hpp, on the same vectors: own | outside per task.
// No atomics; sums in a fixed order.  All threads of the block call each function together.
// Inside, a warp works on one strip (push: one row per lane) or on 32 columns (pull: one column per
// lane).  Where strips or columns are few, several warps share one strip or 32 columns.
#pragma once

#include <type_traits>

#include "exec/block_program.hpp"
#include "exec/cuda/panels/device_plan.hpp"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

constexpr int block_warps = 8;
constexpr int block_threads = 32 * block_warps;

// T is a DeviceScalar, S the real type of the stored values.
template <class T, class S>
struct DevicePass {
  DevicePlan plan;
  const BlockForm* form;
  const S* value;
  T alpha;
  bool conjugate;
  const T* b;
  Offset b_step;
  T* space;
  T* answer;
  T* partial;

  // Partial sums of warps that share a strip or columns.
  struct Shared {
    T sum[block_warps][32];
  };

  // --- Items, as in exec/block_program.hpp.

  __device__ void run_item(PhaseKind kind, bool pull, const PhaseItem& item, Shared& shared) const {
    const Index t = item.task, begin = item.begin, end = item.end;
    if (begin < 0) return pull ? pull_task(t, shared) : push_task(t, shared);
    const Panel p = panel_of(t, plan.task_start[t]);
    switch (kind) {
      case PhaseKind::fetch:
        fetch_own(p, min(begin, p.w), min(end, p.w), !pull);
        if (pull) fetch_outside(t, max(begin, p.w) - p.w, max(end, p.w) - p.w);
        return;
      case PhaseKind::diagonal:
        return pull ? pull_diagonal(p, begin, end, shared) : push_diagonal(p, begin, end, shared);
      case PhaseKind::product:
        if (!pull) return push_product(p, begin, end, shared);
        return pull_product(p, begin, end, partial + plan.partial_start[item.piece], false, shared);
      case PhaseKind::sum:
        return pull_sum(p, t, begin, end);
    }
  }

  __device__ void push_task(Index t, Shared& shared) const {
    const Index first = plan.task_start[t], last = plan.task_start[t + 1];
    T* const outside = space + plan.space_start[t] + plan.own[t];
    const Index size =
        static_cast<Index>(plan.space_start[t + 1] - plan.space_start[t]) - plan.own[t];
    for (Index i = threadIdx.x; i < size; i += block_threads) outside[i] = zero_of(alpha);
    for (Index k = first; k < last; ++k) {
      const Panel p = panel_of(t, k);
      fetch_own(p, 0, p.w, true);
    }
    __syncthreads();
    for (Index k = first; k < last; ++k) {
      const Panel p = panel_of(t, k);
      push_diagonal(p, 0, strip_count(p.w, p.h), shared);
      push_product(p, 0, strip_count(p.w, p.h), shared);
      __syncthreads();
    }
  }

  __device__ void pull_task(Index t, Shared& shared) const {
    const Index first = plan.task_start[t], last = plan.task_start[t + 1];
    fetch_outside(t, 0, plan.outside_start[t + 1] - plan.outside_start[t]);
    for (Index k = first; k < last; ++k) {
      const Panel p = panel_of(t, k);
      fetch_own(p, 0, p.w, false);
    }
    __syncthreads();
    for (Index k = last; k-- > first;) {
      const Panel p = panel_of(t, k);
      const bool inverse = p.form == BlockForm::inverse;
      pull_product(p, 0, strip_count(p.w, p.h), inverse ? p.answer : p.own, !inverse, shared);
      __syncthreads();
      pull_diagonal(p, 0, p.w, shared);
      __syncthreads();
      if (last - first == 1) return;
      for (Index j = threadIdx.x; j < p.w; j += block_threads) p.own[j] = -p.answer[j];
      __syncthreads();
    }
  }

 private:
  struct Panel {
    Index w, h, first;
    BlockForm form;
    const S* value;
    T* own;
    T* answer;
    T* base;             // the task's vector
    const Index* local;  // rows below, relative to base; null: consecutive, from `below` on
    T* below;
  };

  __device__ Panel panel_of(Index t, Index k) const {
    const DevicePanel& d = plan.panel[k];
    T* const base = space + plan.space_start[t];
    constexpr Offset parts = std::is_floating_point_v<T> ? 1 : 2;
    return {d.w,
            d.h,
            d.first,
            form[k],
            value + parts * d.value,
            base + d.own,
            answer + d.first,
            base,
            d.local < 0 ? nullptr : plan.local + d.local,
            base + plan.own[t]};
  }

  __device__ static int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  __device__ T at(const S* panel, Offset column, Index i) const {
    return entry(panel, column, i, alpha);
  }
  __device__ static T& row_below(const Panel& p, Index i) {
    return p.local != nullptr ? p.base[p.local[i]] : p.below[i];
  }

  // The number of equal groups that the warps form for `things` work units: a power of two.
  __device__ static int warp_groups(Index things) {
    int groups = 1;
    while (groups < block_warps && groups < things) groups *= 2;
    return groups;
  }
  // Returns the sum over the warps of a group, to its first warp only.  All threads of the block
  // must call this.
  __device__ static T add_up(T sum, int sharing, Shared& shared) {
    if (sharing == 1) return sum;
    shared.sum[warp()][lane()] = sum;
    __syncthreads();
    if (warp() % sharing == 0)
      for (int i = 1; i < sharing; ++i) sum = sum + shared.sum[warp() + i][lane()];
    __syncthreads();
    return sum;
  }

  // --- Fetching.

  __device__ void fetch_own(const Panel& p, Index begin, Index end, bool forwards) const {
    for (Index j = begin + static_cast<Index>(threadIdx.x); j < end; j += block_threads) {
      const Index k = p.first + j, unknown = plan.reversed ? plan.n - 1 - k : k;
      T sum = conjugate_if(conjugate, alpha * b[unknown * b_step]);
      if (forwards)
        for (Offset q = plan.fetch_start[k]; q < plan.fetch_start[k + 1]; ++q)
          sum = sum + space[plan.fetch[q]];
      p.own[j] = sum;
    }
  }
  __device__ void fetch_outside(Index t, Offset begin, Offset end) const {
    const Index* const row = plan.outside + plan.outside_start[t];
    T* const out = space + plan.space_start[t] + plan.own[t];
    for (Offset i = begin + threadIdx.x; i < end; i += block_threads) out[i] = -answer[row[i]];
  }

  // --- Push.

  // Columns [begin, end) of the strip times x, for this lane's row.
  __device__ T push_columns(const S* panel, const Strip& s, Index begin, Index end,
                            const T* x) const {
    T sum = zero_of(alpha);
    const Index row = lane();
    if (row < s.rows)
      for (Index j = begin; j < min(end, s.full); ++j)
        sum = sum + at(panel, s.start + Offset{j} * s.rows, row) * x[j];
    for (Index j = max(begin, s.full); j < end; ++j) {
      const Index top = s.top(j);
      if (row >= top && row < s.rows) sum = sum + at(panel, s.column(j), row - top) * x[j];
    }
    return sum;
  }

  // Computes strip times x for each strip of [begin, end) and calls body(strip, the lane's sum) in
  // one warp per strip.
  template <class Body>
  __device__ void for_each_strip(const Panel& p, Index begin, Index end, const T* x, Shared& shared,
                                 const Body& body) const {
    const int side_by_side = warp_groups(end - begin);  // strips; warps of a group share columns
    const int sharing = block_warps / side_by_side, mine = warp() % sharing;
    for (Index k = begin; k < end; k += side_by_side) {
      const Index strip = k + warp() / sharing;
      const Strip s = strip_of(p.w, p.h, min(strip, end - 1));
      const Index columns = s.full + s.stair, part = (columns + sharing - 1) / sharing;
      T sum = zero_of(alpha);
      if (strip < end)
        sum =
            push_columns(p.value, s, min(mine * part, columns), min((mine + 1) * part, columns), x);
      sum = add_up(sum, sharing, shared);
      if (mine == 0 && strip < end) body(s, sum);
    }
  }

  __device__ void push_product(const Panel& p, Index begin, Index end, Shared& shared) const {
    const bool inverse = p.form == BlockForm::inverse;
    if (!inverse) begin = max(begin, p.w / PanelShape::strip);
    if (begin >= end) return;
    for_each_strip(p, begin, end, inverse ? p.own : p.answer, shared, [&](const Strip& s, T sum) {
      const Index i = s.begin + lane();
      if (i < p.w) {
        if (inverse) p.answer[i] = sum;
      } else if (i < p.w + p.h) {
        T& out = row_below(p, i - p.w);
        out = p.local != nullptr ? out - sum : -sum;
      }
    });
  }

  // answer = D^-1 own, unless push_product computes it.  For a triangle, begin == 0 solves with all
  // of D and other ranges do nothing.
  __device__ void push_diagonal(const Panel& p, Index begin, Index end, Shared& shared) const {
    if (p.form == BlockForm::inverse) return;
    const Index strips = (p.w + PanelShape::strip - 1) / PanelShape::strip;
    if (p.form == BlockForm::inverse_diagonal) {
      end = min(end, strips);
      if (begin < end)
        for_each_strip(p, begin, end, p.own, shared, [&](const Strip& s, T sum) {
          if (s.begin + lane() < p.w) p.answer[s.begin + lane()] = sum;
        });
    } else if (begin == 0) {
      for (Index k = 0; k < strips; ++k) {
        solve_strip(p, strip_of(p.w, p.h, k), shared);
        __syncthreads();
      }
    }
    __syncthreads();
  }

  // Solves for the rows of one strip with a tile on the diagonal, column by column in the first
  // warp.
  __device__ void solve_strip(const Panel& p, const Strip& s, Shared& shared) const {
    const Index part = (s.full + block_warps - 1) / block_warps;
    shared.sum[warp()][lane()] = push_columns(p.value, s, min(warp() * part, s.full),
                                              min((warp() + 1) * part, s.full), p.answer);
    __syncthreads();
    if (warp() > 0) return;
    const Index row = lane();
    T rest = row < s.stair ? p.own[s.full + row] : zero_of(alpha);
    for (int i = 0; i < block_warps; ++i) rest = rest - shared.sum[i][row];
    for (Index j = 0; j < s.stair; ++j) {
      const Index top = s.top(s.full + j);
      const Offset column = s.column(s.full + j);
      const T x = broadcast(rest, j) / at(p.value, column, j - top);
      if (row > j && row < s.stair) rest = rest - at(p.value, column, row - top) * x;
      if (row == j) p.answer[s.full + j] = x;
    }
  }

  // --- Pull.

  // The factor of panel row i in the product with the transpose.
  __device__ T row_value(const Panel& p, Index i) const {
    return i < p.w ? p.own[i] : row_below(p, i - p.w);
  }

  // Rows [from, to) of the strip times the lane's column j.
  __device__ T pull_column(const Panel& p, const Strip& s, Index j, Index from, Index to) const {
    T sum = zero_of(alpha);
    if (j >= s.full + s.stair) return sum;
    const Index top = s.top(j);
    const Offset column = s.column(j);
    for (Index i = max(max(from - s.begin, 0), top); i < min(to - s.begin, s.rows); ++i)
      sum = sum + at(p.value, column, i - top) * row_value(p, s.begin + i);
    return sum;
  }

  // y(columns [c0, c1)) = or += the transpose of rows [from, to) of strips [begin, end), times the
  // row values; c0 is a multiple of 32.
  struct Rows {
    Index from, to;
  };
  __device__ void pull_columns(const Panel& p, Index begin, Index end, Rows rows, Index c0,
                               Index c1, T* y, bool add, Shared& shared) const {
    const Index blocks = (c1 - c0 + 31) / 32;
    const int side_by_side = warp_groups(blocks);  // of columns; warps of a group share strips
    const int sharing = block_warps / side_by_side, mine = warp() % sharing;
    for (Index block = 0; block < blocks; block += side_by_side) {
      const Index j = c0 + 32 * (block + warp() / sharing) + lane();
      T sum = zero_of(alpha);
      if (j < c1)
        for (Index k = begin + mine; k < end; k += sharing)
          sum = sum + pull_column(p, strip_of(p.w, p.h, k), j, rows.from, rows.to);
      sum = add_up(sum, sharing, shared);
      if (mine == 0 && j < c1) y[j] = add ? y[j] + sum : sum;
    }
  }

  __device__ void pull_product(const Panel& p, Index begin, Index end, T* y, bool add,
                               Shared& shared) const {
    const bool inverse = p.form == BlockForm::inverse;
    if (!inverse) begin = max(begin, p.w / PanelShape::strip);
    pull_columns(p, begin, end, {inverse ? 0 : p.w, p.w + p.h}, 0, p.w, y, add, shared);
  }

  __device__ void pull_sum(const Panel& p, Index t, Index begin, Index end) const {
    const bool inverse = p.form == BlockForm::inverse;
    T* const out = inverse ? p.answer : p.own;
    for (Index j = begin + static_cast<Index>(threadIdx.x); j < end; j += block_threads) {
      T sum = inverse ? zero_of(alpha) : out[j];
      for (Index c = plan.piece_start[t]; c < plan.piece_start[t + 1]; ++c)
        sum = sum + partial[plan.partial_start[c] + j];
      out[j] = sum;
    }
  }

  // answer = D^-T own, unless pull_product computes it.  For a triangle, c0 == 0 solves with all of
  // D and other ranges do nothing.
  __device__ void pull_diagonal(const Panel& p, Index c0, Index c1, Shared& shared) const {
    if (p.form == BlockForm::inverse) return;
    const Index strips = (p.w + PanelShape::strip - 1) / PanelShape::strip;
    if (p.form == BlockForm::inverse_diagonal)
      return pull_columns(p, c0 / PanelShape::strip, strips, {0, p.w}, c0, c1, p.answer, false,
                          shared);
    if (c0 > 0) return;
    for (Index k = strips; k-- > 0;) {
      const Strip s = strip_of(p.w, p.h, k);
      solve_strip_transposed(p, s);
      __syncthreads();
      // Subtracts the contribution of the strip's answers from the columns before it.
      for (Index j = static_cast<Index>(threadIdx.x); j < s.full; j += block_threads) {
        T sum = p.own[j];
        for (Index i = 0; i < s.stair; ++i)
          sum = sum - at(p.value, s.column(j), i) * p.answer[s.full + i];
        p.own[j] = sum;
      }
      __syncthreads();
    }
  }

  // Solves with the transposed tile on the diagonal, last column first, in the first warp.
  __device__ void solve_strip_transposed(const Panel& p, const Strip& s) const {
    if (warp() > 0) return;
    const Index row = lane();
    T x = zero_of(alpha);
    for (Index j = s.stair; j-- > 0;) {
      const Index top = s.top(s.full + j);
      const Offset column = s.column(s.full + j);
      T product = zero_of(alpha);
      if (row > j && row < s.stair) product = at(p.value, column, row - top) * x;
      const T sum = sum_over_lanes(product);
      if (row == j) {
        x = (p.own[s.full + j] - sum) / at(p.value, column, j - top);
        p.answer[s.full + j] = x;
      }
    }
  }
};

}  // namespace echelon
