// exec/cuda/tiles/tile_parameters.cuh -- the parameters of a kernel of method tree, and the
// functions that fill them.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/panels/device_plan.hpp"
#include "exec/cuda/runtime/device_vectors.cuh"
#include "exec/cuda/tiles/tile_mailbox.cuh"
#include "exec/cuda/tiles/tile_ring.cuh"

namespace echelon {

// The caller's vectors.
template <class T>
struct TileVectors {
  DeviceVectors<T> vectors;
  Index count;  // number of vectors, up to the right-hand sides per pass
  // If `relays`: the answers of the push part are the right-hand sides of the pull part, divided by
  // `divisor` unless it is null, and conjugated if `conjugates`; the final answers are conjugated
  // then too.
  bool relays, conjugates;
  const T* divisor;

  // Entries of b; zero for a vector that is not there.
  __device__ T given(Index position, int r) const {
    T given = zero_of(T{});
    if (r < count) given = vectors.given(position, r);
    return given;
  }
  __device__ T scaled(T given) const { return vectors.scaled(given); }
  __device__ T right_side(Index position, int r) const { return scaled(given(position, r)); }
  __device__ void store(Index position, int r, T a) const {
    if (r < count) vectors.store(position, r, a);
  }
  // Converts an answer of the push part into a right-hand side of the pull part.
  __device__ T relayed(Index position, T a) const {
    if (divisor != nullptr) a = a / divisor[vectors.unknown(position)];
    return conjugate_if(conjugates, a);
  }
};

// K is a TileTypes.
template <class K>
struct TileParameters {
  // First: one address serves functions that need the mailbox and those that need all, which saves
  // registers.
  MailboxView<K> mailbox;
  DevicePlan plan;
  const BlockForm* form;
  const TileList* lists;
  const typename K::Item* items;
  const typename K::Target* to;  // push: the slot for the number at each place
  RingSource<K> source;
  TileVectors<typename K::T> sides;
  typename K::T* scratch;  // subtree vectors that do not fit into shared memory: twice the space
  TileSharedMemory room;
};

// --- Host code.  All pointers are to memory that the kernel can read.

// What all passes over a triangle have in common.
template <class K>
struct TileFactors {
  DevicePlan plan;
  const BlockForm* form;
  const typename K::S* value;
  float kept;                    // see RingSource
  const typename K::Target* to;  // see TileParameters
  const Index* more;             // see MailboxView
};
// What a pass works in.
template <class K>
struct TileWorkspace {
  TileSharedMemory room;
  typename K::T* scratch;         // see TileParameters
  unsigned long long timeout_ns;  // 0: no timeout
};

// Fills the parameters of a pass.  A Course has a program (`lists`, `items`, `chunks`), a `flow` of
// copies of `flow_size` words with their `places`, and the `words` of its grid; the arrays may be
// any containers with data().
template <class K, class Course>
TileParameters<K> make_tile_parameters(const TileFactors<K>& factors, Course& course,
                                       const TileVectors<typename K::T>& sides,
                                       const TileWorkspace<K>& work) {
  TileParameters<K> p{};
  p.plan = factors.plan;
  p.form = factors.form;
  p.lists = course.lists.data();
  p.items = course.items.data();
  p.to = factors.to;
  p.source = {factors.value, factors.kept, course.chunks.data()};
  p.sides = sides;
  p.mailbox.flow = reinterpret_cast<typename K::Word*>(course.flow.data());
  p.mailbox.size = course.flow_size;
  p.mailbox.place = course.places;
  p.mailbox.more = factors.more;
  p.mailbox.grid = {course.words.data(), sides.vectors.status, work.timeout_ns};
  p.scratch = work.scratch;
  p.room = work.room;
  return p;
}

// The same with other PEs.  `flows`: by PE.  A Way has the arrays of PePlan::Way.
template <class Word, class Way>
RemoteView<Word> make_remote_view(const RemoteTurn& turn, const RemotePes& pes, Word* const* flows,
                                  const Way& way) {
  return {turn,
          pes,
          flows,
          way.target.data(),
          way.list.data(),
          way.inbox.data(),
          static_cast<Index>(way.inbox.size()),
          way.receivers.data(),
          way.senders.data(),
          static_cast<Index>(way.receivers.size()),
          static_cast<Index>(way.senders.size())};
}

// Counts the passes over a flow of three copies.
class RemoteTurns {
 public:
  static constexpr Index copies = 3;

  // For pass number `pass`, which counts the passes over all flows from 1.
  RemoteTurn next(unsigned long long pass) {
    const RemoteTurn turn{copy_after(used_), pass, before_last_};
    before_last_ = last_;
    last_ = pass;
    ++used_;
    return turn;
  }
  // The copy that the last pass used.
  unsigned last_copy() const { return copy_after(used_ - 1); }

 private:
  static unsigned copy_after(unsigned long long passes) {
    return static_cast<unsigned>(passes % copies);
  }
  unsigned long long used_ = 0, last_ = 0, before_last_ = 0;
};

}  // namespace echelon
