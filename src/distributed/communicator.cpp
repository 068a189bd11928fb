// distributed/communicator.cpp -- the private communicator of a solver, and waits with a timeout.
// SPDX-License-Identifier: BSD-3-Clause
#include "distributed/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "base/cpu_mask.hpp"
#include "base/spin.hpp"

namespace echelon {
namespace {

constexpr std::uint64_t solve_unit = std::uint64_t{1} << 32;
constexpr std::uint64_t silent = ~std::uint64_t{0};  // not a valid word

// Adds one wait; after 2^32 waits the count restarts at 1.
std::uint64_t next_wait(std::uint64_t word) {
  return (word + 1) % solve_unit != 0 ? word + 1 : word / solve_unit * solve_unit + 1;
}

void store(std::uint64_t& word, std::uint64_t value) {
  std::atomic_ref(word).store(value, std::memory_order_release);
}

}  // namespace

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(ErrorCode::backend_failed, std::string(call) + ": " + std::string(text, length));
}

Communicator::Communicator(MPI_Comm comm, double timeout_s) : timeout_s_(timeout_s) {
  int ready = 0;
  MPI_Initialized(&ready);
  if (!ready) throw Error(ErrorCode::bad_argument, "MPI_Init has not been called");
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Comm_idup(comm, &room_->comm, &request), "MPI_Comm_idup");
  wait(request, "all ranks to begin");
  MPI_Comm_set_errhandler(get(), MPI_ERRORS_RETURN);
  look_around();
  open_words();
}

// Finds the ranks of this node and the cores they share.
void Communicator::look_around() {
  meet("all ranks to look at their machine");
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(get(), MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here),
            "MPI_Comm_split_type");
  MPI_Comm_rank(here, &place_here_);
  int ranks = 1;
  MPI_Comm_size(here, &ranks);
  struct Seen {
    CpuMask cores;
    int first;
  };
  const Lent<Seen> seen(broken_, {CpuMask::of(0), rank_});
  MPI_Request request = MPI_REQUEST_NULL;
  // A rank bound to its own core contributes this core only: the OR over all ranks gives the node's
  // cores.
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, &seen->cores, sizeof(CpuMask), MPI_BYTE, MPI_BOR, here,
                           &request),
            "MPI_Iallreduce");
  wait(request, "ranks of this machine");
  check_mpi(MPI_Ibcast(&seen->first, 1, MPI_INT, 0, here, &request), "MPI_Ibcast");
  wait(request, "ranks of this machine");
  MPI_Comm_free(&here);
  const int cores = std::max(seen->cores.count(), 1);
  crowded_ = ranks > cores;
  threads_ = std::max(cores / ranks, 1);
  first_here_ = seen->first;
}

void Communicator::open_words() {
  std::uint64_t* word = nullptr;
  meet("all ranks to make a window");
  const int code = MPI_Win_allocate(sizeof(*word), 1, MPI_INFO_NULL, get(), &word, &window_);
  all_succeed([&] { check_mpi(code, "MPI_Win_allocate"); });
  MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  *word = 0;
  const int* model = nullptr;
  int known = 0;
  MPI_Win_get_attr(window_, MPI_WIN_MODEL, &model, &known);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  unified_ = !any(known == 0 || *model != MPI_WIN_UNIFIED);  // no rank reads before all are here
  if (!unified_) return;
  read_first_words(window_);
  word_ = word;
}

void Communicator::read_first_words(MPI_Win window) {
  const Lent<std::vector<std::uint64_t>> words(broken_);
  words->resize(static_cast<std::size_t>(size_));
  std::vector<MPI_Request> requests(words->size(), MPI_REQUEST_NULL);
  for (Index r = 0; r < size_; ++r)
    check_mpi(MPI_Rget(&(*words)[r], 1, MPI_UINT64_T, r, 0, 1, MPI_UINT64_T, window, &requests[r]),
              "MPI_Rget");
  wait_all(requests, "the windows of all ranks");
}

Communicator::~Communicator() {
  int over = 0;
  MPI_Finalized(&over);
  if (over || get() == MPI_COMM_NULL || window_ == MPI_WIN_NULL || !can_part()) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
  MPI_Comm_free(&room_->comm);
}

void Communicator::enter(double timeout_factor) {
  timeout_factor_ = timeout_factor;
  store(*word_, (*word_ / solve_unit + 1) * solve_unit + 1);
}
void Communicator::leave() { store(*word_, *word_ / solve_unit * solve_unit); }

void Communicator::count_wait(const Timer& since, const char* what) {
  store(*word_, next_wait(*word_));
  if (asleep_)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  else
    std::this_thread::yield();
  if (timeout_s_ > 0 && since.seconds() > timeout_factor_ * timeout_s_) give_up(what);
}

std::vector<std::uint64_t> Communicator::words_of_all() {
  // Never freed: a reply of a stopped rank may still arrive later.
  struct Look {
    std::vector<std::uint64_t> word;
    std::vector<MPI_Request> request;
  };
  auto* const look = new Look{std::vector<std::uint64_t>(static_cast<std::size_t>(size_), silent),
                              std::vector<MPI_Request>(static_cast<std::size_t>(size_))};
  for (Index r = 0; r < size_; ++r)
    MPI_Rget(&look->word[r], 1, MPI_UINT64_T, r, 0, 1, MPI_UINT64_T, window_, &look->request[r]);
  const Timer since;
  while (since.seconds() < 0.5) {
    int done = 0;
    for (MPI_Request& request : look->request) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    store(*word_, next_wait(*word_));  // other ranks must see that this one is alive
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return look->word;
}

std::string Communicator::find_blame() {
  if (!unified_) return "";  // no words yet, or not readable
  const std::vector<std::uint64_t> before = words_of_all(), after = words_of_all();
  const std::uint64_t mine = *word_ / solve_unit;
  std::string stopped, late;
  for (Index r = 0; r < size_; ++r) {
    if (r == rank_) continue;
    const std::uint64_t now = after[r];
    if (now == silent)
      stopped += (stopped.empty() ? "" : ", ") + std::to_string(r);
    else if (now / solve_unit < mine)
      late += (late.empty() ? "" : ", ") + std::to_string(r);
    else if (now == before[r] && now % solve_unit != 0)
      stopped += (stopped.empty() ? "" : ", ") + std::to_string(r);
  }
  if (!stopped.empty()) return "; rank " + stopped + " has stopped answering";
  if (!late.empty()) return "; rank " + late + " has not come to this call";
  return "; all ranks are still at it";
}

void Communicator::give_up(const char* what) {
  broken_ = true;
  const std::string text = "rank " + std::to_string(rank_) + " waited " +
                           std::to_string(std::llround(timeout_factor_ * timeout_s_)) + " s for " +
                           what + find_blame();
  store(*word_, *word_ / solve_unit * solve_unit);
  throw Error(ErrorCode::backend_failed, text);
}

void Communicator::wait(MPI_Request& request, const char* what) {
  const Timer since;
  const int fast = asleep_ ? 0 : crowded_ ? 100 : 10000;
  for (int done = 0, tries = 0;;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    if (done) return;
    if (tries < fast) {
      ++tries;
      cpu_pause();
    } else {
      count_wait(since, what);
    }
  }
}

void Communicator::wait_all(std::vector<MPI_Request>& requests, const char* what) {
  for (MPI_Request& request : requests) wait(request, what);
  requests.clear();
}

}  // namespace echelon
