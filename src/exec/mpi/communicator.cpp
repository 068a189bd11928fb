// exec/mpi/communicator.cpp -- the ranks of a solver, their agreement and their waiting.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/mpi/communicator.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "base/spin.hpp"

namespace echelon {
namespace {

// Ranks of this machine, and the cores they may all use.
struct Machine {
  int ranks = 1, cores = 1;
};
Machine look_around(MPI_Comm comm, Index rank) {
  MPI_Comm here = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &here),
            "MPI_Comm_split_type");
  Machine machine;
  MPI_Comm_size(here, &machine.ranks);
  cpu_set_t mine, all;
  if (sched_getaffinity(0, sizeof(mine), &mine) != 0) CPU_ZERO(&mine);
  // A rank bound to a core of its own says what it has, not what the machine has.
  MPI_Allreduce(&mine, &all, sizeof(mine), MPI_BYTE, MPI_BOR, here);
  MPI_Comm_free(&here);
  machine.cores = std::max(CPU_COUNT(&all), 1);
  return machine;
}

constexpr std::uint64_t solve_unit = std::uint64_t{1} << 32;
constexpr std::uint64_t silent = ~std::uint64_t{0};  // no rank's word

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
  check_mpi(MPI_Comm_dup(comm, &comm_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
  const Machine machine = look_around(comm_, rank_);
  crowded_ = machine.ranks > machine.cores;
  threads_ = std::max(machine.cores / machine.ranks, 1);
  check_mpi(MPI_Win_allocate(sizeof(std::uint64_t), 1, MPI_INFO_NULL, comm_, &word_, &window_),
            "MPI_Win_allocate");
  MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  *word_ = 0;
  MPI_Barrier(comm_);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
}

Communicator::~Communicator() {
  int over = 0;
  MPI_Finalized(&over);
  if (over || broken_) return;
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
  MPI_Comm_free(&comm_);
}

void Communicator::enter(double patience) {
  patience_ = patience;
  store(*word_, (*word_ / solve_unit + 1) * solve_unit + 1);
}
void Communicator::leave() { store(*word_, *word_ / solve_unit * solve_unit); }

void Communicator::count_wait(const Timer& since, const char* what) {
  store(*word_, *word_ + 1);
  std::this_thread::yield();
  if (timeout_s_ > 0 && since.seconds() > patience_ * timeout_s_) give_up(what);
}

std::vector<std::uint64_t> Communicator::words_of_all() {
  // What a stopped rank does not give may still come later: the memory is never given back.
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
    store(*word_, *word_ + 1);  // whoever looks at us must see that we go on
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return look->word;
}

void Communicator::give_up(const char* what) {
  broken_ = true;
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
  std::string text = "rank " + std::to_string(rank_) + " waited " +
                     std::to_string(static_cast<int>(patience_ * timeout_s_ + 0.5)) + " s for " +
                     what;
  if (!stopped.empty())
    text += "; rank " + stopped + " has stopped answering";
  else if (!late.empty())
    text += "; rank " + late + " has not come to this call";
  else
    text += "; all ranks are still at it";
  store(*word_, *word_ / solve_unit * solve_unit);
  throw Error(ErrorCode::backend_failed, text);
}

void Communicator::wait(MPI_Request& request, const char* what) {
  const Timer since;
  const int fast = crowded_ ? 100 : 10000;
  for (int done = 0, tries = 0;; ++tries) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), what);
    if (done) return;
    if (tries < fast)
      cpu_pause();
    else
      count_wait(since, what);
  }
}

void Communicator::wait_all(std::vector<MPI_Request>& requests, const char* what) {
  for (MPI_Request& request : requests) wait(request, what);
  requests.clear();
}

void Communicator::together(const std::function<void()>& body) {
  std::string text;
  int code = 0;
  try {
    body();
  } catch (const AgreedError&) {
    throw;
  } catch (const Error& e) {
    if (broken_) throw;
    code = static_cast<int>(e.code());
    text = e.what();
  } catch (const std::bad_alloc&) {
    code = static_cast<int>(ErrorCode::out_of_memory);
    text = "there is not enough memory on rank " + std::to_string(rank_);
  }
  // The lowest rank that failed speaks for all.
  const int mine = code == 0 ? size_ : rank_;
  int first = size_;
  MPI_Request request;
  check_mpi(MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm_, &request), "MPI_Iallreduce");
  wait(request, "all ranks to be ready");
  if (first == size_) return;
  int head[2] = {code, static_cast<int>(text.size())};
  check_mpi(MPI_Ibcast(head, 2, MPI_INT, first, comm_, &request), "MPI_Ibcast");
  wait(request, "an error's text");
  text.resize(static_cast<std::size_t>(head[1]));
  check_mpi(MPI_Ibcast(text.data(), head[1], MPI_CHAR, first, comm_, &request), "MPI_Ibcast");
  wait(request, "an error's text");
  throw AgreedError(static_cast<ErrorCode>(head[0]), text);
}

void Communicator::require_same(std::uint64_t value, const char* what, const std::string& wrong) {
  const auto refuse = [&] {
    if (!wrong.empty()) throw Error(ErrorCode::bad_argument, wrong);
  };
  if (size_ == 1) return refuse();
  const std::uint64_t mine[3] = {value, ~value, wrong.empty() ? 0u : 1u};
  std::uint64_t most[3];
  MPI_Request request;
  check_mpi(MPI_Iallreduce(mine, most, 3, MPI_UINT64_T, MPI_MAX, comm_, &request),
            "MPI_Iallreduce");
  wait(request, what);
  if (most[2] != 0) together(refuse);
  if (most[0] != ~most[1])
    throw AgreedError(ErrorCode::bad_argument, std::string("ranks differ in ") + what);
}

bool Communicator::any(bool mine) {
  if (size_ == 1) return mine;
  const int value = mine ? 1 : 0;
  int most = 0;
  MPI_Request request;
  check_mpi(MPI_Iallreduce(&value, &most, 1, MPI_INT, MPI_MAX, comm_, &request), "MPI_Iallreduce");
  wait(request, "all ranks to be done");
  return most != 0;
}

}  // namespace echelon
