// exec/cuda/tiles/tile_mailbox.cuh -- publish and poll numbers between the blocks of method tree,
// on one GPU or several.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol: see exec/cuda/tiles/tile_pass.cuh and, between PEs, exec/cuda/tiles/tile_multi_gpu.cuh.
#pragma once

#include "exec/cuda/runtime/flow_number.cuh"
#include "exec/cuda/runtime/grid_state.cuh"
#include "exec/cuda/tiles/tile_types.cuh"

namespace echelon {

// A pass over flows of three copies.
struct RemoteTurn {
  unsigned copy;                // in use
  unsigned long long pass;      // number of this pass
  unsigned long long finished;  // number of the pass that receivers must have finished
};
// The PEs, and words that they share.
struct RemotePes {
  Index me, pes;
  bool rehearses;                   // the launch is only a rehearsal
  unsigned long long* const* done;  // by PE: its done words, two per PE
  unsigned long long* clock;        // start and end of the grid, in nanoseconds
};
// Parameters of a grid that shares a triangle with the grids of other PEs.
template <class Word>
struct RemoteView : RemoteTurn, RemotePes {
  Word* const* flow;  // by PE, as mapped into this PE's address space
  const RemoteTarget* target;
  const Index* list;
  const Index* inbox;  // slots that other PEs write
  Index inbox_size;
  const Index* receivers;  // PEs
  const Index* senders;
  Index receivers_size, senders_size;
};
struct NoRemote {};

// The flow and the state of the grid.
template <class K>
struct MailboxView {
  using Word = typename K::Word;
  Word* flow;   // two copies; three with several PEs
  Offset size;  // words per copy
  FlowPlaces place;
  const Index* more;  // lists of further slots
  GridState grid;
  std::conditional_t<K::multi_gpu, RemoteView<Word>, NoRemote> remote;
};

// The copies of the flow that a pass uses, and its deadline.
template <class Word>
struct MailboxTurn {
  Word* now;
  Word* next;
  unsigned long long deadline;
};

// A mailbox as one thread uses it.  A place is a slot for R numbers; r counts right-hand sides.
template <class K>
class Mailbox {
 public:
  using T = typename K::T;
  using Word = typename K::Word;
  using Tile = typename K::Tile;
  using View = MailboxView<K>;
  using Turn = MailboxTurn<Word>;
  static constexpr int R = K::R, parts = K::parts;

  __device__ Mailbox(const View& view, const Turn& turn) : view_(view), turn_(turn) {}
  // For the next pass of the grid.
  __device__ explicit Mailbox(const View& view) : view_(view), turn_(turn_of(view)) {}

  __device__ const View& view() const { return view_; }
  __device__ const Turn& turn() const { return turn_; }

  // --- One number.

  __device__ static T not_empty(T a) {
    if constexpr (parts == 1)
      return not_empty_word(a);
    else
      return {not_empty_word(a.re), not_empty_word(a.im)};
  }
  __device__ T poll(Offset place, int r) const {
    const Word* const p = turn_.now + (place * R + r) * parts;
    if constexpr (parts == 1)
      return load_word(p);
    else
      return {load_word(p), load_word(p + 1)};
  }
  // Polls until the number is there, or the grid gives up.
  __device__ T consume(Offset place, int r) const {
    T seen = poll(place, r);
    for (unsigned tries = 1; !is_there(seen); ++tries) {
      if (tries % 256 == 0 && gives_up()) break;
      pause_thread();
      seen = poll(place, r);
    }
    return seen;
  }
  __device__ bool gives_up() const { return view_.grid.gives_up(turn_.deadline); }

