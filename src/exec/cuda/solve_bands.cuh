// exec/cuda/solve_bands.cuh -- what a thread block does with a band: chunk after chunk, each level by
// level, while the chunks to come stream into shared memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  That of exec/cuda/tile_pass.cuh: answers that other bands want lie in
// `flow`, in one of two copies, and a NaN of its own says that one is not there yet.  Bands go to
// blocks in turn, and all blocks run from the start; a band needs lower ones only, so the lowest
// that is not done can always go on.
//
// Protocol inside a block.  While chunk c is solved, the right-hand sides of chunk c+1 are on their
// way and the answers it wants from others have been asked for once; those that were not there yet
// are asked for again when c is done.  All threads meet after each level.  What does not depend on
// the level before (values, slots, right-hand side) is read before they meet.
//
// Way out.  As in tile_pass.cuh.
//
// Needs the names of exec/cuda/device_flow.cuh, or what a test gives for them.
#pragma once

#include <type_traits>

#include "exec/cuda/band_room.hpp"
#include "exec/cuda/device_sync.cuh"
#include "exec/cuda/device_vectors.cuh"

namespace echelon {

// What the blocks of a solve have in common, in device memory.
struct BandState {
  unsigned turn = 0;  // which copy of the flow is used next
  unsigned done = 0;  // blocks that ended
  unsigned given_up = 0;
};

// T is a DeviceScalar.
template <class T>
struct BandPass {
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;

  const char* chunk;         // all of them, laid out as BandParts says
  const Offset* chunk_at;    // size chunks+1: where each begins
  const Index* chunk_start;  // size bands+1
  Index bands;
  BandRings rings;
  bool divides;  // the diagonal is kept as it is, not as its reciprocal
  int threads;   // of a block
  DeviceVectors<T> vectors;
  Index count;  // of them
  Word* flow;   // two copies of: vector after vector
  Offset flow_size;
  Index handed_on;
  BandState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever
  BandRoom room;

  // A chunk in shared memory.
  struct Chunk {
    const BandHead* head;
    const T* diagonal;
    const T* value;
    const BandRow* row;
    const Index* fetch;
    const std::uint16_t* level_end;
    const std::uint16_t* slot;
    __device__ explicit Chunk(const char* at) : head(reinterpret_cast<const BandHead*>(at)) {
      const BandParts p(*head, sizeof(T));
      diagonal = reinterpret_cast<const T*>(at + p.diagonal);
      value = reinterpret_cast<const T*>(at + p.value);
      row = reinterpret_cast<const BandRow*>(at + p.row);
      fetch = reinterpret_cast<const Index*>(at + p.fetch);
      level_end = reinterpret_cast<const std::uint16_t*>(at + p.level_end);
      slot = reinterpret_cast<const std::uint16_t*>(at + p.slot);
    }
  };
  struct Block {
    char* stage;
    Gate* gate;
    T* slot;
    T* right[2];
    Word* now;  // the flow of the present vector
    Word* next;
    unsigned long long deadline;
    const T* b;
    T* x;
    Index q;  // chunks begun
    bool finite;
    CachePolicy policy;
  };
  // Answers asked for.
  struct Wanted {
    T seen[BandRoom::most_ahead];
  };

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{};
    block.stage = shared;
    block.gate = reinterpret_cast<Gate*>(shared + room.gate);
    block.slot = reinterpret_cast<T*>(shared + room.slots);
    block.right[0] = reinterpret_cast<T*>(shared + room.right);
    block.right[1] = reinterpret_cast<T*>(shared + (room.right + room.bytes) / 2);
    block.finite = true;
    block.policy = cache_policy(1);
    block.deadline = patience == 0 ? ~0ull : nanoseconds() + patience;
    if (worker() == 0) {
      for (Index s = 0; s < BandRoom::stages; ++s) gate_init(block.gate + s, stream_arrivals);
      block.slot[rings.own + rings.fetched] = zero();
    }
    gates_are_ready();
    const unsigned turn = load_flow(&state->turn);
    __syncthreads();
    for (Index t = static_cast<Index>(blockIdx.x); t < bands * count;
         t += static_cast<Index>(blocks_of_grid())) {
      const Index v = t % count;
      block.now = flow + turn * flow_size + Offset{v} * handed_on * parts;
      block.next = flow + (1 - turn) * flow_size + Offset{v} * handed_on * parts;
      block.b = vectors.b + v * vectors.b_stride;
      block.x = vectors.x + v * vectors.x_stride;
      run_band(block, t / count);
    }
    if (!block.finite) raise_status(vectors.status, status_not_finite);
    if (worker() == 0) end_block();
  }

