// tests/sequence/test_harness.cpp -- solvers with deliberate errors are found, and their calls
// shrunk to the few that matter.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "sequence/run_sequence.hpp"

namespace echelon::test {
namespace {

// Wrong if the number of right-hand sides goes down and up again: the third call sees what the
// first left for vectors beyond the second's, like a flow that is emptied only for the vectors of
// one pass.
class StaleSubject final : public Subject {
 public:
  Abilities abilities() const override {
    Abilities a;
    a.actions = {Action::update, Action::move, Action::check};
    return a;
  }
  std::string run(const Call& call) override {
    if (call.action == Action::update) left_.clear();
    if (call.action != Action::solve) return {};
    const bool stale = call.count > last_ && call.count <= static_cast<Index>(left_.size());
    if (call.count > static_cast<Index>(left_.size())) left_.resize(call.count);
    last_ = call.count;
    return stale ? "an old number was taken for a new one" : "";
  }

 private:
  std::vector<int> left_;
  Index last_ = 0;
};

// Wrong only after a swap of the layout, in place, with a scale factor.
class RareSubject final : public Subject {
 public:
  Abilities abilities() const override {
    Abilities a;
    a.actions = {Action::update, Action::move, Action::swap, Action::rebuild};
    return a;
  }
  std::string run(const Call& call) override {
    if (call.action == Action::rebuild) armed_ = false;
    if (call.action != Action::solve) return {};
    if (armed_ && call.layout == Layout::column_major && call.count >= 3) return "wrong";
    armed_ = armed_ || (call.in_place && call.alpha != 0 && call.layout == Layout::row_major);
    return {};
  }

 private:
  bool armed_ = false;
};

template <class S>
Family family_of() {
  return {"fake", [](Draw& draw) { return draw_matrix(draw, Kind::solver, 50); },
          [](const Setting&) { return std::make_unique<S>(); }, 1000};
}

TEST(SequenceHarness, FindsStateThatOneCallLeavesForTheNextAndShrinksIt) {
  for (unsigned long seed = 1; seed < 20; ++seed) {
    const Outcome outcome = run_family(family_of<StaleSubject>(), seed, 1000);
    ASSERT_TRUE(outcome.failed) << "seed " << seed;
    const FailedSequence& f = *outcome.failed;
    ASSERT_EQ(f.calls.size(), 3u) << text_of(f.setting, f.calls);
    EXPECT_LE(f.calls[2].count, 2) << text_of(f.setting, f.calls);
    EXPECT_LE(f.setting.n, 1);
    EXPECT_EQ(f.failure.what, "an old number was taken for a new one");
  }
}

TEST(SequenceHarness, ShrinksToTheFieldsThatMatter) {
  const Outcome outcome = run_family(family_of<RareSubject>(), 1, 10000);
  ASSERT_TRUE(outcome.failed);
  const Calls& calls = outcome.failed->calls;
  ASSERT_EQ(calls.size(), 2u);
  Call first{.layout = Layout::row_major, .in_place = true};
  first.alpha = calls[0].alpha;
  EXPECT_NE(first.alpha, 0);
  EXPECT_EQ(calls[0], first) << text_of(calls[0]);
  EXPECT_EQ(calls[1], Call{.count = 3}) << text_of(calls[1]);
}

TEST(SequenceHarness, ReportsASolverThatCannotBeMade) {
  Family family = family_of<StaleSubject>();
  family.make = [](const Setting& s) -> std::unique_ptr<Subject> {
    if (s.shape == Shape::dense && s.n > 2) throw Error(ErrorCode::bad_argument, "no dense ones");
    return std::make_unique<StaleSubject>();
  };
  family.draw_setting = [](Draw& draw) {
    Setting s = draw_matrix(draw, Kind::solver, 50);
    s.shape = Shape::dense;
    return s;
  };
  const Outcome outcome = run_family(family, 1, 1000);
  ASSERT_TRUE(outcome.failed);
  EXPECT_EQ(outcome.failed->failure.what, "setup: no dense ones");
  EXPECT_TRUE(outcome.failed->calls.empty());
  EXPECT_EQ(outcome.failed->setting.n, 3);
}

TEST(SequenceHarness, DrawsTheSameForTheSameSeed) {
  const auto draw_all = [](unsigned long seed) {
    Draw draw(seed);
    std::string text = text_of(draw_solver(draw, Backend::cpu));
    for (int k = 0; k < 20; ++k) text += text_of(draw_call(draw, StaleSubject().abilities()));
    return text;
  };
  EXPECT_EQ(draw_all(7), draw_all(7));
  EXPECT_NE(draw_all(7), draw_all(8));
}

TEST(SequenceHarness, PrintsWhatCanBePasted) {
  EXPECT_EQ(text_of(Setting{.method = Method::plain, .package = "ic0"},
                    {{}, {.action = Action::update, .seed = 2}, {.count = 8}}),
            "expect_right(make_solver_subject, {.method = Method::plain, .package = \"ic0\"}, {\n"
            "    {},\n"
            "    {.action = Action::update, .seed = 2},\n"
            "    {.count = 8},\n"
            "});");
}

TEST(SequenceOracle, JudgesProductsOfFactors) {
  // L = [2 0; 1 1], U = [1 3; 0 2]; x = (1, 1): U x = (4, 2), L U x = (8, 6).
  const SparseFactor l{{{{0, Wide(2)}}, {{0, Wide(1)}, {1, Wide(1)}}}};
  const SparseFactor u{{{{0, Wide(1)}, {1, Wide(3)}}, {{1, Wide(2)}}}};
  const System system({l, u});
  Bound bound;
  bound.eps = 1e-16;
  const WideVector x{Wide(1), Wide(1)};
  EXPECT_EQ(system.error({Wide(4), Wide(3)}, x, Wide(2), bound), 0);
  // Row 1: |6.5 - 6| / ((4 + 2 + 6.5) (2 + 2 + 2) eps).
  EXPECT_NEAR(system.error({Wide(8), Wide(6.5)}, x, Wide(1), bound), 0.5 / (12.5 * 6e-16), 1e6);
  EXPECT_TRUE(std::isinf(system.error({Wide(8), Wide(6)}, {Wide(NAN), Wide(1)}, Wide(1), bound)));
}

}  // namespace
}  // namespace echelon::test
