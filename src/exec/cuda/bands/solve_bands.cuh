// exec/cuda/bands/solve_bands.cuh -- device code for method superstep: a thread block solves its
// bands chunk by chunk, while other threads of the block load inputs and store answers.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between blocks.  Answers that other bands need are published in `flow`, in one of two
// copies (exec/cuda/runtime/flow_copies.cuh).  An answer that is not yet published is the empty
// NaN.
//
// Forward progress.  Bands go to blocks round-robin, and all blocks are resident from the start.  A
// band needs lower bands only, so the lowest unfinished band can always proceed.
//
// Protocol inside a block.  Each thread has one of four roles, and all roles go through the same
// chunks.  An mbarrier per stage, named at the end of each line, signals that the step is complete.
//   fetchers  load answers of other bands, and older answers of this band; `ready`
//   readers   load the right-hand sides, multiplied with 1/d; `ready`
//             (some of each per stage, since both mostly wait)
//   solvers   run all steps of a chunk, with a barrier after each step; `solved`
//   writers   publish the answers that other bands need, store all answers, and start the copy
//             of the chunk `stages` later into the chunk's stage; `full`
// So a thread that passed the `full` barrier of a chunk can rely on the chunk `stages` before it
// being complete in all roles, and the rings are large enough for all chunks in between.  All
// threads finish a band together.  In a step, a solver executes only instructions that belong to
// the step: their latency is the cost of a level.
//
// Way out: see exec/cuda/runtime/grid_state.cuh.
//
// Needs the names of exec/cuda/runtime/device_flow.cuh, or a test's replacement for them.
#pragma once

#include "exec/cuda/bands/band_block.cuh"

namespace echelon {

// T is a DeviceScalar.  `divides`: the diagonal is stored itself, not its reciprocal.
template <class T, bool divides>
struct BandPass : BandBlock<T> {
  using Base = BandBlock<T>;
  using Base::stages, Base::chunk, Base::chunk_at, Base::chunk_start, Base::bands, Base::rings,
      Base::roles, Base::vectors, Base::count, Base::flow, Base::flow_size, Base::published,
      Base::grid, Base::room, Base::worker, Base::zero, Base::slot_at, Base::right_of,
      Base::chunk_of, Base::wait_for, Base::arrive, Base::poll, Base::give;
  using typename Base::Block, typename Base::Chunk;
  static constexpr int piece = 16 / static_cast<int>(sizeof(T));  // values per load
  static constexpr int ahead = 8;                                 // loads in flight per thread
  static constexpr int stored = 4;                                // stores in flight per thread

  // The code of one block.  `shared` points to room.bytes bytes.
  __device__ void run(char* shared) const {
    Block block{};
    block.stage = shared;
    block.full = reinterpret_cast<Gate*>(shared + room.gate);
    block.ready = block.full + stages;
    block.solved = block.ready + stages;
    block.slot = reinterpret_cast<T*>(shared + room.slots);
    block.right = reinterpret_cast<T*>(shared + room.right);
    block.copies = {flow, flow_size, Offset{published} * count, grid.words};
    block.deadline = grid.deadline();
    if (worker() == 0) {
      for (int s = 0; s < stages; ++s) {
        gate_init(block.full + s, stream_arrivals);
        gate_init(block.ready + s, roles.fetchers + roles.readers);
        gate_init(block.solved + s, roles.solvers);
      }
      *slot_at(block, rings.own + rings.fetched) = zero();
    }
    gates_are_ready();
    for (Offset task = blockIdx.x; task < Offset{bands} * count; task += blocks_of_grid()) {
      __syncthreads();
      run_band(block, static_cast<Index>(task / count), static_cast<Index>(task % count));
    }
    __syncthreads();
    if (worker() == 0) end_block(block);
  }

 private:
  __device__ void run_band(Block& block, Index band, Index v) const {
    block.begin = chunk_start[band];
    block.end = chunk_start[band + 1];
    block.b = vectors.b + v * vectors.b_stride;
    block.x = vectors.x + v * vectors.x_stride;
    block.first = Offset{v} * published;
    const int fetchers = stages * roles.fetchers;
    const int readers = stages * roles.readers;
    int helper = worker() - roles.solvers;
    if (helper < 0)
      run_solver(block);
    else if (helper < fetchers)
      run_fetcher(block, helper / roles.fetchers, helper % roles.fetchers);
    else if ((helper -= fetchers) < readers)
      run_reader(block, helper / roles.readers, helper % roles.readers);
    else
      run_writer(block, helper - readers);
    block.q += block.end - block.begin;
  }

