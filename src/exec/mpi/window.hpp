// exec/mpi/window.hpp -- an MPI window of this rank, written by other ranks with one-sided puts, in
// one lock_all epoch.
// SPDX-License-Identifier: BSD-3-Clause
//
// Completion.  A completed put request only means that the source buffer may be reused: MPI may
// delay the put until the next synchronizing call (MPI-3.1, 11.7.3).  MPI_Win_flush completes the
// put at the target, but it blocks, for ever if the target has stopped and MPI needs its help.  So
// a rank first gets a word from the target, polls this request until the timeout, and flushes only
// after the get has completed.  settle() does so at the end of a pass.  A rank that is idle and
// waits does the same meanwhile (push_out), since the messages it waits for may depend on those it
// sent.
//
// Visibility.  In the unified memory model, the receiver's loads see all completed puts; with
// MPI_WIN_SEPARATE the receiver would have to synchronize with each sender.
#pragma once

#include "distributed/communicator.hpp"

namespace echelon {

class Window {
 public:
  // Collective.  Words of eight bytes, the same number on all ranks, initially zero; a put has at
  // most `longest` words.  Throws backend_missing without the unified memory model.
  Window(Communicator& comm, Offset words, Offset longest);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  // Memory that other ranks may write at any time.
  std::uint64_t* data() const { return data_; }
  std::uint64_t load(Offset at) const {
    return std::atomic_ref(data_[at]).load(std::memory_order_acquire);
  }
  Offset bytes() const { return words_ * 8; }

  // `from` must stay unchanged until settle().
  void put(Index to, Offset at, const std::uint64_t* from, Offset words);
  // Replaces one word atomically; at most once per rank until settle().
  void replace(Index to, Offset at, std::uint64_t value);
  // Puts a message, and increments the word `counter` after the message has arrived.  To make sure,
  // reads the message back, and flushes only if the copy differs: the target has just answered the
  // read, so the flush does not block.
  void put_then_count(Index to, Offset at, const std::uint64_t* from, Offset words, Offset counter);
  // Returns when all puts have completed at their targets; throws at the timeout.
  void settle();
  // One step of settle(), without waiting.
  void push_out();
  // Lets MPI make progress and synchronizes the window.
  void make_progress();

 private:
  // Number of puts to a rank: in total, before the last get, and before the last flush.
  struct Target {
    std::uint64_t puts = 0, asked = 0, flushed = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  struct Room {
    std::vector<std::uint64_t> value;   // by rank: source of replace()
    std::vector<std::uint64_t> answer;  // by rank: word of the last get
    std::vector<std::uint64_t> back;    // a message read back
  };

  void note_put(Index to);
  bool has_answered(Index rank);

  Communicator& comm_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* data_ = nullptr;
  Offset words_;  // without the extra word at the end, which is never written
  Lent<Room> room_;
  std::vector<MPI_Request> pending_;
  std::vector<Target> target_;    // by rank
  std::vector<Index> unflushed_;  // ranks
};

}  // namespace echelon
