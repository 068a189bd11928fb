// tests/sequence/run_sequence.hpp -- runs random sequences of calls, shrinks those that fail.
// SPDX-License-Identifier: BSD-3-Clause
//
// Environment variables:
//   ECHELON_SEQUENCE_CALLS=N   calls of all families together; default 10000
//   ECHELON_SEQUENCE_SEED=N    seed of the first sequence, then N+1, ...; default 1
//   ECHELON_SEQUENCE_RECORD=F  appends one line of JSON per family to file F
//   ECHELON_SEQUENCE_TRACE=1   prints every call before it is made, to find one that hangs
#pragma once

#include <optional>

#include "sequence/draw_calls.hpp"
#include "sequence/subject.hpp"

namespace echelon::test {

struct Failure {
  std::string what;
  std::size_t call = 0;   // its index in the sequence; the number of calls: after the last
  bool in_setup = false;  // a solver could not be made
};

// The first failure, if any.  Deterministic: the same calls give the same result.
std::optional<Failure> run_calls(const MakeSubject& make, const Setting& setting,
                                 const Calls& calls);

struct FailedSequence {
  Setting setting;
  Calls calls;
  Failure failure;
};
// A smaller sequence that also fails: fewer calls first (delta debugging), then simpler calls, then
// a simpler setting.
FailedSequence shrink(const MakeSubject& make, FailedSequence failed);

// Sequences of one kind.
struct Family {
  std::string name;
  std::function<Setting(Draw&)> draw_setting;
  MakeSubject make;
  long calls;  // of the 10000 of all families
};
// The first failing sequence, shrunk; none: all passed.  `calls`: the minimum number.
struct Outcome {
  long sequences = 0, calls = 0;
  unsigned long failed_seed = 0;
  std::optional<FailedSequence> failed;
};
Outcome run_family(const Family& family, unsigned long seed, long calls);

// In a test: runs the whole family, with the number of calls from the environment; or one sequence.
void expect_right(const Family& family);
void expect_right(const MakeSubject& make, const Setting& setting, const Calls& calls);

}  // namespace echelon::test
