// exec/cuda/solve_bands.cuh -- what a thread block does with bands: chunk after chunk, each step by
// step, while readers bring what the next one needs and writers take away what the last one left.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  That of exec/cuda/tile_pass.cuh: answers that other bands want lie in
// `flow`, in one of two copies, and a NaN of its own says that one is not there yet.  Bands go to
// blocks in turn, and all blocks run from the start; a band needs lower ones only, so the lowest
// that is not done can always go on.
//
// Protocol inside a block.  Threads have one of three roles, and go through the same chunks.
//   readers  bring right-hand sides, multiplied with 1/d, and the answers of other bands; `ready`
//   solvers  do all steps of a chunk, and meet after each; `solved`
//   writers  store the answers, hand on those that others want, and have the chunk's stage filled
//            with a later one; `written`
// Each gate is there twice, for even and odd chunks.  Readers are one chunk ahead of the solvers,
// and solvers one ahead of the writers, at most: right-hand sides are kept for two chunks, and the
// rings for three; when a band ends, nobody is ahead.  A solver does nothing in a step that does
// not belong to it: its instructions one after the other are what a level costs.
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

// T is a DeviceScalar; divides: the diagonal is kept as it is, not as its reciprocal.
template <class T, bool divides>
struct BandPass {
  static constexpr int parts = std::is_floating_point_v<T> ? 1 : 2;
  static constexpr int piece = 16 / static_cast<int>(sizeof(T));  // values read at once
  static constexpr int ahead = 4;  // numbers a reader has under way at once
  using Word = std::conditional_t<sizeof(T) / parts == 8, double, float>;

  const char* chunk;         // all of them, laid out as BandParts says
  const Offset* chunk_at;    // size chunks+1: where each begins
  const Index* chunk_start;  // size bands+1
  Index bands;
  BandRings rings;
  BandRoles roles;
  DeviceVectors<T> vectors;
  Index count;  // of them
  Word* flow;   // two copies of: vector after vector
  Offset flow_size;
  Index handed_on;
  BandState* state;
  unsigned long long patience;  // nanoseconds; 0: for ever
  BandRoom room;

  struct Block {
    char* stage;
    Gate* full;  // [stages]: the chunk is there
    Gate* ready;
    Gate* solved;
    Gate* written;
    char* slot;
    T* right;
    unsigned turn;
    unsigned long long deadline;
  };
  // The chunks of a block, in turn.
  struct Walk {
    Index task, c = 0, end = 0;
    Index q = -1;        // how many came before
    bool enters = true;  // the band begins with this one
  };
  // A chunk in shared memory.
  struct Chunk {
    BandHead head;
    const char* value;
    const char* slot;
    const BandRow* row;
    const T* diagonal;
    const Index* fetch;
    const std::uint16_t* step_end;
  };

