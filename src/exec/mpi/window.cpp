// exec/mpi/window.cpp -- one-sided puts, counters and their completion in an MPI window.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/mpi/window.hpp"

#include <algorithm>

namespace echelon {

Window::Window(Communicator& comm, Offset words, Offset longest)
    : comm_(comm), words_(words), room_(comm.broken()) {
  comm.all_succeed([&] {
    if (!comm.unified())
      throw Error(ErrorCode::backend_missing,
                  "the windows of this MPI have not the unified memory model (MPI_WIN_UNIFIED), "
                  "which engines payload and counter need; take two_sided");
    const auto ranks = static_cast<std::size_t>(comm.size());
    room_->value.resize(ranks);
    room_->answer.resize(ranks);
    room_->back.resize(static_cast<std::size_t>(longest));
    target_.resize(ranks);
    unflushed_.reserve(ranks);
  });
  comm.meet("all ranks to make a window");
  const int code = MPI_Win_allocate(static_cast<MPI_Aint>((words + 1) * 8), 8, MPI_INFO_NULL,
                                    comm.get(), &data_, &window_);
  comm.all_succeed([&] {  // no rank writes before all have cleared
    check_mpi(code, "MPI_Win_allocate");
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
    std::fill_n(data_, words + 1, std::uint64_t{0});
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  });
  comm.read_first_words(window_);
}

Window::~Window() {
  int over = 0;
  MPI_Finalized(&over);
  if (over || !comm_.can_part()) return;
  // All ranks have ended all passes, so the pending operations complete at once.
  MPI_Waitall(static_cast<int>(pending_.size()), pending_.data(), MPI_STATUSES_IGNORE);
  for (Target& target : target_) MPI_Wait(&target.request, MPI_STATUS_IGNORE);
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

void Window::put(Index to, Offset at, const std::uint64_t* from, Offset words) {
  const auto count = static_cast<int>(words);
  pending_.emplace_back();
  check_mpi(MPI_Rput(from, count, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), count, MPI_UINT64_T,
                     window_, &pending_.back()),
            "MPI_Rput");
  note_put(to);
}

void Window::replace(Index to, Offset at, std::uint64_t value) {
  room_->value[to] = value;
  pending_.emplace_back();
  check_mpi(MPI_Raccumulate(&room_->value[to], 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), 1,
                            MPI_UINT64_T, MPI_REPLACE, window_, &pending_.back()),
            "MPI_Raccumulate");
  note_put(to);
}

void Window::put_then_count(Index to, Offset at, const std::uint64_t* from, Offset words,
                            Offset counter) {
  static const std::uint64_t one = 1;
  put(to, at, from, words);
  const auto count = static_cast<int>(words);
  std::uint64_t* const back = room_->back.data();
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Rget(back, count, MPI_UINT64_T, to, static_cast<MPI_Aint>(at), count, MPI_UINT64_T,
                     window_, &request),
            "MPI_Rget");
  comm_.wait(request, "a rank to have a message");
  if (!std::equal(back, back + words, from)) check_mpi(MPI_Win_flush(to, window_), "MPI_Win_flush");
  pending_.emplace_back();
  check_mpi(MPI_Raccumulate(&one, 1, MPI_UINT64_T, to, static_cast<MPI_Aint>(counter), 1,
                            MPI_UINT64_T, MPI_SUM, window_, &pending_.back()),
            "MPI_Raccumulate");
  note_put(to);
}

void Window::note_put(Index to) {
  Target& target = target_[to];
  if (target.puts == target.flushed) unflushed_.push_back(to);
  ++target.puts;
}

// Whether a get issued after the last put has completed.
bool Window::has_answered(Index rank) {
  Target& target = target_[rank];
  for (int tries = 0; tries < 2; ++tries) {
    if (target.request == MPI_REQUEST_NULL) {
      target.asked = target.puts;
      check_mpi(MPI_Rget(&room_->answer[rank], 1, MPI_UINT64_T, rank, static_cast<MPI_Aint>(words_),
                         1, MPI_UINT64_T, window_, &target.request),
                "MPI_Rget");
    }
    int done = 0;
    check_mpi(MPI_Test(&target.request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done) return false;
    if (target.asked == target.puts) return true;
  }
  return false;
}

void Window::push_out() {
  std::size_t left = 0;
  for (const Index rank : unflushed_)
    if (has_answered(rank)) {
      check_mpi(MPI_Win_flush(rank, window_), "MPI_Win_flush");
      target_[rank].flushed = target_[rank].puts;
    } else {
      unflushed_[left++] = rank;
    }
  unflushed_.resize(left);
}

void Window::settle() {
  constexpr const char* what = "messages to arrive";
  comm_.wait_all(pending_, what);
  const int fast = comm_.crowded() ? 10 : 1000;
  const Timer since;
  for (int tries = 0;;) {
    push_out();
    if (unflushed_.empty()) return;
    if (tries < fast)
      ++tries;
    else
      comm_.count_wait(since, what);
  }
}

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