  // --- Fetchers.

  __device__ void run_fetcher(const Block& block, int stage, int fetcher) const {
    this->for_chunks_of_stage(block, stage, [&](Index q, const Chunk& c) {
      for (int f = fetcher; f < c.head.fetches; f += ahead * roles.fetchers) {
        T seen[ahead];
        ask(block, c, f, seen);
        ask_until_there(block, c, f, seen);
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a) {
          const int at = f + a * roles.fetchers;
          if (at < c.head.fetches)
            *slot_at(block, rings.own + ((c.head.fetch_slot + at) & (rings.fetched - 1))) = seen[a];
        }
      }
      arrive(block.ready, q);
    });
  }
  // Polls answer f of the chunk and this fetcher's next ones; zero past the last.
  __device__ void ask(const Block& block, const Chunk& c, int f, T* seen) const {
    ECHELON_UNROLL
    for (int a = 0; a < ahead; ++a) {
      const int at = f + a * roles.fetchers;
      seen[a] = at < c.head.fetches ? poll(block, c.fetch[at]) : zero();
    }
  }
  __device__ void ask_until_there(const Block& block, const Chunk& c, int f, T* seen) const {
    for (unsigned tries = 1;; ++tries) {
      bool all = true;
      ECHELON_UNROLL
      for (int a = 0; a < ahead; ++a) {
        if (is_there(seen[a])) continue;
        all = false;
        seen[a] = poll(block, c.fetch[f + a * roles.fetchers]);
      }
      if (all || (tries % 256 == 0 && grid.gives_up(block.deadline))) return;
      rest_thread();
    }
  }

  // --- Readers.

