// tests/sequence/shrink.cpp -- shrinks a failing sequence of calls.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Delta debugging (Zeller and Hildebrandt, 2002): removes smaller and smaller runs of
// calls while the rest still fails; then resets every field of a call, and of the setting, to its
// default if it still fails.  Numbers of right-hand sides and unknowns become the smallest that
// fail.  Repeats until nothing changes, or for a minute.
#include <chrono>

#include "sequence/run_sequence.hpp"

namespace echelon::test {
namespace {

constexpr std::chrono::seconds timeout_ns{60};

class Shrinker {
 public:
  Shrinker(const MakeSubject& make, FailedSequence failed)
      : make_(make), best_(std::move(failed)), deadline_(Clock::now() + timeout_ns) {}

  FailedSequence run() {
    if (best_.failure.in_setup) best_.calls.clear();
    if (best_.failure.call < best_.calls.size()) best_.calls.resize(best_.failure.call + 1);
    if (!try_it(best_.setting, best_.calls)) return best_;  // not reproducible: unchanged
    do changed_ = false, drop_calls(), simplify_calls(), simplify_setting();
    while (changed_);
    return best_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Keeps the candidate if it fails.
  bool try_it(const Setting& setting, Calls calls) {
    if (Clock::now() > deadline_) return false;
    const auto failure = run_calls(make_, setting, calls);
    if (!failure || failure->in_setup != best_.failure.in_setup) return false;
    if (failure->call < calls.size()) calls.resize(failure->call + 1);
    changed_ = changed_ || !(setting == best_.setting) || !(calls == best_.calls);
    best_ = {setting, std::move(calls), *failure};
    return true;
  }

  void drop_calls() {
    for (std::size_t run = std::max<std::size_t>(best_.calls.size() / 2, 1); run > 0; run /= 2)
      for (std::size_t at = 0; at < best_.calls.size();) {
        Calls fewer = best_.calls;
        const auto from = fewer.begin() + static_cast<std::ptrdiff_t>(at);
        fewer.erase(from, from + static_cast<std::ptrdiff_t>(std::min(run, fewer.size() - at)));
        if (!try_it(best_.setting, fewer)) at += run;
      }
  }

  // Calls put(smaller value) from 1 on, until one is kept.
  template <class Put>
  static void try_smaller(Index value, const Put& put) {
    for (Index v = 1; v < value; v += 1 + v / 8)
      if (put(v)) return;
  }

  void simplify_calls() {
    const Call plain;
    for (std::size_t k = 0; k < best_.calls.size(); ++k) {
      for_each_change(best_.calls[k], plain, [&](const Call& call) { return try_call(k, call); });
      if (k < best_.calls.size())
        try_smaller(best_.calls[k].count, [&](Index count) {
          Call call = best_.calls[k];
          call.count = count;
          return try_call(k, call);
        });
    }
  }
  bool try_call(std::size_t k, const Call& call) {
    if (k >= best_.calls.size()) return false;
    Calls calls = best_.calls;
    calls[k] = call;
    return try_it(best_.setting, std::move(calls));
  }

  void simplify_setting() {
    for_each_change(best_.setting, Setting{}, [&](Setting setting) {
      setting.kind = best_.setting.kind;
      setting.backend = best_.setting.backend;
      return try_it(setting, best_.calls);
    });
    try_smaller(best_.setting.n, [&](Index n) {
      Setting setting = best_.setting;
      setting.n = n;
      return try_it(setting, best_.calls);
    });
  }

  template <class V>
  static bool smaller(const V& field, const V& other) {
    if constexpr (std::is_same_v<V, Index>) return field < other;
    return false;
  }
  // Calls put(record with one field as in `plain`) for each field that differs; keeps those that
  // fail.
  template <class Record, class Put>
  static void for_each_change(Record record, const Record& plain, const Put& put) {
    Record::visit(record, plain, [&](const char*, auto& field, const auto& other) {
      if (field == other || smaller(field, other)) return;
      const auto before = field;
      field = other;
      if (!put(record)) field = before;
    });
  }

  const MakeSubject& make_;
  FailedSequence best_;
  Clock::time_point deadline_;
  bool changed_ = false;
};

}  // namespace

FailedSequence shrink(const MakeSubject& make, FailedSequence failed) {
  return Shrinker(make, std::move(failed)).run();
}

}  // namespace echelon::test
