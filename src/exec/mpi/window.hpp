// exec/mpi/window.hpp -- memory of this rank that others write, under one lock_all from first to
// last.
// SPDX-License-Identifier: BSD-3-Clause
//
// Completion.  A put whose request is done has left its memory, no more: MPI may hold it back until
// the next call that synchronizes (MPI-3.1, 11.7.3).  What completes it there is MPI_Win_flush,
// which blocks, for ever if the other rank has stopped and MPI needs it for this.  So a rank is
// asked for a word first, by a get that is tested for until the time-out, and flushed when it has
// answered.  At the end of a pass that is waited for (settle); a rank that has nothing to do and
// waits does the same meanwhile (push_out), since what it waits for may depend on what it sent.
//
// Visibility.  The receiver's loads see what has been completed, if the window is of the unified
// memory model; with MPI_WIN_SEPARATE the receiver would have to synchronize with each sender.
#pragma once

#include "exec/mpi/communicator.hpp"

namespace echelon {

class Window {
 public:
  // Collective.  Words of eight bytes, as many on all ranks, zero at the start; puts have at most
  // `longest`.  Throws backend_missing without the unified memory model.
  Window(Communicator& comm, Offset words, Offset longest);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  // What others may have written meanwhile.
  std::uint64_t* data() const { return data_; }
  std::uint64_t load(Offset at) const {
    return std::atomic_ref(data_[at]).load(std::memory_order_acquire);
  }
  Offset bytes() const { return words_ * 8; }

  // `from` stays as it is until settle().
  void put(Index to, Offset at, const std::uint64_t* from, Offset words);
  // One word, atomic; at most one a rank until settle().
  void replace(Index to, Offset at, std::uint64_t value);
  // One more in a word, after what is put is there: the message is read back, and only where it
  // does not show is the rank, which has just answered, flushed.
  void put_then_count(Index to, Offset at, const std::uint64_t* from, Offset words, Offset counter);
  // All that was put is there, or it has been too long.
  void settle();
  // One step towards that.
  void push_out();
  // So that MPI gets something done, and what has come is seen.
  void make_progress();

 private:
  // Puts to a rank: so far, before it was asked for a word, and before it was flushed.
  struct Target {
    std::uint64_t puts = 0, asked = 0, flushed = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Room {
    std::vector<std::uint64_t> value;   // by rank: what replaces
    std::vector<std::uint64_t> answer;  // by rank
    std::vector<std::uint64_t> back;    // a message that was read back
  };

  void note_put(Index to);
  bool has_answered(Index rank);

  Communicator& comm_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* data_ = nullptr;
  Offset words_;  // after them one that nobody writes
  Lent<Room> room_;
  std::vector<MPI_Request> pending_;
  std::vector<Target> target_;    // by rank
  std::vector<Index> unflushed_;  // ranks
};

}  // namespace echelon
