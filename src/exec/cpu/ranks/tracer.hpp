// exec/cpu/ranks/tracer.hpp -- records the timeline of one rank's pass: each span ends where the
// next one begins.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "base/timer.hpp"
#include "echelon/tools/timeline.hpp"

namespace echelon {

class Tracer {
 public:
  struct Work {
    Doing doing = Doing::wait;
    Index supernode = -1;
  };

  // With a null `out`, records nothing and does not read the clock.
  Tracer(Timeline* out, Index rank, const Timer& timer) : out_(out), rank_(rank), timer_(timer) {}

  // Begins other work, and returns the work before.
  Work turn(Work next) { return out_ == nullptr ? next : turn_at(timer_.seconds(), next); }
  // The same at a past time, which is after the last turn.
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
