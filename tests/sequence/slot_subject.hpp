// tests/sequence/slot_subject.hpp -- two solvers of one class, driven by calls: the common part for
// Solver, DirectSolver, GaussSeidel and BatchSolver.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol on a device.  Calls with device vectors do not wait.  settle() waits for all streams and
// checks their solutions, before values change and whenever a call requests it.
#pragma once

#include <thread>

#include "sequence/call_vectors.hpp"
#include "sequence/subject.hpp"
#include "support/device.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

// S is the class of the solvers.
template <Scalar T, class S>
class SlotSubject : public Subject {
 public:
  explicit SlotSubject(const Setting& setting) : setting_(setting) {}

  std::string run(const Call& given) final {
    const Call call = adapted(given);
    Slot& slot = slots_[call.solver];
    if (call.action != Action::solve && call.action != Action::move &&
        call.action != Action::swap) {
      const std::string wrong = settle();
      if (!wrong.empty()) return wrong;
    }
    switch (call.action) {
      case Action::solve:
      case Action::profile:
        return solve(call, slot);
      case Action::at_once:
        return solve_at_once(call, slot);
      case Action::update:
        return take_values(call, slot);
      case Action::bad_update:
        return refuse_values(call, slot);
      case Action::misuse:
        return misuse(call, slot);
      case Action::move:
        return move(call, slot);
      case Action::swap:
        return swap();
      case Action::rebuild:
        return rebuild(call, slot);
      case Action::workspace:
        return add_workspace(slot);
      case Action::check:
        return refusal_text(refusal([&] { slot.solver->check(); }), ErrorCode{});
    }
    return "no such action";
  }

  std::string finish() final { return settle(); }

 protected:
  using Space = typename S::Workspace;
  static constexpr unsigned versions = 4;
  static constexpr std::size_t most_spaces = 3;
  struct Slot {
    std::unique_ptr<S> solver;
    Index problem = 0;
    unsigned version = 0;
    bool ready = true;
    long id = 0;
  };

  // Called by the constructors of derived classes.
  void make_both() {
    for (Index problem = 0; problem < 2; ++problem)
      slots_[problem] = {std::make_unique<S>(make(problem, 0)), problem, 0, true, next_id_++};
  }