  __device__ void publish(Offset place, int r, T a) const {
    Word* const now = turn_.now + (place * R + r) * parts;
    Word* const next = turn_.next + (place * R + r) * parts;
    a = not_empty(a);
    if constexpr (parts == 1) {
      store_flow(now, a);
      *next = empty_word(a);
    } else {
      store_flow(now, a.re);
      store_flow(now + 1, a.im);
      next[0] = next[1] = empty_word(a.re);
    }
  }
  // The same to another PE, which empties the slot itself.
  __device__ void publish_far(Index pe, Offset place, int r, T a) const {
    Word* const now =
        view_.remote.flow[pe] + view_.remote.copy * view_.size + (place * R + r) * parts;
    a = not_empty(a);
    if constexpr (parts == 1) {
      store_far(now, a);
    } else {
      store_far(now, a.re);
      store_far(now + 1, a.im);
    }
  }
  // To a slot of this PE or of another one.
  __device__ void publish_to(typename K::Target target, int r, T a) const {
    if constexpr (K::multi_gpu) {
      if (target >> 32 != 0)
        return publish_far(static_cast<Index>(target >> 32) - 1, static_cast<std::uint32_t>(target),
                           r, a);
    }
    publish(target, r, a);
  }
  // Publishes number j of a task to all its targets on other PEs.
  __device__ void publish_remote(const Tile& tile, Index j, int r, T a) const {
    for (Index k = tile.target; k < tile.target_end; ++k) {
      const RemoteTarget t = view_.remote.target[k];
      publish_far(t.pe, t.list < 0 ? t.place + t.stride * j : view_.remote.list[t.list + j], r, a);
    }
  }

  // --- Several numbers.

  struct One {
    T a;
    __device__ bool there() const { return is_there(a); }
  };
  // Two adjacent numbers.
  struct Two {
    T a, b;
    __device__ bool there() const { return is_there(a) && is_there(b); }
    __device__ T sum() const { return a + b; }
  };
  __device__ static Two none() { return {K::zero(), K::zero()}; }
  __device__ Two poll_pair(Offset place, int r) const {
    if constexpr (R == 1 && parts == 1) {
      Two two;
      if constexpr (K::multi_gpu)
        load_far(turn_.now + place, two.a, two.b);
      else
        load_flow(turn_.now + place, two.a, two.b);
      return two;
    } else {
      return {poll(place, r), poll(place + 1, r)};
    }
  }
  // Calls poll_again(a) for each number that is not there() yet, until all are, or the grid gives
  // up.
  template <class Seen, int N, class Poll>
  __device__ void wait_for_all(Seen (&seen)[N], const Poll& poll_again) const {
    for (unsigned tries = 1;; ++tries) {
      bool all = true;
      ECHELON_UNROLL
      for (int a = 0; a < N; ++a) {
        const bool there = seen[a].there();
        all = all && there;
        if (!there) seen[a] = poll_again(a);
      }
      if (all || (tries % 256 == 0 && gives_up())) return;
      pause_thread();
    }
  }

  // --- Push: numbers that other tasks published for an entry of a task's vector.

  __device__ static Offset slot_of(const Tile& tile, Index entry, Index pair) {
    return tile.slots + 2 * (Offset{pair} * (tile.own + tile.outside) + entry);
  }
  // The sum over an entry's list of further slots.
  __device__ T consume_more(Index at, Index entry, int r) const {
    return sum_more(view_, turn_, at, entry, r);
  }

  // --- Pull: the sum of the contributions of other PEs to a column.

  __device__ T consume_children(const Tile& tile, Index j, int r) const {
    T sum = K::zero();
    for (Index k = 0; k < tile.received_children; ++k)
      sum = sum + consume(tile.received + Offset{k} * tile.w + j, r);
    return sum;
  }

 private:
  __device__ static Turn turn_of(const View& view) {
    const unsigned long long deadline = view.grid.deadline();
    if constexpr (K::multi_gpu) {
      const unsigned copy = view.remote.copy;
      return {view.flow + copy * view.size, view.flow + (copy + 1) % 3 * view.size, deadline};
    } else {
      const unsigned turn = load_flow(&view.grid.words->turn);
      return {view.flow + turn * view.size, view.flow + (1 - turn) * view.size, deadline};
    }
  }
  // Loads a word that a block of this GPU or of another GPU has written.
  __device__ static Word load_word(const Word* p) {
    if constexpr (K::multi_gpu)
      return load_far(p);
    else
      return load_flow(p);
  }
  // Not inlined: a rare case should not cost the caller registers.  Static, so that the mailbox
  // itself stays in registers.
  ECHELON_NOINLINE static T sum_more(const View& view, Turn turn, Index at, Index entry, int r) {
    const Mailbox mail(view, turn);
    const Index* const list = view.more + at + entry;
    T sum = K::zero();
    for (Index i = list[0]; i < list[1]; ++i) sum = sum + mail.consume(view.more[i], r);
    return sum;
  }

  const View& view_;
  Turn turn_;
};

}  // namespace echelon
