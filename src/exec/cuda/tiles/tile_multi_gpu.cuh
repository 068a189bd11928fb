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

#include "exec/cuda/tiles/tile_push.cuh"

namespace echelon {

// One pass of a grid, as part of the pass of all PEs.
template <class K>
struct MultiGpuPass {
  const TileParameters<K>& p;
  TileBlock<K>& block;

  // Waits until the receivers are ready for this pass, and empties the slots that senders write in
  // the next pass but one.  The caller follows with a barrier.
  __device__ void begin() const {
    using Word = typename K::Word;
    constexpr Index words = K::R * K::parts;
    const auto& remote = p.mailbox.remote;
    if (blockIdx.x == 0 && worker() == 0) remote.clock[0] = nanoseconds();
    Word* const later = p.mailbox.flow + (remote.copy + 2) % 3 * p.mailbox.size;
    const Offset step = Offset{blocks_of_grid()} * tile_threads;
    for (Offset i = Offset{blockIdx.x} * tile_threads + worker();
         i < Offset{remote.inbox_size} * words; i += step)
      later[Offset{remote.inbox[i / words]} * words + i % words] = empty_word(Word{});
    for (Index i = worker(); i < remote.receivers_size; i += tile_threads)
      wait_for_word(remote.receivers[i], remote.finished);
    if (remote.rehearses && worker() == 0) rehearse();
  }

  // Publishes the numbers of a task to other PEs as soon as they are complete.
  __device__ void publish_item(const typename K::Tile& tile, const ItemWord& next) const {
    constexpr int R = K::R;
    const Index numbers = (tile.high - tile.low) * R;
    if (tile.pull || tile.triangle) {  // the numbers are answers
      const FlowPlaces& places = p.mailbox.place;
      const Offset place = (tile.pull ? places.answers : places.pushed) + tile.first;
      for (Index q = worker(); q < numbers; q += tile_threads) {
        const Index j = tile.low + q / R;
        block.mail.publish_remote(tile, j, q % R, block.mail.consume(place + j, q % R));
      }
    } else {
      const PushTile<K> push{p, block, tile};
      with_ahead<K>(numbers, [&](auto n) { push.template gather<n>(); });
      push.publish_gathered();
    }
    __syncthreads();
    next.store();
    __syncthreads();
  }

  // One thread calls this after all others have finished.
  __device__ void end() const {
    const auto& remote = p.mailbox.remote;
    remote.clock[1] = nanoseconds();
    fence_far();
    for (Index i = 0; i < remote.senders_size; ++i)
      release_far(remote.done[remote.senders[i]] + remote.me, remote.pass);
  }

 private:
  // Waits for a word that another PE releases here.
  __device__ void wait_for_word(Index which, unsigned long long least) const {
    const auto& remote = p.mailbox.remote;
    for (unsigned tries = 1; acquire_far(remote.done[remote.me] + which) < least; ++tries) {
      if (tries % 256 == 0 && block.mail.gives_up()) return;
      rest_thread();
    }
  }
  __device__ void rehearse() const {
    const auto& remote = p.mailbox.remote;
    if (count_up(&p.mailbox.grid.words->met) + 1 == blocks_of_grid())
      for (Index pe = 0; pe < remote.pes; ++pe)
        release_far(remote.done[pe] + remote.pes + remote.me, remote.pass);
    for (Index pe = 0; pe < remote.pes; ++pe) wait_for_word(remote.pes + pe, remote.pass);
  }
};

}  // namespace echelon
