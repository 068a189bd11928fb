// tests/sequence/subject.hpp -- what a sequence of calls is run on, and what may be asked of it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "sequence/call.hpp"
#include "sequence/system.hpp"

namespace echelon::test {

// What calls may be drawn for a subject.
struct Abilities {
  std::vector<Part> parts{Part::plain};
  std::vector<Action> actions;  // besides solve
  Index most_count = 20;
  bool row_major = true, pads = true, in_place = true, alpha = true, threads = true;
  bool poison = true, sweeps = false;
  Index workspaces = 0;
  bool on_device = false;
  Index streams = 1;
};

// Holds whatever a call may leave for the next one.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Abilities abilities() const = 0;
  // What was wrong; empty: nothing.
  virtual std::string run(const Call& call) = 0;
  // The same of all that is still under way.
  virtual std::string finish() { return {}; }
};

// Throws what the solver's constructor throws.
using MakeSubject = std::function<std::unique_ptr<Subject>(const Setting&)>;
std::unique_ptr<Subject> make_solver_subject(const Setting& s);
std::unique_ptr<Subject> make_direct_subject(const Setting& s);
std::unique_ptr<Subject> make_smoother_subject(const Setting& s);
std::unique_ptr<Subject> make_rank_subject(const Setting& s);
// Device code emulated on the CPU.
std::unique_ptr<Subject> make_band_subject(const Setting& s);
std::unique_ptr<Subject> make_tile_subject(const Setting& s);
std::unique_ptr<Subject> make_list_subject(const Setting& s);
std::unique_ptr<Subject> make_share_subject(const Setting& s);

// Streams to put solves into, and a wait for all of them; of tests on a device.
struct DeviceStreams {
  std::vector<void*> streams{nullptr};
  std::function<void()> synchronize;
};
inline DeviceStreams device_streams;

// When two answers to the same right-hand side must have the same bits.
enum class Promise {
  none,
  same_call,  // number of vectors, place among them, layout and leading dimensions alike
  any_call,   // whatever the call
};

// The answers so far, by what was asked.
class AnswerBook {
 public:
  // False: the same was asked before and the answer had other bits.
  bool agrees(Promise promise, Index problem, unsigned version, const Call& call, Index k,
              const WideVector& x);

 private:
  using Question = std::tuple<Index, unsigned, Part, Index, Index, bool, unsigned,  // what is asked
                              Index, Index, Layout, Index, Index>;                  // and how
  std::map<Question, WideVector> answers_;
};

// One line about a wrong answer, for the report.
std::string wrong_answer(Index k, double error, const Bound& bound);

}  // namespace echelon::test
