// exec/nvshmem/coupled_solve.cuh -- the kernel SOLVE: one thread block per supernode column of this
// PE.
// SPDX-License-Identifier: BSD-3-Clause
//
// Forwards (Ding, Liu, Williams and Li, 2021): the owner of the diagonal block waits until fmod(K)
// is zero and computes x(K); other PEs wait until x(K) arrives.  The whole block sends x(K) on in
// the column's tree.  Then it multiplies each block (I, K), adds the product to the sum of row I
// with atomics, and decrements fmod(I).  The thread that decrements it to zero sends the sum to the
// parent in the row's tree.
//
// Backwards a block pulls: it uses the answers of its rows from the last on, some strips at a time,
// and adds the sums of the children in the column's tree, in their order.  Then it computes x(K),
// or sends the sum to its parent.  Without atomics, the bits are the same each time.  Answers that
// this PE only forwards along a row also have a block.
#pragma once

#include "exec/nvshmem/coupled_diagonal.cuh"

namespace echelon {

template <class T, class S, int R>
struct CoupledSolve : CoupledDiagonal<T, S, R> {
  using View = CoupledView<T, S>;
  using Base = CoupledDiagonal<T, S, R>;
  using typename Base::SharedMemory;
  using View::answer_comes, View::at, View::block, View::block_start, View::bytes_of, View::child,
      View::child_start, View::count, View::diagonal, View::forwards, View::height, View::lane,
      View::missing, View::parent, View::parts, View::pass, View::ready, View::row, View::row_start,
      View::signal, View::size, View::start, View::sum_comes, View::sum_of, View::task, View::tasks,
      View::ticket, View::received_start, View::value, View::value_start, View::warp, View::width,
      View::x_of, View::zero;

  // Takes columns in sweep order until none is left, or until given_up is set.
  __device__ void run(SharedMemory& shared) const {
    for (;;) {
      if (threadIdx.x == 0)
        shared.task = static_cast<Index>(
            DeviceAtomic<unsigned>(*ticket).fetch_add(1, order::memory_order_relaxed));
      __syncthreads();
      const Index k = shared.task;
      __syncthreads();
      if (k >= tasks) return;
      if (!(forwards ? push_node(task[k], shared) : pull_node(task[k]))) return;
    }
  }

 private:
  static constexpr Index strips_at_once = coupled_warps;  // the rows of a round fit the threads

  __device__ static bool first() { return threadIdx.x == 0; }

  // The first thread waits for the whole block.
  __device__ bool has_sum(Index c) const { return threads_with(first() && !sum_comes(c)) == 0; }
  __device__ bool has_answer(Index c) const {
    return threads_with(first() && !answer_comes(c)) == 0;
  }
  __device__ void publish(Index c) const {
    const Index begin = child_start[c], end = child_start[c + 1];
    if (begin == end) return;
    for (Index k = begin; k < end; ++k)
      put_by_block(at(child[k].place), x_of(c), bytes_of(c), child[k].pe);
    if (!first()) return;
    order_puts();
    for (Index k = begin; k < end; ++k) signal_remote(signal + child[k].signal, pass, child[k].pe);
  }

  // --- Forwards.

  __device__ bool push_node(Index c, SharedMemory& shared) const {
    if (diagonal[c] >= 0) {
      if (!has_sum(c)) return false;
      this->push_diagonal(c, shared);
      __syncthreads();
    } else if (!has_answer(c)) {
      return false;
    }
    publish(c);
    push_rows(c);
    return true;
  }
  // Some strips at a time; then one thread per completed block decrements the counter of its row.
  __device__ void push_rows(Index c) const {
    const Index strips = (height(c) + PanelShape::strip - 1) / PanelShape::strip;
    int share = 1;  // warps per strip
    while (2 * share * strips <= coupled_warps && 32 * share < width(c)) share *= 2;
    const Index at_once = coupled_warps / share;
    Index b = block_start[c];
    for (Index k = 0; k < strips; k += at_once) {
      const Index mine = k + warp() / share;
      if (mine < strips) push_strip(c, mine, warp() % share, share);
      const Offset done = row_start[c] + Offset{PanelShape::strip} * (k + at_once);
      const Index ends = b + static_cast<Index>(threadIdx.x);
      const bool complete = ends < block_start[c + 1] && block[ends].end <= done;
      b += threads_with(complete);
      if (complete) this->count_down(block[ends].row);
    }
  }
  // sum(I) -= L(I, K) x(K) over every `share`-th column; one row per lane.
  __device__ void push_strip(Index c, Index k, int from, int share) const {
    const Index w = width(c), h = height(c);
    const Strip s = rectangle_strip(w, h, k);
    const Index i = s.begin + lane();
    if (i >= h) return;
    const S* const panel = value + parts * value_start[c];
    const T* const x = x_of(c);
    T* const sum = at(Offset{size} + row[row_start[c] + i]);
    for (Index v = 0; v < count; v += R) {
      T product[R];
      for (int r = 0; r < R; ++r) product[r] = zero();
      for (Index j = from; j < w; j += share) {
        const T a = entry(panel, s.start + Offset{j} * s.rows, lane(), T{});
        for (int r = 0; r < R; ++r)
          if (v + r < count) product[r] = multiply_add(a, x[Offset{j} * count + v + r], product[r]);
      }
      for (int r = 0; r < R; ++r)
        if (v + r < count) this->add_to(sum + v + r, -product[r]);
    }
  }

