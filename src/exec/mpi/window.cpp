// exec/mpi/window.cpp -- memory of this rank that others write.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/mpi/window.hpp"

#include <algorithm>

namespace echelon {

Window::Window(Communicator& comm, Offset words)
    : comm_(comm), bytes_(words * 8), value_(static_cast<std::size_t>(comm.size())) {
  check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(bytes_), 8, MPI_INFO_NULL, comm.get(), &data_,
                             &window_),
            "MPI_Win_allocate");
  MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  std::fill_n(data_, words, std::uint64_t{0});
  MPI_Barrier(comm.get());  // nobody writes before all have cleared
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
}

Window::~Window() {
  int over = 0;
  MPI_Finalized(&over);
  if (over || comm_.broken()) return;
  MPI_Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE);
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void Window::put(Index to, Offset at, const std::uint64_t* from, Offset words) {
  const auto count = static_cast<int>(words);
  pending_.emplace_back();
  check_mpi(MPI_Rput(from, count, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), count, MPI_UINT64_T,
                     window_, &pending_.back()),
            "MPI_Rput");
}

void Window::replace(Index to, Offset at, std::uint64_t value) {
  value_[to] = value;
  pending_.emplace_back();
  check_mpi(MPI_Raccumulate(&value_[to], 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), 1,
                            MPI_UINT64_T, MPI_REPLACE, window_, &pending_.back()),
            "MPI_Raccumulate");
}

void Window::put_then_count(Index to, Offset at, const std::uint64_t* from, Offset words,
                            Offset counter) {
  static const std::uint64_t one = 1;
  put(to, at, from, words);
  check_mpi(MPI_Win_flush(to, window_), "MPI_Win_flush");
  check_mpi(MPI_Accumulate(&one, 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(counter), 1,
                           MPI_UINT64_T, MPI_SUM, window_),
            "MPI_Accumulate");
  check_mpi(MPI_Win_flush(to, window_), "MPI_Win_flush");
}

void Window::settle() { comm_.wait_all(pending_, "messages to leave"); }

void Window::make_progress() {
  int done = 0, there = 0;
  check_mpi(
      MPI_Testall(static_cast<int>(pending_.size()), pending_.data(), &done, MPI_STATUSES_IGNORE),
      "MPI_Testall");
  if (done) pending_.clear();
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, 0, comm_.get(), &there, MPI_STATUS_IGNORE), "MPI_Iprobe");
  check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
}

}  // namespace echelon
