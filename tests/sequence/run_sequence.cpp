// tests/sequence/run_sequence.cpp -- runs and counts random sequences of calls.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/run_sequence.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "echelon/error.hpp"

namespace echelon::test {
namespace {

constexpr Index longest = 60;         // calls per sequence
constexpr long calls_of_all = 10000;  // Family::calls is a share of this

long number_in(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atol(text);
}

bool traces() {
  static const bool yes = std::getenv("ECHELON_SEQUENCE_TRACE") != nullptr;
  return yes;
}

std::string run_traced(Subject& subject, const Call& call) {
  if (traces()) std::cerr << "    " << text_of(call) << ",\n";
  try {
    return subject.run(call);
  } catch (const std::exception& e) {
    return std::string("not expected: ") + e.what();
  }
}

std::unique_ptr<Subject> make_traced(const MakeSubject& make, const Setting& setting,
                                     std::string& problem) {
  if (traces()) std::cerr << text_of(setting) << '\n';
  try {
    return make(setting);
  } catch (const std::exception& e) {
    problem = std::string("setup: ") + e.what();
    return nullptr;
  }
}

void record(const Family& family, unsigned long seed, const Outcome& outcome, double seconds) {
  std::ostringstream line;
  line << "{\"family\": \"" << family.name << "\", \"seed\": " << seed
       << ", \"sequences\": " << outcome.sequences << ", \"calls\": " << outcome.calls
       << ", \"failed\": " << (outcome.failed ? "true" : "false") << ", \"seconds\": " << seconds
       << '}';
  std::cout << line.str() << std::endl;
  if (const char* path = std::getenv("ECHELON_SEQUENCE_RECORD"))
    std::ofstream(path, std::ios::app) << line.str() << '\n';
}

}  // namespace

std::optional<Failure> run_calls(const MakeSubject& make, const Setting& setting,
                                 const Calls& calls) {
  std::string problem;
  const auto subject = make_traced(make, setting, problem);
  if (!subject) return Failure{problem, 0, true};
  for (std::size_t k = 0; k < calls.size(); ++k) {
    const std::string what = run_traced(*subject, calls[k]);
    if (!what.empty()) return Failure{what, k};
  }
  const std::string what = subject->finish();
  if (!what.empty()) return Failure{what, calls.size()};
  return {};
}

Outcome run_family(const Family& family, unsigned long seed, long calls) {
  Outcome outcome;
  while (outcome.calls < calls) {
    Draw draw(seed + static_cast<unsigned long>(outcome.sequences));
    FailedSequence now{family.draw_setting(draw), {}, {}};
    ++outcome.sequences;
    const auto subject = make_traced(family.make, now.setting, now.failure.what);
    now.failure.in_setup = !subject;
    const Index length = 1 + draw.below(longest);
    for (Index k = 0; subject && k < length && now.failure.what.empty(); ++k) {
      now.calls.push_back(draw_call(draw, subject->abilities()));
      now.failure.call = static_cast<std::size_t>(k);
      now.failure.what = run_traced(*subject, now.calls.back());
      ++outcome.calls;
    }
    if (subject && now.failure.what.empty()) {
      now.failure.call = now.calls.size();
      now.failure.what = subject->finish();
    }
    if (now.failure.what.empty()) continue;
    outcome.failed_seed = seed + static_cast<unsigned long>(outcome.sequences) - 1;
    outcome.failed = shrink(family.make, std::move(now));
    break;
  }
  return outcome;
}

void expect_right(const Family& family) {
  const auto seed = static_cast<unsigned long>(number_in("ECHELON_SEQUENCE_SEED", 1));
  const long all = number_in("ECHELON_SEQUENCE_CALLS", calls_of_all);
  const long calls = std::max(1L, family.calls * all / calls_of_all);
  const auto began = std::chrono::steady_clock::now();
  const Outcome outcome = run_family(family, seed, calls);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  record(family, seed, outcome, took.count());
  if (!outcome.failed) return;
  const FailedSequence& failed = *outcome.failed;
  ADD_FAILURE() << "seed " << outcome.failed_seed << " fails; shrunk, at call "
                << failed.failure.call << ": " << failed.failure.what << '\n'
                << text_of(failed.setting, failed.calls);
}

void expect_right(const MakeSubject& make, const Setting& setting, const Calls& calls) {
  const auto failure = run_calls(make, setting, calls);
  if (failure)
    ADD_FAILURE() << "call " << failure->call << ": " << failure->what << '\n'
                  << text_of(setting, calls);
}

}  // namespace echelon::test