 private:
  __device__ static int worker() { return static_cast<int>(threadIdx.x); }
  __device__ static T zero() { return zero_of(T{}); }

  __device__ void run_band(Block& block, Index band) const {
    const Index begin = chunk_start[band], end = chunk_start[band + 1];
    for (Index c = begin; c < begin + BandRoom::stages && c < end; ++c)
      ask_for_chunk(block, c, block.q + c - begin);
    Wanted wanted;
    begin_inputs(block, block.q, wanted);
    end_inputs(block, block.q, wanted);
    __syncthreads();
    for (Index c = begin; c < end; ++c) {
      const Index q = block.q++;
      if (c + 1 < end) begin_inputs(block, q + 1, wanted);
      solve_chunk(block, q);
      if (c + 1 < end) end_inputs(block, q + 1, wanted);
      __syncthreads();
      if (c + BandRoom::stages < end)
        ask_for_chunk(block, c + BandRoom::stages, q + BandRoom::stages);
    }
  }

  // --- Chunks.

  __device__ void ask_for_chunk(const Block& block, Index c, Index q) const {
    if (worker() >= 32) return;
    const Index s = q % BandRoom::stages;
    const Offset from = chunk_at[c];
    stream_copy(block.stage + s * room.stage, chunk + from,
                static_cast<unsigned>(chunk_at[c + 1] - from), block.gate + s, block.policy);
  }
  __device__ Chunk chunk_of(const Block& block, Index q) const {
    return Chunk(block.stage + q % BandRoom::stages * room.stage);
  }

  // --- What a chunk needs from outside.

  __device__ void begin_inputs(const Block& block, Index q, Wanted& wanted) const {
    gate_wait(block.gate + q % BandRoom::stages, q / BandRoom::stages & 1);
    const Chunk c = chunk_of(block, q);
    ECHELON_UNROLL
    for (int a = 0; a < BandRoom::most_ahead; ++a) {
      const int f = worker() + a * threads;
      wanted.seen[a] = f < c.head->fetches ? look(block, c.fetch[f]) : zero();
    }
    T* const right = block.right[q & 1];
    for (int r = worker(); r < c.head->rows; r += threads) {
      const int unknown = c.row[r].unknown;
      if (unknown >= 0)
        fetch_async(right + r, block.b + unknown * vectors.b_step);
      else
        right[r] = zero();
    }
  }
  __device__ void end_inputs(const Block& block, Index q, Wanted& wanted) const {
    const Chunk c = chunk_of(block, q);
    const int fetches = c.head->fetches, mask = rings.fetched - 1;
    for (int first = 0; first < fetches; first += BandRoom::most_ahead * threads) {
      const auto place = [&](int a) { return first + worker() + a * threads; };
      if (first > 0) {
        ECHELON_UNROLL
        for (int a = 0; a < BandRoom::most_ahead; ++a)
          wanted.seen[a] = place(a) < fetches ? look(block, c.fetch[place(a)]) : zero();
      }
      ask_until_there(block, wanted, [&](int a) { return look(block, c.fetch[place(a)]); });
      ECHELON_UNROLL
      for (int a = 0; a < BandRoom::most_ahead; ++a)
        if (place(a) < fetches)
          block.slot[rings.own + ((c.head->fetch_slot + place(a)) & mask)] = wanted.seen[a];
    }
    fetches_are_there();
  }

  // --- Levels.

  // A row as a thread has it before the level's turn has come.
  template <int K>
  struct Row {
    T value[K];
    int slot[K];
    T right, diagonal;
    BandRow to;
    bool mine;
  };
  template <int K>
  __device__ Row<K> read_row(const Chunk& c, const T* right, int r, int end, int lane,
                             int stride) const {
    Row<K> row{};
    row.mine = r < end;
    ECHELON_UNROLL
    for (int k = 0; k < K; ++k) {
      const int at = r * c.head->lanes + lane + k * stride;
      row.value[k] = row.mine ? c.value[at] : zero();
      row.slot[k] = row.mine ? c.slot[at] : rings.own + rings.fetched;
    }
    if (!row.mine) return row;
    row.right = right[r];
    row.diagonal = c.diagonal[r];
    row.to = c.row[r];
    return row;
  }

