// exec/mpi/communicator.hpp -- the ranks of a solver: a communicator of its own, agreement on what
// went wrong, and waiting that ends.
// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting.  Nothing in here or in what stands on it blocks inside MPI for a rank that does not
// come: collectives are started and tested for until the time-out.  Where MPI has only a blocking
// form (windows, splits, what frees them), all ranks meet first, see meet().
//
// Agreement.  All of it is one reduction of one shape, so that ranks at different places still
// match each other's calls and learn that they differ.
//
// Way out.  Whoever waits counts: a word of its own in a window, with the number of the solve it is
// in.  Who has waited too long looks at all ranks' words twice; a rank that is in this solve and
// no longer counts has stopped, and one that is in an earlier solve has not come.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/timer.hpp"
#include "echelon/error.hpp"
#include "echelon/types.hpp"
#include "exec/mpi/lent.hpp"

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

  // Collective: duplicates it, so that no message of ours meets one of the caller's.  A time-out of
  // 0 or infinity: never.
  Communicator(MPI_Comm comm, double timeout_s);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  MPI_Comm get() const { return room_->comm; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }
  // Somebody did not answer: nothing that all must call can be called.
  const bool& broken() const { return broken_; }
  // More ranks on this machine than cores they may use: who waits must let others run.
  bool crowded() const { return crowded_; }
  // So many cores each, at least one.
  Index threads() const { return threads_; }
  // Of the ranks on this machine: the lowest, and how many are before this one.
  Index first_here() const { return first_here_; }
  Index place_here() const { return place_here_; }
  // Others' writes into a window are seen by loads of its rank (MPI_WIN_UNIFIED).
  bool unified() const { return unified_; }

  // --- Waiting.

  // A solve, or a setup, begins and ends here.  Between them a rank that waits counts.  `patience`:
  // so many times the time-out; between messages of a setup there may be much to do.
  void enter(double patience);
  void leave();
  // Ranks may be at different places for good.
  void set_broken() { broken_ = true; }
  // From now on who waits leaves its core to others at once.
  void set_asleep(bool asleep) { asleep_ = asleep; }
  // Looks once more whether it has been too long since `since`; `what` was waited for.  Throws
  // backend_failed, naming the rank that is to blame if it can be told.
  void count_wait(const Timer& since, const char* what);
  void wait(MPI_Request& request, const char* what);
  void wait_all(std::vector<MPI_Request>& requests, const char* what);

  // --- Agreement.

  // Runs body on this rank; if it throws on any, the error of the lowest such rank is thrown on
  // all, as an AgreedError.  The body may call it again, or any collective below: a rank that
  // throws between two such calls is heard at the next one of the others.
  void together(const std::function<void()>& body);
  // Throws bad_argument on all ranks unless all have the same value; `wrong`: on this one there is
  // something wrong already.
  void require_same(std::uint64_t value, const char* what, const std::string& wrong = {});
  // True on all if it is on one.
  bool any(bool mine);
  // True on all, or false on all; throws bad_argument, naming the ranks: "`what` rank 0 but not
  // ...".
  bool all_or_none(bool mine, const char* what);
  // Before a call that all ranks must make and that MPI has in a blocking form only: all are about
  // to make it.  Twice, since a rank that came late would find the word of one that has given up.
  void meet(const char* what);
  // The same where nothing may be thrown; false: not all have come, and it is broken.
  bool can_part() noexcept;

  // Of a window that all have locked: reads its first word from all ranks.  MPI may ask a rank for
  // its lock with the first operation only, and block until it has it; later ones do not.
  void read_first_words(MPI_Win window);

  // --- Collectives of small things, which hear of errors as together() does.

  // In place and on all ranks; eight at most.
  void reduce(std::span<double> numbers, MPI_Op op, const char* what);
  void reduce(std::span<std::int64_t> numbers, MPI_Op op, const char* what);
  // One of each rank, on all ranks.
  template <class V>
  std::vector<V> gather(const V& mine, const char* what) {
    Lent<std::vector<V>> all(broken_, std::vector<V>(static_cast<std::size_t>(size_)));
    const Lent<V> one(broken_, mine);
    gather_bytes(&*one, all->data(), sizeof(V), what);
    return std::move(*all);
  }
  // What each rank has for each other.
  template <class V>
  std::vector<V> exchange(std::vector<V> mine, const char* what) {
    const Lent<std::vector<V>> out(broken_, std::move(mine));
    Lent<std::vector<V>> in(broken_, std::vector<V>(out->size()));
    exchange_bytes(out->data(), in->data(), sizeof(V), what);
    return std::move(*in);
  }

 private:
  struct Failure {
    ErrorCode code;
    std::string text;
  };
  struct Room {
    MPI_Comm comm = MPI_COMM_NULL;
    std::array<std::uint64_t, 8> numbers{};
    std::array<int, 2> head{};
  };

  void look_around();
  void open_words();
  // Waits for `what`; true if one has raised the flag.  Throws the failure of the lowest rank that
  // has one, or says that ranks `differ`.
  bool agree(std::uint64_t value, bool flag, const Failure* failure, const char* what,
             const char* differ = "the call they make");
  [[noreturn]] void throw_failure(Index of, const Failure* mine);
  void hear();
  void reduce_words(std::size_t count, MPI_Datatype type, MPI_Op op, const char* what);
  void gather_bytes(const void* mine, void* all, std::size_t bytes, const char* what);
  void exchange_bytes(const void* mine, void* all, std::size_t bytes, const char* what);
  [[noreturn]] void give_up(const char* what);
  std::vector<std::uint64_t> words_of_all();
  std::string find_blame();

  bool broken_ = false;
  Lent<Room> room_{broken_};
  MPI_Win window_ = MPI_WIN_NULL;
  std::uint64_t own_word_ = 0;        // while there is no window
  std::uint64_t* word_ = &own_word_;  // upper half: solves begun; lower: waits counted, 0 outside
  Index rank_ = 0, size_ = 1;
  double timeout_s_;
  double patience_ = setup_patience;
  int depth_ = 0;  // of together()
  bool crowded_ = false, asleep_ = false, unified_ = false;
  Index threads_ = 1, first_here_ = 0, place_here_ = 0;
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
