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

  // `from` stays as it is until flush_all.
  void put(Index to, Offset at, const std::uint64_t* from, Offset words);
  // Atomic, each in one word: after all that was put to that rank and flushed.
  void add_one(Index to, Offset at);
  void replace(Index to, Offset at, std::uint64_t value);
  void flush(Index to);
  void flush_all();
  void sync();  // what has come is seen

 private:
  Communicator& comm_;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* data_ = nullptr;
  Offset bytes_ = 0;
};

}  // namespace echelon
