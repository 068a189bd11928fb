// exec/mpi/communicator.hpp -- the ranks of a solver: a communicator of its own, agreement on what
// went wrong, and waiting that ends.
// SPDX-License-Identifier: BSD-3-Clause
//
// Way out.  Whoever waits counts: a word of its own in a window, with the number of the solve it is
// in.  Who has waited too long looks at all ranks' words twice; a rank that is in this solve and
// no longer counts has stopped, and one that is in an earlier solve has not come.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/timer.hpp"
#include "echelon/error.hpp"
#include "echelon/types.hpp"

namespace echelon {

// Throws backend_failed with what MPI says.
void check_mpi(int code, const char* call);

// Thrown on all ranks already.
class AgreedError : public Error {
 public:
  using Error::Error;
};

class Communicator {
 public:
  static constexpr double setup_patience = 10;

  // Collective: duplicates it, so that no message of ours meets one of the caller's.
  Communicator(MPI_Comm comm, double timeout_s);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  MPI_Comm get() const { return comm_; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }
  bool broken() const { return broken_; }
  // More ranks on this machine than cores they may use: who waits must let others run.
  bool crowded() const { return crowded_; }
  // So many cores each, at least one.
  Index threads() const { return threads_; }

  // --- Waiting.

  // A solve, or a setup, begins and ends here.  Between them a rank that waits counts.  `patience`:
  // so many times the time-out; between messages of a setup there may be much to do.
  void enter(double patience);
  void leave();
  // Ranks may be at different places for good.
  void set_broken() { broken_ = true; }
  // Looks once more whether it has been too long since `since`; `what` was waited for.  Throws
  // backend_failed, naming the rank that is to blame if it can be told.
  void count_wait(const Timer& since, const char* what);
  void wait(MPI_Request& request, const char* what);
  void wait_all(std::vector<MPI_Request>& requests, const char* what);

  // --- Agreement.

  // Runs body on this rank; if it throws on any, the error of the lowest such rank is thrown on
  // all, as an AgreedError.  The body may call it again: a rank that throws between two such calls
  // is heard at the next one of the others.
  void together(const std::function<void()>& body);
  // Throws bad_argument on all ranks unless all have the same value; `wrong`: on this one there is
  // something wrong already.
  void require_same(std::uint64_t value, const char* what, const std::string& wrong = {});
  // True on all if it is on one.
  bool any(bool mine);

 private:
  [[noreturn]] void give_up(const char* what);
  std::vector<std::uint64_t> words_of_all();

  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t* word_ = nullptr;  // upper half: solves begun; lower: waits counted, 0 outside
  Index rank_ = 0, size_ = 1;
  double timeout_s_;
  double patience_ = setup_patience;
  bool crowded_ = false;
  Index threads_ = 1;
  bool broken_ = false;  // somebody did not answer: nothing that all must call can be called
};

// Between enter and leave.
class Call {
 public:
  explicit Call(Communicator& comm, double patience = 1) : comm_(comm) { comm.enter(patience); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { comm_.leave(); }

 private:
  Communicator& comm_;
};

}  // namespace echelon