  // --- Backwards.

  __device__ bool pull_node(Index c) const {
    const bool here = diagonal[c] >= 0;
    if (!here && parent[c].pe < 0) {
      if (!has_answer(c)) return false;
      publish(c);
      return true;
    }
    if (!pull_rows(c) || !has_sum(c)) return false;
    add_received(c);
    __syncthreads();
    if (!here) {
      send_sum(c);
      return true;
    }
    this->pull_diagonal(c);
    __syncthreads();
    if (first()) {
      fence_blocks();
      DeviceAtomic<Signal>(ready[c]).store(pass, order::memory_order_release);
    }
    publish(c);
    return true;
  }
  __device__ void send_sum(Index c) const {
    const CoupledTarget to = parent[c];
    put_by_block(at(to.place), sum_of(c), bytes_of(c), to.pe);
    if (!first()) return;
    order_puts();
    signal_remote(signal + to.signal, pass, to.pe);
  }
  __device__ void add_received(Index c) const {
    const Index numbers = width(c) * count;
    T* const sum = sum_of(c);
    for (Offset place = received_start[c]; place < received_start[c + 1]; place += width(c))
      for (Index q = static_cast<Index>(threadIdx.x); q < numbers; q += coupled_threads)
        sum[q] = sum[q] + at(place)[q];
  }
  // From the last strip on.  Each thread waits for the answers of one block; each block that ends
  // in these strips has a row there, so there are enough threads.
  __device__ bool pull_rows(Index c) const {
    Index last = block_start[c + 1];
    for (Index end = (height(c) + PanelShape::strip - 1) / PanelShape::strip; end > 0;) {
      const Index begin = end > strips_at_once ? end - strips_at_once : 0;
      const Index b = last - 1 - static_cast<Index>(threadIdx.x);
      const bool wanted =
          b >= block_start[c] && block[b].end > row_start[c] + Offset{PanelShape::strip} * begin;
      last -= threads_with(wanted);
      if (threads_with(wanted && !answer_comes(block[b].row)) > 0) return false;
      pull_strips(c, begin, end);
      end = begin;
    }
    return true;
  }
  // sum(K) -= L(I, K)' x(I) over strips [begin, end); one row per lane, several columns per warp.
  __device__ void pull_strips(Index c, Index begin, Index end) const {
    constexpr int C = Base::columns_at_once;
    const Index w = width(c), h = height(c);
    const S* const panel = value + parts * value_start[c];
    const Index* const place = row + row_start[c];
    for (Index j = C * warp(); j < w; j += C * coupled_warps)
      for (Index v = 0; v < count; v += R) {
        T product[C][R];
        this->clear(product);
        for (Index k = begin; k < end; ++k) {
          const Strip s = rectangle_strip(w, h, k);
          const Index i = s.begin + lane();
          if (i >= h) continue;
          const T* const x = at(place[i]) + v;
          for (int r = 0; r < R; ++r) {
            if (v + r >= count) continue;
            for (int q = 0; q < C; ++q)
              if (j + q < w)
                product[q][r] =
                    multiply_add(entry(panel, s.start + Offset{j + q} * s.rows, lane(), T{}), x[r],
                                 product[q][r]);
          }
        }
        for (int q = 0; q < C; ++q)
          for (int r = 0; r < R; ++r) {
            const T all = sum_over_lanes(product[q][r]);
            if (lane() != 0 || j + q >= w || v + r >= count) continue;
            T& sum = sum_of(c)[Offset{j + q} * count + v + r];
            sum = sum - all;
          }
      }
  }
};

}  // namespace echelon
