// exec/cuda/tiles/tile_multi_gpu.cuh -- method tree on several GPUs: publishes numbers into the
// memory of other PEs, and keeps the passes of PEs apart.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol between PEs.  A PE stores a number for another PE directly into that PE's flow, where a
// block polls for it as for any other number.  The number itself shows that it is there, so there
// is no separate signal and no ordering to enforce.  A flow has three copies, used in turn, without
// a common reset.  In pass p (of this flow) a PE reads copy p.  Its blocks empty in copy p+1 the
// slots that they write themselves, as on one GPU.  At the start of the pass they empty in copy p+2
// the slots that other PEs write.  So a PE may write for pass p+2 as soon as the receiver has
// finished pass p.  A receiver releases the number of the pass it has finished into a word at each
// of its senders.  The sender acquires the word before its first tile and usually finds it already
// set.
//
// Forward progress.  All blocks of all PEs are resident from the start, each runs its list, and all
// lists follow one order (exec/cuda/tiles/pe_plan.cpp): the first unfinished item of all waits for
// nothing.  The start of a pass waits for earlier passes only.  Any number of blocks works, as long
// as all are resident.
//
// Rehearsal.  PEs may share a GPU, and the part of the GPU that a PE counts on may be in use.  So
// before the first pass all blocks of all PEs meet.  If they do not meet within timeout_ns, the PEs
// launch fewer blocks.
//
// Way out.  As on one GPU: after `timeout_ns` a block gives up, and with it its PE.  Other PEs miss
// their numbers and give up too.
#pragma once

#include "exec/cuda/tiles/tile_triangle.cuh"

namespace echelon {

template <class T, class S, int R, bool MultiGpu = false>
struct TileMultiGpu : TileTriangle<T, S, R, MultiGpu> {
  using Flow = TileFlow<T, S, R, MultiGpu>;
  using Flow::parts, Flow::flow, Flow::flow_size, Flow::pushed, Flow::answers, Flow::state,
      Flow::share, Flow::worker, Flow::consume;
  using typename Flow::Block, typename Flow::Tile, typename Flow::ItemWord, typename Flow::Turn,
      typename Flow::Word;

  __device__ Turn turn_of(unsigned long long deadline) const {
    if constexpr (MultiGpu) {
      return {flow + share.copy * flow_size, flow + (share.copy + 1) % 3 * flow_size, deadline};
    } else {
      const unsigned turn = load_flow(&state->turn);
      return {flow + turn * flow_size, flow + (1 - turn) * flow_size, deadline};
    }
  }

  // Waits until the receivers are ready for this pass, and empties the slots that senders write in
  // the next pass but one.  The caller follows with a barrier.
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
  // Waits for a word that another PE releases here.
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
  // One thread calls this after all others have finished.
  __device__ void end_share() const {
    share.clock[1] = nanoseconds();
    fence_far();
    for (Index i = 0; i < share.senders_size; ++i)
      release_far(share.done[share.senders[i]] + share.me, share.pass);
  }

  // Publishes the numbers of a task to other PEs as soon as they are complete.
  __device__ void publish_item(Block& block, const Tile& tile, const ItemWord& next) const {
    const Index numbers = (tile.high - tile.low) * R;
    if (tile.pull || tile.triangle) {  // the numbers are answers
      const Offset place = (tile.pull ? answers : pushed) + tile.first;
      for (Index q = worker(); q < numbers; q += tile_threads) {
        const Index j = tile.low + q / R;
        this->publish_remote(tile, j, q % R, consume(block.turn, place + j, q % R));
      }
    } else {
      this->with_ahead(numbers, [&](auto n) { this->template gather_push<n>(block, tile); });
      this->publish_gathered(block, tile);
    }
    __syncthreads();
    next.store();
    __syncthreads();
  }
};

}  // namespace echelon
