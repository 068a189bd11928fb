// exec/cuda/tiles/tile_push.cuh -- device code of method tree for tiles that push: an inverted
// panel times right-hand sides, and the updates of the rows below.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/tile_block.cuh"

namespace echelon {

// The sums of a warp over consecutive chunks that belong to the same slot.
template <class K>
struct PushSums {
  using T = typename K::T;
  using S = typename K::S;
  using Stored = typename K::Stored;
  static constexpr int R = K::R;
  static constexpr int chains = R == 1 ? 4 : 1, step = R == 1 ? 8 : 4;
  T* partial;
  Index slot;
  T sum[chains][R];

  __device__ PushSums(T* room, Index none) : partial(room), slot(none) { clear(); }
  __device__ void clear() {
    ECHELON_UNROLL
    for (int a = 0; a < chains; ++a) {
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) sum[a][r] = K::zero();
    }
  }
  __device__ void flush() {
    if (slot < 0) return;
    T* const out = partial + (slot * 32 + lane()) * R;
    ECHELON_UNROLL
    for (int r = 0; r < R; ++r) {
      T all = sum[0][r];
      ECHELON_UNROLL
      for (int a = 1; a < chains; ++a) all = all + sum[a][r];
      out[r] = out[r] + all;
    }
    clear();
    slot = -1;
  }
  __device__ void turn_to(Index other) {
    if (other != slot) flush();
    slot = other;
  }
  __device__ void add_one(int j, T m, int r, T v) {
    T& a = sum[j % chains][r];
    a = multiply_add(m, v, a);
  }
  // One row of a full chunk times v; reads two entries of v at a time.
  __device__ void add_full(const Stored (&m)[K::chunk_columns], const T* v) {
    struct alignas(2 * sizeof(T)) Couple {
      T a, b;
    };
    const Couple* const couples = reinterpret_cast<const Couple*>(v);
    ECHELON_UNROLL
    for (int e = 0; e < K::chunk_columns * R; e += 2) {
      const Couple c = couples[e / 2];
      add_one(e / R, m[e / R].value(), e % R, c.a);
      add_one((e + 1) / R, m[(e + 1) / R].value(), (e + 1) % R, c.b);
    }
  }
  // One row of `columns` columns times v.
  __device__ void add(Index columns, const S* a, Index stride, const T* v) {
    Index j = 0;
    for (; j + step <= columns; j += step, a += step * stride, v += step * R) {
      T m[step];
      ECHELON_UNROLL
      for (int i = 0; i < step; ++i) m[i] = K::read(a + i * stride);
      ECHELON_UNROLL
      for (int i = 0; i < step; ++i) {
        ECHELON_UNROLL
        for (int r = 0; r < R; ++r) add_one(i, m[i], r, v[i * R + r]);
      }
    }
    for (; j < columns; ++j, a += stride, v += R) {
      const T m = K::read(a);
      ECHELON_UNROLL
      for (int r = 0; r < R; ++r) add_one(0, m, r, v[r]);
    }
  }
};

// A tile that pushes, or part of one.
template <class K>
struct PushTile {
  using T = typename K::T;
  using S = typename K::S;
  using Tile = typename K::Tile;
  using Target = typename K::Target;
  using Two = typename Mailbox<K>::Two;
  static constexpr int R = K::R, ahead = K::ahead;
  static constexpr int most_pairs = TileSlots::most_pairs(K::multi_gpu);

  const TileParameters<K>& p;
  TileBlock<K>& block;
  const Tile& tile;

  // Row range of a tile that pushes.
  struct Rows {
    Index top, end, below;  // rows of the panel; `below`: the first below the triangle
    __device__ explicit Rows(const Tile& tile)
        : top(tile.begin * PanelShape::strip),
          end(min(tile.end * PanelShape::strip, tile.w + tile.h)),
          below(min(max(top, tile.w), end)) {}
  };

