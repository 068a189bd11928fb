// echelon/rank_pass.hpp -- what one rank does while all of them solve with a triangle, whatever
// carries the messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after dist.hpp; mpi.hpp stands on it.
#pragma once

#include <memory>

#include "echelon/dist.hpp"
#include "echelon/timeline.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// What a message is about: the answers of a supernode, or a part of what is to be summed up for it.
struct Subject {
  Index supernode = 0;
  bool sum = false;
};

template <Scalar T>
struct Arrival {
  Subject about;
  Index from = 0;
  const T* values = nullptr;  // of one vector after the other; until the next call
};

// Carries the messages of one pass.  Messages between two ranks need not keep their order.
template <Scalar T>
class Exchange {
 public:
  virtual ~Exchange() = default;
  // `count` vectors of `width` numbers, `ld` apart.  They may be changed on return.
  virtual void send(Index to, Subject about, const T* values, Index width, Index count,
                    Offset ld) = 0;
  // One that has arrived.  False: there is none now.
  virtual bool receive(Arrival<T>& arrival) = 0;
  // There is nothing to do until something arrives.  May return at any time; throws when it has
  // been too long.
  virtual void wait() = 0;
};

// Where the time of passes went.
struct PassTimes {
  double compute_s = 0;  // products and sums
  double all_s = 0;      // the rest is communication: sending, looking, and waiting
  Offset messages = 0;   // sent
  Offset numbers = 0;    // in them
};

// The same bits on every run: who arrives first decides what is done first, never what is added
// to what.
template <Scalar T>
class RankPass {
 public:
  // Both must outlive it.  `rhs_per_pass`: right-hand sides at a time, at most 16.
  RankPass(const LocalPlan& plan, const LocalValues<T>& values, Index rhs_per_pass);
  RankPass(RankPass&&) noexcept;
  RankPass& operator=(RankPass&&) noexcept;
  ~RankPass();

  // Vectors of plan.size() numbers each, one after the other.  Of diagonal blocks that are here:
  // before run() the first holds the right-hand sides, after it the second the answers.
  T* right() const;
  T* answer() const;

  // With N or its transpose.  Allocates nothing; throws what the exchange does, and can be run
  // again only when it has not.
  void run(Way way, Index count, Exchange<T>& exchange) const;

  // From now on what passes do is added to `out`, in seconds since each began, as spans of
  // plan.rank that leave no gap; waiting is what is left between tasks.  A diagonal block counts as
  // its sum.  Null: no longer.
  void trace(Timeline* out);

  PassTimes times() const;  // since it was made
  Offset bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace echelon
#pragma GCC visibility pop