  virtual S make(Index problem, unsigned version) const = 0;
  virtual void update(S& solver, Index problem, unsigned version) const = 0;
  // Updates with invalid values, which must be refused.
  virtual void update_badly(S& solver, Index problem, unsigned seed) const = 0;
  // `space`: null for the solver's own workspace.
  virtual void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
                   Space* space) = 0;
  // The error in the solutions of a call; empty if they are right.
  virtual std::string judge(Index problem, unsigned version, const CallVectors<T>& v) = 0;

  // Replaces a call that is not allowed by one that is.
  virtual Call adapted(Call call) const { return call; }
  virtual bool takes_workspace(const Call&) const { return true; }
  virtual bool sees_poison(const Call&) const { return true; }
  virtual bool reads_x(const Call&) const { return false; }
  virtual Index tiny_row(Index, unsigned) const { return -1; }

  // The abilities of all solver objects.
  Abilities object_abilities() const {
    Abilities a;
    a.actions = {Action::at_once, Action::bad_update, Action::misuse,    Action::move,
                 Action::swap,    Action::rebuild,    Action::workspace, Action::workspace,
                 Action::check,   Action::update,     Action::update,    Action::update};
    a.workspaces = static_cast<Index>(most_spaces);
    a.on_device = setting_.backend == Backend::cuda;
    a.streams = a.on_device ? static_cast<Index>(device_streams.streams.size()) : 1;
    return a;
  }

  std::string judge_system(const System& system, const Bound& bound, Promise promise, Index problem,
                           unsigned version, const CallVectors<T>& v) {
    const Wide alpha = widened(alpha_of<T>(v.call()));
    for (Index k = 0; k < v.call().count; ++k) {
      const WideVector x = widened(v.answer(k));
      const double error = system.error(widened(v.right(k)), x, alpha, bound);
      if (!(error <= bound.most)) return wrong_answer(k, error, bound);
      if (!book_.agrees(promise, problem, version, v.call(), k, x))
        return "vector " + std::to_string(k) + " has other bits than before";
    }
    return {};
  }

  static void* stream_of(const Call& call) {
    return device_streams
        .streams[static_cast<std::size_t>(call.stream) % device_streams.streams.size()];
  }

  Setting setting_;
  Slot slots_[2];
  AnswerBook book_;

 private:
  struct Pending {
    CallVectors<T> vectors;
    Index problem;
    unsigned version;
  };
  struct OwnedSpace {
    Space space;
    long owner;
  };

  CallVectors<T> vectors_for(const Slot& slot, const Call& call) const {
    return CallVectors<T>(size_of(setting_, slot.problem), call,
                          tiny_row(slot.problem, slot.version), reads_x(call));
  }
  static std::string refusal_text(const Refusal& r, ErrorCode expected) {
    if (r.code == expected) return {};
    if (expected == ErrorCode{}) return "refused: " + r.text;
    return std::string("not refused as ") + name(expected) + (r.text.empty() ? "" : ": " + r.text);
  }
  static void check(const Slot& slot, OwnedSpace* space) {
    if (space != nullptr)
      slot.solver->check(space->space);
    else
      slot.solver->check();
  }

  std::string solve(const Call& call, Slot& slot) {
    auto v = vectors_for(slot, call);
    const bool profiles = call.action == Action::profile;
    const bool poisons = v.poisons() && sees_poison(call);
    const bool later = call.on_device && !profiles;
    OwnedSpace* const space = space_of(call);
    if (poisons) {
      const std::string wrong = settle();
      if (!wrong.empty()) return wrong;
    }
    const bool refused = !slot.ready || (space != nullptr && space->owner != slot.id) ||
                         (profiles && setting_.backend == Backend::cpu);
    ErrorCode expected{};
    if (refused)
      expected = ErrorCode::bad_argument;
    else if (poisons && !later)
      expected = ErrorCode::not_finite;
    Space* const given = space != nullptr ? &space->space : nullptr;
    const Refusal r = refusal([&] { ask(slot, v.b(), v.x(), call, given); });
    if (!slot.ready && call.count == 0 && r.code == ErrorCode{}) return {};  // nothing to refuse
    std::string wrong = refusal_text(r, expected);
    if (!wrong.empty()) return wrong;
    if (refused) {
      v.fetch();
      return v.untouched() ? "" : "a refused call wrote";
    }
    if (later && poisons) {
      device_streams.synchronize();
      wrong = refusal_text(refusal([&] { check(slot, space); }), ErrorCode::not_finite);
    } else if (later) {
      pending_.push_back({std::move(v), slot.problem, slot.version});
      return pending_.size() > 6 ? settle() : "";
    }
    v.fetch();
    if (wrong.empty()) wrong = v.harm();
    if (wrong.empty() && !poisons) wrong = judge(slot.problem, slot.version, v);
    return wrong;
  }

  std::string settle() {
    if (pending_.empty()) return {};
    device_streams.synchronize();
    std::string wrong;
    for (Slot& slot : slots_) {
      if (wrong.empty()) wrong = refusal_text(refusal([&] { check(slot, nullptr); }), ErrorCode{});
      for (OwnedSpace& space : spaces_)
        if (space.owner == slot.id && wrong.empty())
          wrong = refusal_text(refusal([&] { check(slot, &space); }), ErrorCode{});
    }
    for (Pending& p : pending_) {
      if (!wrong.empty()) break;
      p.vectors.fetch();
      wrong = p.vectors.harm();
      if (wrong.empty()) wrong = judge(p.problem, p.version, p.vectors);
      if (!wrong.empty()) wrong += ", of " + text_of(p.vectors.call());
    }
    pending_.clear();
    return wrong;
  }

  std::string solve_at_once(const Call& call, Slot& slot) {
    if (!slot.ready) return {};
    constexpr std::size_t callers = 2;
    std::vector<CallVectors<T>> vectors;
    std::vector<Space> spaces;
    for (unsigned k = 0; k < callers; ++k) {
      Call one = call;
      one.action = Action::solve;
      one.poison = false;
      one.seed += k;
      one.stream += static_cast<Index>(k);
      vectors.push_back(vectors_for(slot, one));
      spaces.push_back(slot.solver->make_workspace());
    }
    Refusal refusals[callers];
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < callers; ++k)
      threads.emplace_back([&, k] {
        CallVectors<T>& v = vectors[k];
        refusals[k] = refusal([&] { ask(slot, v.b(), v.x(), v.call(), &spaces[k]); });
      });
    for (std::thread& thread : threads) thread.join();
    if (call.on_device) device_streams.synchronize();
    for (std::size_t k = 0; k < callers; ++k) {
      vectors[k].fetch();
      std::string wrong = refusal_text(refusals[k], ErrorCode{});
      if (wrong.empty())
        wrong = refusal_text(refusal([&] { slot.solver->check(spaces[k]); }), ErrorCode{});
      if (wrong.empty()) wrong = vectors[k].harm();
      if (wrong.empty()) wrong = judge(slot.problem, slot.version, vectors[k]);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

  std::string take_values(const Call& call, Slot& slot) {
    slot.version = call.seed % versions;
    update(*slot.solver, slot.problem, slot.version);
    slot.ready = true;
    return {};
  }
  std::string refuse_values(const Call& call, Slot& slot) {
    slot.ready = false;
    const Refusal r = refusal([&] { update_badly(*slot.solver, slot.problem, call.seed); });
    return r.code == ErrorCode{} ? "bad values were taken" : "";
  }

  std::string misuse(const Call& call, Slot& slot) {
    Call plain = call;
    plain.action = Action::solve;
    plain.poison = false;
    auto v = vectors_for(slot, plain);
    Vectors<const T> b = v.b();
    Vectors<T> x = v.x();
    switch (call.seed % 5) {
      case 0:
        ++x.n;
        break;
      case 1:
        ++b.count;
        break;
      case 2:
        b.layout = b.layout == Layout::row_major ? Layout::column_major : Layout::row_major;
        break;
      case 3:
        x.leading = b.leading = (x.layout == Layout::column_major ? x.n : x.count) - 1;
        break;
      default:
        b.count = x.count = -1;
    }
    return expect_refused(v, [&] { ask(slot, b, x, plain, nullptr); });
  }

  std::string swap() {
    std::swap(*slots_[0].solver, *slots_[1].solver);
    std::swap(slots_[0].solver, slots_[1].solver);  // slots move with their solvers,
    std::swap(slots_[0], slots_[1]);                // the objects stay in place
    return {};
  }
  std::string rebuild(const Call& call, Slot& slot) {
    slot.version = call.seed % versions;
    *slot.solver = make(slot.problem, slot.version);
    slot.ready = true;
    slot.id = next_id_++;
    return {};
  }
  // Moves the solver to other memory; the moved-from object must refuse calls.
  std::string move(const Call& call, Slot& slot) {
    Slot old{std::move(slot.solver), slot.problem, slot.version, slot.ready, slot.id};
    slot.solver = std::make_unique<S>(std::move(*old.solver));
    Call plain = call;
    plain.action = Action::solve;
    auto v = vectors_for(old, plain);
    return expect_refused(v, [&] { ask(old, v.b(), v.x(), plain, nullptr); });
  }
  template <class Body>
  std::string expect_refused(CallVectors<T>& v, const Body& body) {
    const std::string wrong = refusal_text(refusal(body), ErrorCode::bad_argument);
    v.fetch();
    return !wrong.empty() || v.untouched() ? wrong : "a refused call wrote";
  }

  OwnedSpace* space_of(const Call& call) {
    const bool none = call.workspace == 0 || spaces_.empty() || call.action != Action::solve;
    if (none || !takes_workspace(call)) return nullptr;
    return &spaces_[static_cast<std::size_t>(call.workspace - 1) % spaces_.size()];
  }
  std::string add_workspace(const Slot& slot) {
    OwnedSpace made{slot.solver->make_workspace(), slot.id};
    if (spaces_.size() < most_spaces)
      spaces_.push_back(std::move(made));
    else
      spaces_[oldest_++ % most_spaces] = std::move(made);
    return {};
  }

  long next_id_ = 1;
  std::vector<OwnedSpace> spaces_;
  std::size_t oldest_ = 0;
  std::vector<Pending> pending_;
};

// Calls visit with the scalar of a setting: visit.template operator()<T>().
template <class Visit>
std::unique_ptr<Subject> with_scalar(Precision precision, const Visit& visit) {
  switch (precision) {
    case Precision::float32:
      return visit.template operator()<float>();
    case Precision::float64:
      return visit.template operator()<double>();
    case Precision::complex64:
      return visit.template operator()<std::complex<float>>();
    default:
      return visit.template operator()<std::complex<double>>();
  }
}

}  // namespace echelon::test
