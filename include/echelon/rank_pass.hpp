// echelon/rank_pass.hpp -- the work of one rank in a distributed triangular solve, independent of
// the transport of messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after dist.hpp; mpi.hpp uses it.
#pragma once

#include <memory>

#include "echelon/dist.hpp"
#include "echelon/timeline.hpp"

namespace echelon {

// The content of a message: the answers of a supernode, or a partial sum for it.
struct Subject {
  Index supernode = 0;
  bool sum = false;
};

template <Scalar T>
struct Arrival {
  Subject about;
  Index from = 0;
  const T* values = nullptr;  // one vector after the other; valid until the next call
};

// Transports the messages of one pass.  Messages between two ranks may arrive in any order.
template <Scalar T>
class Exchange {
 public:
  virtual ~Exchange() = default;
  // Sends `count` vectors of `width` numbers, `ld` apart.  The buffer may be reused on return.
  virtual void send(Index to, Subject about, const T* values, Index width, Index count,
                    Offset ld) = 0;
  // Gets one message that has arrived.  False: there is none now.
  virtual bool receive(Arrival<T>& arrival) = 0;
  // Called when the rank can do nothing until a message arrives.  May return at any time; throws
  // after a timeout.
  virtual void wait() = 0;
};

// Where the time of all passes went.
struct PassTimes {
  double compute_s = 0;  // products and sums
  double all_s = 0;      // compute, sending, polling and waiting
  Offset messages = 0;   // sent
  Offset numbers = 0;    // sent, in these messages
};

// Bit-for-bit reproducible: the order of arrival changes the order of tasks, never the order of
// additions.
template <Scalar T>
class RankPass {
 public:
  // Plan and values must outlive this object.  `rhs_per_pass`: right-hand sides at a time, at most
  // 16.
  RankPass(const LocalPlan& plan, const LocalValues<T>& values, Index rhs_per_pass);
  RankPass(RankPass&&) noexcept;
  RankPass& operator=(RankPass&&) noexcept;
  ~RankPass();

  // Vectors of plan.size() numbers each, one after the other.  For the diagonal blocks of this
  // rank, right() holds the right-hand sides before run(), and answer() the answers after it.
  T* right() const;
  T* answer() const;

  // Solves with N or its transpose.  Allocates nothing.  Throws what the exchange throws; do not
  // run again after that.
  void run(Way way, Index count, Exchange<T>& exchange) const;

  // From now on, appends the activity of passes to `out`, in seconds since the start of each pass,
  // as spans of plan.rank without gaps; the time between tasks is waiting.  A diagonal block counts
  // as part of its sum.  Null: stop.
  void trace(Timeline* out);

  PassTimes times() const;  // since construction
  Offset bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
