// exec/mpi/window.cpp -- memory of this rank that others write.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/mpi/window.hpp"

#include <algorithm>

namespace echelon {

Window::Window(Communicator& comm, Offset words) : comm_(comm), bytes_(words * 8) {
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
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void Window::put(Index to, Offset at, const std::uint64_t* from, Offset words) {
  const auto count = static_cast<int>(words);
  check_mpi(MPI_Put(from, count, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), count, MPI_UINT64_T,
                    window_),
            "MPI_Put");
}

void Window::add_one(Index to, Offset at) {
  static const std::uint64_t one = 1;
  check_mpi(MPI_Accumulate(&one, 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), 1, MPI_UINT64_T,
                           MPI_SUM, window_),
            "MPI_Accumulate");
}

void Window::replace(Index to, Offset at, std::uint64_t value) {
  check_mpi(MPI_Accumulate(&value, 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), 1, MPI_UINT64_T,
                           MPI_REPLACE, window_),
            "MPI_Accumulate");
  flush(to);  // the value is ours
}

void Window::flush(Index to) { check_mpi(MPI_Win_flush(to, window_), "MPI_Win_flush"); }
void Window::flush_all() { check_mpi(MPI_Win_flush_all(window_), "MPI_Win_flush_all"); }
void Window::sync() { check_mpi(MPI_Win_sync(window_), "MPI_Win_sync"); }

}  // namespace echelon