  __device__ void run_reader(const Block& block, int stage, int reader) const {
    this->for_chunks_of_stage(block, stage, [&](Index q, const Chunk& c) {
      T* const right = right_of(block, q);
      for (int first = reader; first < c.head.rows; first += ahead * roles.readers) {
        T given[ahead];
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a) {
          const int r = first + a * roles.readers;
          const int unknown = r < c.head.rows ? c.row[r].unknown : -1;
          given[a] =
              unknown >= 0 ? load_with_neighbours(block.b + unknown * vectors.b_step) : zero();
        }
        ECHELON_UNROLL
        for (int a = 0; a < ahead; ++a) {
          const int r = first + a * roles.readers;
          const T scaled = vectors.alpha * given[a];
          if (r < c.head.rows) right[r] = divides ? scaled : scaled * c.diagonal[r];
        }
      }
      arrive(block.ready, q);
    });
  }

  // --- Solvers.

  __device__ void run_solver(const Block& block) const {
    const Index end = block.q + block.end - block.begin;
    for (Index q = block.q; q < end; ++q) {
      wait_for(block.ready, q);  // which implies that the chunk is in shared memory
      const Chunk c = chunk_of(block, q);
      const T* const right = right_of(block, q);
      switch (c.head.shape) {
        case shape_of(2, 1):
          solve_steps<2, 1>(block, c, right);
          break;
        case shape_of(4, 1):
          solve_steps<4, 1>(block, c, right);
          break;
        case shape_of(4, 2):
          solve_steps<4, 2>(block, c, right);
          break;
        case shape_of(4, 4):
          solve_steps<4, 4>(block, c, right);
          break;
        case shape_of(4, 8):
          solve_steps<4, 8>(block, c, right);
          break;
        case shape_of(4, 16):
          solve_steps<4, 16>(block, c, right);
          break;
        default:
          solve_steps<4, 32>(block, c, right);
      }
      arrive(block.solved, q);
    }
  }
  static constexpr int shape_of(int per_lane, int lanes) { return lanes + 64 * per_lane; }

  // A row, loaded by its thread before its step begins.
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
  // The factor of an entry: the answer in its slot.
  __device__ static T in_slot(const Block& block, unsigned offset) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(block.slot) +
                                       offset * BandParts::slot_unit(sizeof(T)));
  }
  template <int K, int lanes>
  __device__ Row<K> read_row(const Chunk& c, const T* right, int r, int end, int lane) const {
    Row<K> row;
    row.mine = r < end;
    r = min(r, end - 1);  // a thread without a row reads another row of the step
    const int place = r * lanes + lane;
    ECHELON_UNROLL
    for (int k = 0; k < K; k += piece) {  // a piece of float has more than two
      const Piece p =
          reinterpret_cast<const Piece*>(c.value)[k / piece * c.head.rows * lanes + place];
      ECHELON_UNROLL
      for (int i = 0; i < piece && k + i < K; ++i) row.value[k + i] = p.value[i];
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
    const bool one_warp = roles.solvers == 32;
    const int last = c.head.steps - 1;
    int begin = 0, end = c.step_end[0], later = c.step_end[min(1, last)];
    Row<K> row = read_row<K, lanes>(c, right, mine, end, lane);
    for (int s = 1; s <= c.head.steps; ++s) {
      T factor[K];
      ECHELON_UNROLL
      for (int k = 0; k < K; ++k) factor[k] = in_slot(block, row.slot[k]);
      T* const to = slot_at(block, (c.head.own_slot + begin + mine) & mask);
      begin = end;
      end = later;
      later = c.step_end[min(s + 1, last)];
      const Row<K> next = read_row<K, lanes>(c, right, begin + mine, end, lane);
      T x = row.right;
      ECHELON_UNROLL
      for (int k = 0; k < K; ++k) x = multiply_add(-row.value[k], factor[k], x);
      if (lanes > 1) x = sum_over_lanes(x, lanes);
      if (divides) x = x / row.diagonal;
      if (row.mine && lane == 0) *to = x;
      if (one_warp)
        sync_warp();
      else
        sync_part(1, roles.solvers);
      row = next;
    }
  }

  // --- Writers.

  __device__ void run_writer(const Block& block, int writer) const {
    const CachePolicy policy = cache_policy(1);
    const bool first_warp = writer < 32;
    bool finite = true;
    const Index begun = min(block.begin + stages, block.end);
    for (Index k = block.begin; first_warp && k < begun; ++k)
      ask_for_chunk(block, k, place_of(k), policy);
    const Index end = block.q + block.end - block.begin;
    for (Index q = block.q; q < end; ++q) {
      const Index later = q - block.q + block.begin + stages;
      const bool asks = first_warp && later < block.end;
      const Place place = asks ? place_of(later) : Place{};
      wait_for(block.full, q);
      const Chunk c = chunk_of(block, q);
      wait_for(block.solved, q);
      for (int r = writer; r < c.head.rows; r += stored * roles.writers)
        write_rows(block, c, r, finite);
      sync_part(2, roles.writers);
      if (asks) ask_for_chunk(block, later, place, policy);
    }
    if (!finite) raise_status(vectors.status, status_not_finite);
  }
  // Row `first` and this writer's next rows.  Answers for other bands go first.
  __device__ void write_rows(const Block& block, const Chunk& c, int first, bool& finite) const {
    BandRow row[stored];
    T x[stored];
    ECHELON_UNROLL
    for (int a = 0; a < stored; ++a) {
      const int r = first + a * roles.writers;
      row[a] = r < c.head.rows ? c.row[r] : BandRow{-1, -1};
      x[a] = *slot_at(block, (c.head.own_slot + min(r, c.head.rows - 1)) & (rings.own - 1));
    }
    ECHELON_UNROLL
    for (int a = 0; a < stored; ++a)
      if (row[a].number >= 0) give(block, row[a].number, x[a]);
    ECHELON_UNROLL
    for (int a = 0; a < stored; ++a)
      if (row[a].unknown >= 0) {
        block.x[row[a].unknown * vectors.x_step] = x[a];
        finite = finite && is_finite(x[a]);
      }
  }
  // Where a chunk lies in device memory.
  struct Place {
    Offset from, to;
  };
  __device__ Place place_of(Index k) const { return {chunk_at[k], chunk_at[k + 1]}; }
  __device__ void ask_for_chunk(const Block& block, Index k, const Place& place,
                                const CachePolicy& policy) const {
    const Index stage = (block.q + k - block.begin) % stages;
    stream_copy(block.stage + stage * room.stage, chunk + place.from,
                static_cast<unsigned>(place.to - place.from), block.full + stage, policy);
  }

  __device__ void end_block(const Block& block) const {
    if (grid.ends_last()) block.copies.turn_round(grid.words);
  }
};

}  // namespace echelon
