// exec/mpi/window.hpp -- memory of this rank that others write, under one lock_all from first to
// last.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/mpi/communicator.hpp"

namespace echelon {

class Window {
 public:
  // Collective.  Words of eight bytes, zero at the start.
  Window(Communicator& comm, Offset words);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  // What others may have written meanwhile.
  std::uint64_t* data() const { return data_; }
  std::uint64_t load(Offset at) const {
    return std::atomic_ref(data_[at]).load(std::memory_order_acquire);
  }
  Offset bytes() const { return bytes_; }

  // `from` stays as it is until settle().
  void put(Index to, Offset at, const std::uint64_t* from, Offset words);
  // One word, atomic; at most one a rank until settle().
  void replace(Index to, Offset at, std::uint64_t value);
  // One more in a word, after all that was put to that rank is there.  Waits for that, for ever if
  // the rank has stopped and MPI needs it for this.
  void put_then_count(Index to, Offset at, const std::uint64_t* from, Offset words, Offset counter);
  // All that was put has left, or it has been too long.  Nobody waits for it to arrive.
  void settle();
  // So that MPI gets something done, and what has come is seen.
  void make_progress();

 private:
  Communicator& comm_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* data_ = nullptr;
  Offset bytes_ = 0;
  std::vector<MPI_Request> pending_;
  std::vector<std::uint64_t> value_;  // by rank: what replaces
};

}  // namespace echelon