  __device__ void solve_chunk(Block& block, Index q) const {
    const Chunk c = chunk_of(block, q);
    switch (c.head->per_lane) {
      case 1:
        return solve_levels<1>(block, c, block.right[q & 1]);
      case 2:
        return solve_levels<2>(block, c, block.right[q & 1]);
      case 3:
        return solve_levels<3>(block, c, block.right[q & 1]);
      case 4:
        return solve_levels<4>(block, c, block.right[q & 1]);
      default:
        return solve_levels<8>(block, c, block.right[q & 1]);
    }
  }
  // K entries a lane, and further ones if that is 8.
  template <int K>
  __device__ void solve_levels(Block& block, const Chunk& c, const T* right) const {
    const int lanes = c.head->lanes, lane = worker() & (lanes - 1), mine = worker() / lanes;
    const int step = threads / lanes, stride = c.head->rows * lanes, levels = c.head->levels;
    int at = 0, level = 0, end = c.level_end[0];
    Row<K> row = read_row<K>(c, right, mine, end, lane, stride);
    for (;;) {
      const bool turns = at + step >= end;
      T sum = zero();
      ECHELON_UNROLL
      for (int k = 0; k < K; ++k) sum = multiply_add(row.value[k], block.slot[row.slot[k]], sum);
      const int now = at + mine;
      int next_end = end;
      if (turns && ++level < levels) next_end = c.level_end[level];
      at = turns ? end : at + step;
      const Row<K> next = read_row<K>(c, right, at + mine, next_end, lane, stride);
      sum = sum_over_lanes(sum, lanes);
      if (row.mine && lane == 0) finish_row(block, c, row.right, row.diagonal, row.to, now, sum);
      if (turns) __syncthreads();
      if (level == levels) return;
      end = next_end;
      row = next;
    }
  }
  __device__ void finish_row(Block& block, const Chunk& c, T right, T diagonal, BandRow to, int r,
                             T sum) const {
    const T s = vectors.alpha * right - sum;
    const T x = divides ? s / diagonal : s * diagonal;
    block.slot[(c.head->own_slot + r) & (rings.own - 1)] = x;
    if (to.number >= 0) hand_on(block, to.number, x);
    if (to.unknown < 0) return;
    block.x[to.unknown * vectors.x_step] = x;
    block.finite = block.finite && is_finite(x);
  }

  // --- Numbers under way.

  __device__ static bool is_there(T a) {
    if constexpr (parts == 1)
      return !is_empty_word(a);
    else
      return !is_empty_word(a.re) && !is_empty_word(a.im);
  }
  __device__ static T look(const Block& block, Index number) {
    const Word* const p = block.now + Offset{number} * parts;
    if constexpr (parts == 1)
      return load_flow(p);
    else
      return {load_flow(p), load_flow(p + 1)};
  }
  __device__ static void hand_on(const Block& block, Index number, T a) {
    Word* const now = block.now + Offset{number} * parts;
    Word* const next = block.next + Offset{number} * parts;
    if constexpr (parts == 1) {
      store_flow(now, not_empty_word(a));
      *next = empty_word(a);
    } else {
      store_flow(now, not_empty_word(a.re));
      store_flow(now + 1, not_empty_word(a.im));
      next[0] = next[1] = empty_word(a.re);
    }
  }
  template <class Look>
  __device__ void ask_until_there(const Block& block, Wanted& wanted, const Look& look_at) const {
    for (unsigned tries = 1;; ++tries) {
      bool all = true;
      ECHELON_UNROLL
      for (int a = 0; a < BandRoom::most_ahead; ++a) {
        const bool there = is_there(wanted.seen[a]);
        all = all && there;
        if (!there) wanted.seen[a] = look_at(a);
      }
      if (all || (tries % 256 == 0 && gives_up(block))) return;
      pause_thread();
    }
  }
  __device__ bool gives_up(const Block& block) const {
    if (load_flow(&state->given_up) == 0) {
      if (nanoseconds() < block.deadline) return false;
      store_flow(&state->given_up, 1u);
    }
    raise_status(vectors.status, status_gave_up);
    return true;
  }

  __device__ void end_block() const {
    if (count_up(&state->done) + 1 < blocks_of_grid()) return;
    state->done = 0;
    state->turn ^= 1;
  }
};

}  // namespace echelon
