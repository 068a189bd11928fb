// distributed/communicator.hpp -- the private communicator of a solver: agreement on errors, and
// waits that end at a timeout.
// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting.  No code here or above blocks inside MPI for a rank that does not arrive: collectives
// are nonblocking and polled until the timeout.  Where MPI has only a blocking form (windows,
// splits, and the calls that free them), all ranks first synchronize, see meet().
//
// Agreement.  All agreements are one reduction of one shape.  So ranks at different places in the
// program still match each other's calls, and detect that they differ.
//
// Way out.  A waiting rank increments its progress word in a window; the upper half of this word
// counts solves.  A rank whose wait times out reads the words of all ranks twice.  A rank that is
// inside this solve and whose word did not change has stopped; a rank in an earlier solve has not
// entered this one.
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
#include "distributed/lent.hpp"
#include "echelon/error.hpp"
#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Throws backend_failed with MPI's error text.
void check_mpi(int code, const char* call);

// An error that is already thrown on all ranks.
class AgreedError : public Error {
 public:
  using Error::Error;
};

class Communicator {
 public:
  static constexpr double setup_timeout_factor = 10;

  // Collective.  Duplicates `comm`, so that the solver's messages never match the caller's.  A
  // timeout of 0 or infinity means no timeout.
  Communicator(MPI_Comm comm, double timeout_s);
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  ~Communicator();

  MPI_Comm get() const { return room_->comm; }
  Index rank() const { return rank_; }
  Index size() const { return size_; }
  // A rank did not answer in time: no collective may be called any more.
  const bool& broken() const { return broken_; }
  // More ranks on this node than cores: a waiting rank must yield its core.
  bool crowded() const { return crowded_; }
  // Cores per rank, at least one.
  Index threads() const { return threads_; }
  // The lowest rank on this node, and the number of ranks on this node before this one.
  Index first_here() const { return first_here_; }
  Index place_here() const { return place_here_; }
  // A rank's loads see other ranks' writes to its window (MPI_WIN_UNIFIED).
  bool unified() const { return unified_; }

  // --- Waiting.

  // Begin and end of a solve or a setup.  In between, a waiting rank increments its progress word.
  // `timeout_factor` multiplies the timeout: a setup may compute for long between two messages.
  void enter(double timeout_factor);
  void leave();
  // Ranks may be out of step for good.
  void set_broken() { broken_ = true; }
  // From now on a waiting rank sleeps between polls instead of spinning.
  void set_asleep(bool asleep) { asleep_ = asleep; }
  // Counts one more poll and checks the timeout since `since`; `what` names what is waited for.  At
  // the timeout, throws backend_failed and names the ranks that stopped or did not arrive, if
  // known.
  void count_wait(const Timer& since, const char* what);
  void wait(MPI_Request& request, const char* what);
  void wait_all(std::vector<MPI_Request>& requests, const char* what);

  // --- Agreement.

  // Runs body on this rank.  If it throws on any rank, throws the error of the lowest such rank on
  // all ranks, as an AgreedError.  The body may call all_succeed() again, or any collective below:
  // if a rank throws between two such calls, the other ranks receive its error at their next one.
  void all_succeed(const std::function<void()>& body);
  // Throws bad_argument on all ranks unless all have the same value; a non-empty `wrong` is an
  // error that this rank already has.
  void require_same(std::uint64_t value, const char* what, const std::string& wrong = {});
  // True on all ranks if `mine` is true on any.
  bool any(bool mine);
  // True on all ranks or false on all; if they differ, throws bad_argument with the ranks: "`what`
  // rank 0 but not rank 1".
  bool all_or_none(bool mine, const char* what);
  // Synchronizes before a collective that MPI has in a blocking form only: all ranks are about to
  // call it.  Two rounds: a rank that has timed out may have voted in the first one already, so a
  // late rank would complete that round alone and then block.
  void meet(const char* what);
  // Like meet(), without exceptions; false: not all ranks arrived, and the communicator is broken.
  bool can_part() noexcept;

  // Reads the first word of a window, which all ranks have locked, from all ranks.  MPI may request
  // a rank's lock only at the first operation and block until it is granted; later operations do
  // not.
  void read_first_words(MPI_Win window);

  // --- Collectives of small values, which receive errors like all_succeed().

  // In place, on all ranks; eight numbers at most.
  void reduce(std::span<double> numbers, MPI_Op op, const char* what);
  void reduce(std::span<std::int64_t> numbers, MPI_Op op, const char* what);
  // One value per rank, on all ranks.
  template <class V>
  std::vector<V> gather(const V& mine, const char* what) {
    Lent<std::vector<V>> all(broken_, std::vector<V>(static_cast<std::size_t>(size_)));
    const Lent<V> one(broken_, mine);
    gather_bytes(&*one, all->data(), sizeof(V), what);
    return std::move(*all);
  }
  // All-to-all: element r of `mine` goes to rank r, element r of the result comes from rank r.
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
  // Waits for `what`; true if any rank set its flag.  Throws the failure of the lowest failed rank,
  // or an error that ranks differ in `differ`.
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
  std::uint64_t own_word_ = 0;        // used before there is a window
  std::uint64_t* word_ = &own_word_;  // upper half: solves begun; lower: waits counted, 0 outside
  Index rank_ = 0, size_ = 1;
  double timeout_s_;
  double timeout_factor_ = setup_timeout_factor;
  int depth_ = 0;  // nesting depth of all_succeed()
  bool crowded_ = false, asleep_ = false, unified_ = false;
  Index threads_ = 1, first_here_ = 0, place_here_ = 0;
};

// Calls enter() and leave().
class Call {
 public:
  explicit Call(Communicator& comm, double timeout_factor = 1) : comm_(comm) {
    comm.enter(timeout_factor);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { comm_.leave(); }

 private:
  Communicator& comm_;
};

}  // namespace echelon
#pragma GCC visibility pop
