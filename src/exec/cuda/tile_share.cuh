// exec/cuda/tile_share.cuh -- the persistent solve on several GPUs: numbers stored where another PE
// wants them, and how PEs keep out of each other's passes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between PEs.  A number for another PE is stored straight into its flow, where a block
// waits for it as for any other: the number tells by itself that it is there, so there is no
// signal beside it and nothing to be ordered.  There are three copies of a flow, used in turn, and
// nobody resets them together: in pass p (of this flow) a PE reads copy p, its blocks empty what
// they themselves write in copy p+1 as on one GPU, and at the start they empty in copy p+2 what
// others write.  So a PE may write for pass p+2 as soon as the receiver has finished pass p; a
// receiver says that with a word at each of its senders, which asks for it before its first tile
// and as a rule finds it.
//
// Forward progress.  All blocks of all PEs run from the start, each through its list, and all
// lists follow one order (exec/share_plan.cpp): the first item of all that is not done waits for
// nothing.  Who begins a pass waits for passes before it only.  No number of blocks is too many,
// as long as they all fit.
//
// Rehearsal.  PEs may share a GPU, and what each takes for its part of it need not be free.  So
// before the first pass all blocks of all PEs meet: if they do not within the patience, fewer are
// launched.
//
// Way out.  As on one GPU: after `patience` a block gives up, and with it its PE; others find
// their numbers missing and do the same.
#pragma once

#include "exec/cuda/tile_triangle.cuh"

namespace echelon {

template <class T, class S, int R, bool Shared = false>
struct TileShare : TileTriangle<T, S, R, Shared> {
  using Flow = TileFlow<T, S, R, Shared>;
  using Flow::parts, Flow::flow, Flow::flow_size, Flow::pushed, Flow::answers, Flow::state,
      Flow::share, Flow::worker, Flow::take;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Turn,
      typename Flow::Word;

  __device__ Turn turn_of(unsigned long long deadline) const {
    if constexpr (Shared) {
      return {flow + share.copy * flow_size, flow + (share.copy + 1) % 3 * flow_size, deadline};
    } else {
      const unsigned turn = load_flow(&state->turn);
      return {flow + turn * flow_size, flow + (1 - turn) * flow_size, deadline};
    }
  }

  // Receivers are ready for this pass, and this PE for the next but one.  A barrier comes after it.
  __device__ void begin_share(const Turn& turn) const {
    constexpr Index words = R * parts;
    if (blockIdx.x == 0 && worker() == 0) share.clock[0] = nanoseconds();
    Word* const later = flow + (share.copy + 2) % 3 * flow_size;
    const Offset step = Offset{blocks_of_grid()} * tile_threads;
    for (Offset i = Offset{blockIdx.x} * tile_threads + worker();
         i < Offset{share.inbox_size} * words; i += step)
      later[Offset{share.inbox[i / words]} * words + i % words] = empty_word(Word{});
    for (Index i = worker(); i < share.receivers_size; i += tile_threads)
      wait_for_word(turn, share.receivers[i], share.finished);
    if (share.rehearses && worker() == 0) rehearse(turn);
  }
  // A word that another PE has here.
  __device__ void wait_for_word(const Turn& turn, Index which, unsigned long long least) const {
    for (unsigned tries = 1; acquire_far(share.done[share.me] + which) < least; ++tries) {
      if (tries % 256 == 0 && this->gives_up(turn)) return;
      rest_thread();
    }
  }
  __device__ void rehearse(const Turn& turn) const {
    if (count_up(&state->met) + 1 == blocks_of_grid())
      for (Index pe = 0; pe < share.pes; ++pe)
        release_far(share.done[pe] + share.pes + share.me, share.pass);
    for (Index pe = 0; pe < share.pes; ++pe) wait_for_word(turn, share.pes + pe, share.pass);
  }
  // By one thread, after all others.
  __device__ void end_share() const {
    share.clock[1] = nanoseconds();
    fence_far();
    for (Index i = 0; i < share.senders_size; ++i)
      release_far(share.done[share.senders[i]] + share.me, share.pass);
  }

  // The numbers of a task, as soon as they are complete, to other PEs.
  __device__ void tell_item(Block& block, const Tile& tile, const ItemWord& next) const {
    const Index numbers = (tile.high - tile.low) * R;
    if (tile.pull || tile.triangle) {  // there are answers to be told
      const Offset place = (tile.pull ? answers : pushed) + tile.first;
      for (Index q = worker(); q < numbers; q += tile_threads) {
        const Index j = tile.low + q / R;
        this->tell_far(tile, j, q % R, take(block.turn, place + j, q % R));
      }
    } else {
      this->with_ahead(numbers, [&](auto n) { this->template gather_push<n>(block, tile); });
      this->tell_gathered(block, tile);
    }
    __syncthreads();
    next.store();
    __syncthreads();
  }
};

}  // namespace echelon