  __device__ void run(const ItemWord& next) const {
    const Index sums =
        min((tile.w + K::chunk_columns - 1) / K::chunk_columns, Index{TileShape::warps});
    const Rows rows(tile);
    const bool ends = tile.last && tile.part + 1 == tile.parts;
    // One right-hand side: one row per thread.
    const Index row = rows.top + worker();
    const bool mine = R == 1 && ends && row >= rows.below && row < rows.end;
    Target target = 0;  // where the row's number goes
    if (mine)
      target = tile.single ? p.to[tile.space + row] : p.plan.local[tile.local + row - tile.w];

    if (tile.single) {
      with_ahead<K>((tile.high - tile.low) * R, [&](auto n) { gather<n>(); });
      if constexpr (K::multi_gpu)
        if (tile.sends) publish_gathered();
    } else {
      for (Index i = worker(); i < (tile.high - tile.low) * R; i += tile_threads)
        block.vector[i] = block.tree[(tile.at + tile.low) * R + i];
    }
    // The polls for the row's incoming numbers are in flight during the product.
    const auto carries = [&](Index pair) {
      return mine && tile.single && pair < tile.pairs
                 ? block.mail.poll_pair(block.mail.slot_of(tile, row, pair), 0)
                 : Mailbox<K>::none();
    };
    Two carried[most_pairs];
    ECHELON_UNROLL
    for (int k = 0; k < most_pairs; ++k) carried[k] = carries(k);
    __syncthreads();
    multiply(rows, sums);
    next.store();
    __syncthreads();
    if (!tile.last) return;
    const auto total_of = [&](Index i, T& total) {  // of entry i: row by row, all right-hand sides
      T* const slot = block.partial + (i / R / 32 * sums * 32 + i / R % 32) * R + i % R;
      return add_up<K>(block.mail, tile, slot, sums, i, (tile.end - tile.begin) * PanelShape::strip,
                       total);
    };
    if constexpr (R == 1) {
      T total;
      if (row < rows.end && total_of(worker(), total)) {
        if (row < tile.w) {
          answer(tile.first + row, 0, total);
        } else if (tile.single) {
          block.mail.wait_for_all(carried, carries);
          T left = carried[0].sum();
          ECHELON_UNROLL
          for (int k = 1; k < most_pairs; ++k) left = left + carried[k].sum();
          if (tile.more >= 0) left = left + block.mail.consume_more(tile.more, row, 0);
          block.mail.publish_to(target, 0, left - total);
        } else {
          block.tree[target] = block.tree[target] - total;
        }
      }
    } else {
      finish_many(rows, ends, total_of);
    }
    if (!tile.single) __syncthreads();
  }
  template <class TotalOf>
  __device__ void finish_many(const Rows& rows, bool ends, const TotalOf& total_of) const {
    const bool carries = tile.single && ends;
    const Index until = carries ? rows.below : rows.end;
    for (Index i = worker(); i < (until - rows.top) * R; i += tile_threads) {
      const Index row = rows.top + i / R;
      T total;
      if (!total_of(i, total)) continue;
      if (row < tile.w) {
        answer(tile.first + row, i % R, total);
      } else {
        T& rest = block.tree[p.plan.local[tile.local + row - tile.w] * R + i % R];
        rest = rest - total;
      }
    }
    const Index numbers = carries ? (rows.end - rows.below) * R : 0, r = worker() % R;
    for_each_batch<ahead>(numbers, [&](Index begin) {
      Target target[ahead];
      T left[ahead];
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_threads;
        left[a] = K::zero();
        if (q < numbers) target[a] = p.to[tile.space + rows.below + q / R];
      }
      add_sources(rows.below, begin, numbers, left);
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const Index q = begin + a * tile_threads;
        if (q >= numbers) continue;
        T total;
        total_of((rows.below - rows.top) * R + q, total);
        block.mail.publish_to(target[a], r, left[a] - total);
      }
    });
  }
  __device__ void answer(Index position, int r, T a) const {
    if (p.sides.relays)
      block.mail.publish(p.mailbox.place.pushed + position, r, a);
    else
      p.sides.store(position, r, a);
  }

  // Adds to sum[a] the numbers that other tasks published for the entry of number begin + a
  // tile_threads, as far as that is below `numbers`.
  template <int N>
  __device__ void add_sources(Index first, Index begin, Index numbers, T (&sum)[N]) const {
    const int r = worker() % R;
    const Offset step = 2 * (tile.own + tile.outside);
    Offset place = tile.slots + 2 * (first + begin / R);
    for (Index k = 0; k < tile.pairs; ++k, place += step) {
      const auto poll = [&](int a) {
        return begin + a * tile_threads < numbers
                   ? block.mail.poll_pair(place + 2 * (a * tile_threads / R), r)
                   : Mailbox<K>::none();
      };
      Two seen[N];
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) seen[a] = poll(a);
      block.mail.wait_for_all(seen, poll);
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) sum[a] = sum[a] + seen[a].sum();
    }
    if (tile.more < 0) return;
    ECHELON_UNROLL
    for (int a = 0; a < N; ++a)
      if (const Index q = begin + a * tile_threads; q < numbers)
        sum[a] = sum[a] + block.mail.consume_more(tile.more, first + q / R, r);
  }
  // Gathers the item's right-hand sides, N at a time.
  template <int N>
  __device__ void gather() const {
    const Index numbers = (tile.high - tile.low) * R, r = worker() % R;
    for_each_batch<N>(numbers, [&](Index begin) {
      T sum[N];
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const Index q = begin + a * tile_threads;
        if (q >= numbers)
          sum[a] = K::zero();
        else if (a == 0 && begin < tile_threads)
          sum[a] = p.sides.scaled(block.given);
        else
          sum[a] = p.sides.right_side(tile.first + tile.low + q / R, r);
      }
      add_sources(tile.low, begin, numbers, sum);
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a)
        if (const Index q = begin + a * tile_threads; q < numbers) block.vector[q] = sum[a];
    });
  }
  // Publishes the numbers that this thread gathered to other PEs.
  __device__ void publish_gathered() const {
    for (Index q = worker(); q < (tile.high - tile.low) * R; q += tile_threads)
      block.mail.publish_remote(tile, tile.low + q / R, q % R, block.vector[q]);
  }
  // Loads an item's first right-hand sides before the item begins.
  __device__ void prefetch() const {
    if (tile.single && worker() < (tile.high - tile.low) * R)
      block.given = p.sides.given(tile.first + tile.low + worker() / R, worker() % R);
  }

  // Multiplies this warp's chunks of the item; one row per lane.  A full chunk is first copied into
  // registers, so that its stage can be refilled at once.
  __device__ void multiply(const Rows& rows, Index sums) const {
    PushSums<K> sum{block.partial, -1};
    const T* const v = block.vector - tile.low * R;
    const auto slot_of_chunk = [&](Index strip, Index from) {
      return (strip - rows.top / PanelShape::strip) * sums +
             (sums < TileShape::warps ? from / K::chunk_columns : warp());
    };
    while (block.ring.is_before(tile.chunk_end)) {
      const TileChunk c = block.ring.chunk();
      const S* const values = block.ring.values();
      block.ring.wait();
      if (c.full) {
        typename K::Stored m[K::chunk_columns];
        ECHELON_UNROLL
        for (int j = 0; j < K::chunk_columns; ++j)
          m[j] = K::fetch(values + K::row_offset(lane()) + j * PanelShape::strip * K::parts);
        block.ring.next();
        sum.turn_to(slot_of_chunk(c.strip, c.from));
        sum.add_full(m, v + c.from * R);
      } else {
        push_some(c, values, v, slot_of_chunk, sum);
        block.ring.next();
      }
    }
    sum.flush();
  }

  // Multiplies a chunk that is not full; v is indexed from the panel's first column.
  template <class SlotOf>
  __device__ void push_some(const TileChunk& c, const S* values, const T* v,
                            const SlotOf& slot_of_chunk, PushSums<K>& sum) const {
    const Index row = lane();
    for (Index k = c.strip; k < c.strip + c.count; ++k) {
      const Strip s = K::shape_of(tile.w, tile.h, k);
      const Index until = min(c.from + c.columns, s.full + s.stair);
      sum.turn_to(slot_of_chunk(k, c.from));
      Index j = c.from;
      if (j < s.full) {
        const Index columns = min(until, s.full) - j;
        if (row < s.rows)
          sum.add(columns, values + K::row_offset(row), s.rows * K::parts, v + j * R);
        values += columns * s.rows * K::parts;
        j += columns;
      }
      while (j < until) {  // the stair, eight columns per step
        const Index top = s.top(j), columns = min(until - j, Index{PanelShape::group});
        if (row >= top && row < s.rows)
          sum.add(columns, values + K::row_offset(row - top), (s.rows - top) * K::parts, v + j * R);
        values += columns * (s.rows - top) * K::parts;
        j += columns;
      }
    }
  }
};

}  // namespace echelon