  // One block.  `shared` has room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{};
    block.stage = shared;
    block.full = reinterpret_cast<Gate*>(shared + room.gate);
    block.ready = block.full + BandRoom::stages;
    block.solved = block.ready + 2;
    block.written = block.solved + 2;
    block.slot = shared + room.slots;
    block.right = reinterpret_cast<T*>(shared + room.right);
    block.turn = load_flow(&state->turn);
    block.deadline = patience == 0 ? ~0ull : nanoseconds() + patience;
    if (worker() == 0) {
      for (int s = 0; s < BandRoom::stages; ++s) gate_init(block.full + s, stream_arrivals);
      for (int s = 0; s < 2; ++s) {
        gate_init(block.ready + s, roles.readers);
        gate_init(block.solved + s, 1);
        gate_init(block.written + s, roles.writers);
      }
      *slot_at(block, rings.own + rings.fetched) = zero();
    }
    gates_are_ready();
    __syncthreads();
    if (worker() < roles.solvers)
      run_solver(block);
    else if (worker() < roles.solvers + roles.readers)
      run_reader(block, worker() - roles.solvers);
    else
      run_writer(block, worker() - roles.solvers - roles.readers);
    __syncthreads();
    if (worker() == 0) end_block();
  }

 private:
  __device__ static int worker() { return static_cast<int>(threadIdx.x); }
  __device__ static T zero() { return zero_of(T{}); }
  __device__ static T* slot_at(const Block& block, int k) {
    return reinterpret_cast<T*>(block.slot) + k;
  }
  __device__ T* right_of(const Block& block, Index q) const {
    return block.right + (q & 1) * ((room.bytes - room.right) / 2 / static_cast<int>(sizeof(T)));
  }

  // --- Chunks.

  __device__ static Walk first_walk() { return {static_cast<Index>(blockIdx.x)}; }
  // To the next chunk; false after the last.
  __device__ bool step(Walk& walk) const {
    walk.enters = walk.q < 0 || walk.c + 1 == walk.end;
    if (!walk.enters) {
      ++walk.c;
      ++walk.q;
      return true;
    }
    if (walk.q >= 0) walk.task += static_cast<Index>(blocks_of_grid());
    if (walk.task >= bands * count) return false;
    walk.c = chunk_start[walk.task / count];
    walk.end = chunk_start[walk.task / count + 1];
    ++walk.q;
    return true;
  }
  __device__ Chunk chunk_of(const Block& block, Index q) const {
    const char* const at = block.stage + q % BandRoom::stages * room.stage;
    const BandHead head = *reinterpret_cast<const BandHead*>(at);
    const BandParts p(head, sizeof(T));
    return {head,
            at + p.value,
            at + p.slot,
            reinterpret_cast<const BandRow*>(at + p.row),
            reinterpret_cast<const T*>(at + p.diagonal),
            reinterpret_cast<const Index*>(at + p.fetch),
            reinterpret_cast<const std::uint16_t*>(at + p.step_end)};
  }
  __device__ static void wait_for_chunk(const Block& block, Index q) {
    gate_wait(block.full + q % BandRoom::stages, q / BandRoom::stages & 1);
  }
  // Waits for what a gate says of chunk q.
  __device__ static void wait_for(Gate* gates, Index q) { gate_wait(gates + (q & 1), q / 2 & 1); }
  // What it says of the last but one; of the last if that is another band's, since slots are
  // counted anew then.
  __device__ static void wait_for_earlier(Gate* gates, const Walk& walk) {
    const Index q = walk.q - (walk.enters ? 1 : 2);
    if (q >= 0) wait_for(gates, q);
  }

  // --- Readers.

  __device__ void run_reader(const Block& block, int reader) const {
    for (Walk walk = first_walk(); step(walk);) {
      wait_for_chunk(block, walk.q);
      wait_for_earlier(block.solved, walk);
      const Chunk c = chunk_of(block, walk.q);
      const Word* const now = flow_of(block.turn, walk);
      T seen[ahead];
      ask(now, c, reader, seen);
      read_right(c, vectors.b + walk.task % count * vectors.b_stride, right_of(block, walk.q),
                 reader);
      for (int f = reader; f < c.head.fetches;) {
        ask_until_there(block, now, c, f, seen);
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a)
          if (f + a * roles.readers < c.head.fetches)
            *slot_at(block, rings.own + ((c.head.fetch_slot + f + a * roles.readers) &
                                         (rings.fetched - 1))) = seen[a];
        f += ahead * roles.readers;
        ask(now, c, f, seen);
      }
      gate_arrive(block.ready + (walk.q & 1));
    }
  }
  __device__ void read_right(const Chunk& c, const T* b, T* right, int reader) const {
    for (int first = reader; first < c.head.rows; first += ahead * roles.readers) {
      T given[ahead];
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const int r = first + a * roles.readers;
        const int unknown = r < c.head.rows ? c.row[r].unknown : -1;
        given[a] = unknown >= 0 ? b[unknown * vectors.b_step] : zero();
      }
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        const int r = first + a * roles.readers;
        if (r >= c.head.rows) continue;
        const T scaled = vectors.alpha * given[a];
        right[r] = divides ? scaled : scaled * c.diagonal[r];
      }
    }
  }

  // --- Solvers.

  __device__ void run_solver(const Block& block) const {
    for (Walk walk = first_walk(); step(walk);) {
      wait_for_chunk(block, walk.q);
      wait_for(block.ready, walk.q);
      wait_for_earlier(block.written, walk);
      const Chunk c = chunk_of(block, walk.q);
      const T* const right = right_of(block, walk.q);
      switch (c.head.lanes) {
        case 1:
          if (piece <= 2 && c.head.per_lane == 2)
            solve_steps<piece <= 2 ? 2 : 4, 1>(block, c, right);
          else
            solve_steps<4, 1>(block, c, right);
          break;
        case 2:
          solve_steps<4, 2>(block, c, right);
          break;
        case 4:
          solve_steps<4, 4>(block, c, right);
          break;
        case 8:
          solve_steps<4, 8>(block, c, right);
          break;
        case 16:
          solve_steps<4, 16>(block, c, right);
          break;
        default:
          if (c.head.per_lane == 4)
            solve_steps<4, 32>(block, c, right);
          else
            solve_steps<8, 32>(block, c, right);
      }
      if (worker() == 0) gate_arrive(block.solved + (walk.q & 1));
    }
  }

  // A row as a thread has it before its turn has come.
  template <int K>
  struct Row {
    T value[K];
    unsigned slot[K];
    T right, diagonal;
    bool mine;
  };
  struct alignas(16) Piece {
    T value[piece];
  };
  template <int K>
  struct alignas(2 * K) Slots {
    std::uint16_t slot[K];
  };
  template <int K, int lanes>
  __device__ Row<K> read_row(const Chunk& c, const T* right, int r, int end, int lane) const {
    Row<K> row;
    row.mine = r < end;
    r = min(r, c.head.rows - 1);  // what nobody wants is read all the same
    const int place = r * lanes + lane;
    ECHELON_UNROLL
    for (int k = 0; k < K; k += piece) {
      const Piece p =
          reinterpret_cast<const Piece*>(c.value)[k / piece * c.head.rows * lanes + place];
      ECHELON_UNROLL
      for (int i = 0; i < piece; ++i) row.value[k + i] = p.value[i];
    }
    const Slots<K> slots = reinterpret_cast<const Slots<K>*>(c.slot)[place];
    ECHELON_UNROLL
    for (int k = 0; k < K; ++k) row.slot[k] = slots.slot[k];
    row.right = lane == 0 ? right[r] : zero();
    row.diagonal = divides ? c.diagonal[r] : zero();
    return row;
  }
  template <int K, int lanes>
  __device__ void solve_steps(const Block& block, const Chunk& c, const T* right) const {
    const int lane = lanes == 1 ? 0 : worker() % lanes, mine = worker() / lanes,
              mask = rings.own - 1;
    int begin = 0, end = c.step_end[0];
    Row<K> row = read_row<K, lanes>(c, right, mine, end, lane);
    for (int s = 1; s <= c.head.steps; ++s) {
      T factor[K];
      ECHELON_UNROLL
      for (int k = 0; k < K; ++k) factor[k] = *reinterpret_cast<const T*>(block.slot + row.slot[k]);
      T* const to = slot_at(block, (c.head.own_slot + begin + mine) & mask);
      begin = end;
      end = s < c.head.steps ? c.step_end[s] : end;
      const Row<K> next = read_row<K, lanes>(c, right, begin + mine, end, lane);
      T x = row.right;
      ECHELON_UNROLL
      for (int k = 0; k < K; ++k) x = multiply_add(-row.value[k], factor[k], x);
      if (lanes > 1) x = sum_over_lanes(x, lanes);
      if (divides) x = x / row.diagonal;
      if (row.mine && lane == 0) *to = x;
      sync_part(1, roles.solvers);
      row = next;
    }
  }

  // --- Writers.

  __device__ void run_writer(const Block& block, int writer) const {
    const CachePolicy policy = cache_policy(1);
    bool finite = true;
    Walk later = first_walk();
    for (int k = 0; k < BandRoom::stages; ++k) ask_for_next_chunk(block, later, writer, policy);
    for (Walk walk = first_walk(); step(walk);) {
      wait_for_chunk(block, walk.q);
      wait_for(block.solved, walk.q);
      const Chunk c = chunk_of(block, walk.q);
      Word* const now = flow_of(block.turn, walk);
      Word* const next = flow_of(1 - block.turn, walk);
      T* const x = vectors.x + walk.task % count * vectors.x_stride;
      for (int r = writer; r < c.head.rows; r += roles.writers) {
        const BandRow row = c.row[r];
        const T a = *slot_at(block, (c.head.own_slot + r) & (rings.own - 1));
        if (row.number >= 0) hand_on(now, next, row.number, a);
        if (row.unknown < 0) continue;
        x[row.unknown * vectors.x_step] = a;
        finite = finite && is_finite(a);
      }
      gate_arrive(block.written + (walk.q & 1));
      sync_part(2, roles.writers);
      ask_for_next_chunk(block, later, writer, policy);
    }
    if (!finite) raise_status(vectors.status, status_not_finite);
  }
  __device__ void ask_for_next_chunk(const Block& block, Walk& later, int writer,
                                     const CachePolicy& policy) const {
    if (writer >= 32 || !step(later)) return;
    const Index stage = later.q % BandRoom::stages;
    const Offset from = chunk_at[later.c];
    stream_copy(block.stage + stage * room.stage, chunk + from,
                static_cast<unsigned>(chunk_at[later.c + 1] - from), block.full + stage, policy);
  }

  // --- Numbers under way.

  // That of a walk's vector.
  __device__ Word* flow_of(unsigned turn, const Walk& walk) const {
    return flow + turn * flow_size + Offset{walk.task % count} * handed_on * parts;
  }
  __device__ static bool is_there(T a) {
    if constexpr (parts == 1)
      return !is_empty_word(a);
    else
      return !is_empty_word(a.re) && !is_empty_word(a.im);
  }
  __device__ static T look(const Word* now, Index number) {
    const Word* const p = now + Offset{number} * parts;
    if constexpr (parts == 1)
      return load_flow(p);
    else
      return {load_flow(p), load_flow(p + 1)};
  }
  __device__ static void hand_on(Word* now, Word* next, Index number, T a) {
    now += Offset{number} * parts;
    next += Offset{number} * parts;
    if constexpr (parts == 1) {
      store_flow(now, not_empty_word(a));
      *next = empty_word(a);
    } else {
      store_flow(now, not_empty_word(a.re));
      store_flow(now + 1, not_empty_word(a.im));
      next[0] = next[1] = empty_word(a.re);
    }
  }
  // Fetch f of the chunk and what follows for this reader; zero beyond the last.
  __device__ void ask(const Word* now, const Chunk& c, int f, T* seen) const {
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const int at = f + a * roles.readers;
      seen[a] = at < c.head.fetches ? look(now, c.fetch[at]) : zero();
    }
  }
  __device__ void ask_until_there(const Block& block, const Word* now, const Chunk& c, int f,
                                  T* seen) const {
    for (unsigned tries = 1;; ++tries) {
      bool all = true;
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        if (is_there(seen[a])) continue;
        all = false;
        seen[a] = look(now, c.fetch[f + a * roles.readers]);
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
