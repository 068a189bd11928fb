// tests/sequence/run_sequence.hpp -- random sequences of calls: run, shrunk if one fails, counted.
// SPDX-License-Identifier: BSD-3-Clause
//
// Environment of a test program:
//   ECHELON_SEQUENCE_CALLS=N   calls of all families together; 10000 unless told
//   ECHELON_SEQUENCE_SEED=N    of the first sequence; the next one's is one more.  1 unless told
//   ECHELON_SEQUENCE_RECORD=F  appends a line of JSON per family to file F
//   ECHELON_SEQUENCE_TRACE=1   prints every call before it is made, in case one does not return
#pragma once

#include <optional>

#include "sequence/draw_calls.hpp"
#include "sequence/subject.hpp"

namespace echelon::test {

struct Failure {
  std::string what;
  std::size_t call = 0;   // its place in the sequence, or the number of calls: after the last
  bool in_setup = false;  // a solver could not be made
};

// What goes wrong first, if anything.  The same calls do the same every time.
std::optional<Failure> run_calls(const MakeSubject& make, const Setting& setting,
                                 const Calls& calls);

struct FailedSequence {
  Setting setting;
  Calls calls;
  Failure failure;
};
// A smaller sequence that fails too: fewer calls first (delta debugging), then plainer ones, then a
// plainer setting.
FailedSequence shrink(const MakeSubject& make, FailedSequence failed);

// Sequences of one kind.
struct Family {
  std::string name;
  std::function<Setting(Draw&)> draw_setting;
  MakeSubject make;
  long calls;  // of the 10000 of all families
};
// The first that fails, shrunk; none: all are right.  `calls`: at least so many.
struct Outcome {
  long sequences = 0, calls = 0;
  unsigned long failed_seed = 0;
  std::optional<FailedSequence> failed;
};
Outcome run_family(const Family& family, unsigned long seed, long calls);

// In a test: the whole family, as long as the environment says; or one sequence, as it was printed.
void expect_right(const Family& family);
void expect_right(const MakeSubject& make, const Setting& setting, const Calls& calls);

}  // namespace echelon::test
