// exec/cpu/tracer.hpp -- the spans of one rank's pass: each ends where the next one begins.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "base/timer.hpp"
#include "echelon/timeline.hpp"

namespace echelon {

class Tracer {
 public:
  struct Work {
    Doing doing = Doing::wait;
    Index supernode = -1;
  };

  // Without `out` nothing is written and the clock is not read.
  Tracer(Timeline* out, Index rank, const Timer& timer) : out_(out), rank_(rank), timer_(timer) {}

  // Turns to another work, and says what it was before.
  Work turn(Work next) { return out_ == nullptr ? next : turn_at(timer_.seconds(), next); }
  // Since a time that has passed already, but not the last turn.
  Work turn_since(double at_s, Work next) { return out_ == nullptr ? next : turn_at(at_s, next); }

  template <class Body>
  void during(Work work, const Body& body) {
    const Work before = turn(work);
    body();
    turn(before);
  }

 private:
  Work turn_at(double at_s, Work next) {
    if (at_s > since_s_) out_->push_back({rank_, now_.doing, now_.supernode, since_s_, at_s});
    since_s_ = at_s;
    return std::exchange(now_, next);
  }

  Timeline* const out_;
  const Index rank_;
  const Timer& timer_;
  double since_s_ = 0;
  Work now_;
};

}  // namespace echelon
