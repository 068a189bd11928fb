// tests/sequence/subject.hpp -- interface to the object of a sequence of calls, and its abilities.
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

// The calls that may be drawn for a subject.
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

// Holds all state that a call may leave for the next one.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual Abilities abilities() const = 0;
  // Returns a description of the error; empty if there is none.
  virtual std::string run(const Call& call) = 0;
  // The same for all calls still in progress.
  virtual std::string finish() { return {}; }
};

// Throws the errors of the solver's constructor.
using MakeSubject = std::function<std::unique_ptr<Subject>(const Setting&)>;
std::unique_ptr<Subject> make_solver_subject(const Setting& s);
std::unique_ptr<Subject> make_direct_subject(const Setting& s);
std::unique_ptr<Subject> make_smoother_subject(const Setting& s);
std::unique_ptr<Subject> make_batch_subject(const Setting& s);
std::unique_ptr<Subject> make_rank_subject(const Setting& s);
// Device code emulated on the CPU.
std::unique_ptr<Subject> make_band_subject(const Setting& s);
std::unique_ptr<Subject> make_tile_subject(const Setting& s);
std::unique_ptr<Subject> make_list_subject(const Setting& s);
std::unique_ptr<Subject> make_share_subject(const Setting& s);

// The streams for solves, and a function that waits for all; for tests on a device.
struct DeviceStreams {
  std::vector<void*> streams{nullptr};
  std::function<void()> synchronize;
};
inline DeviceStreams device_streams;

// When two solutions for the same right-hand side must have the same bits.
enum class Promise {
  none,
  same_call,  // same number of vectors, place among them, layout and leading dimensions
  any_call,   // always
};

// The solutions so far, by question.
class AnswerBook {
 public:
  // Returns false if an earlier solution for the same question had other bits.
  bool agrees(Promise promise, Index problem, unsigned version, const Call& call, Index k,
              const WideVector& x);

 private:
  using Question = std::tuple<Index, unsigned, Part, Index, Index, bool, unsigned,  // what is asked
                              Index, Index, Layout, Index, Index>;                  // and how
  std::map<Question, WideVector> answers_;
};

// One line about a wrong solution, for the report.
std::string wrong_answer(Index k, double error, const Bound& bound);

}  // namespace echelon::test
