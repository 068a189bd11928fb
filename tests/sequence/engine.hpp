// tests/sequence/engine.hpp -- interface for code without a solver object: emulated device code,
// and ranks as threads, with the state that calls leave behind.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sequence/slot_subject.hpp"

namespace echelon::test {

template <Scalar T>
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Abilities abilities() const = 0;
  // Sets other values of the same triangle.
  virtual void load(const Triangle<T>& t) = 0;
  // Throws not_finite if the solution is not finite, backend_failed if the code gave up.
  virtual void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) = 0;
  virtual Bound bound() const = 0;
  virtual Promise promise() const { return Promise::same_call; }
};

// An engine that can be moved like a solver.
template <Scalar T>
struct MovableEngine {
  struct Workspace {};
  std::unique_ptr<Engine<T>> engine;

  Workspace make_workspace() const { return {}; }
  void check() const {}
  void check(Workspace&) const {}
};

// Makes the engine of a setting.
template <Scalar T>
using MakeEngine = std::unique_ptr<Engine<T>> (*)(const Setting&, const Triangle<T>&);

template <Scalar T>
class EngineSubject final : public SlotSubject<T, MovableEngine<T>> {
 public:
  using Base = SlotSubject<T, MovableEngine<T>>;
  using Base::setting_;
  using typename Base::Slot;

  EngineSubject(const Setting& s, MakeEngine<T> make_engine) : Base(s), make_engine_(make_engine) {
    this->make_both();
  }
  Abilities abilities() const override {
    Abilities a = this->slots_[0].solver->engine->abilities();
    a.actions = {Action::update, Action::move, Action::swap, Action::rebuild};
    a.threads = false;
    return a;
  }

 private:
  auto store(Index problem, unsigned version) const {
    return store_triangle<T>(setting_, problem, version, tiny_row(problem, version));
  }
  MovableEngine<T> make(Index problem, unsigned version) const override {
    return {make_engine_(setting_, store(problem, version)->triangle)};
  }
  void update(MovableEngine<T>& e, Index problem, unsigned version) const override {
    e.engine->load(store(problem, version)->triangle);
  }
  void update_badly(MovableEngine<T>&, Index, unsigned) const override {}
  Index tiny_row(Index problem, unsigned version) const override {
    return tiny_row_of(setting_, problem, version);
  }
  void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
           typename Base::Space*) override {
    if (!slot.solver->engine) throw Error(ErrorCode::bad_argument, "the engine was moved away");
    slot.solver->engine->solve(b, x, call);
  }
  std::string judge(Index problem, unsigned version, const CallVectors<T>& v) override {
    const Part part = v.call().part;
    auto& system = systems_[{problem, version, part}];
    if (!system) {
      const SparseFactor m = factor_of(store(problem, version)->triangle);
      std::vector<SparseFactor> factors{m};
      if (part == Part::transposed || part == Part::conjugated)
        factors = {transposed(m, part == Part::conjugated)};
      if (part == Part::and_back) factors.push_back(transposed(m, true));
      system = std::make_unique<System>(std::move(factors));
    }
    const Engine<T>& engine = *this->slots_[0].solver->engine;
    Bound bound = engine.bound();
    bound.template set_rounding<Real<T>>();
    return this->judge_system(*system, bound, engine.promise(), problem, version, v);
  }

  MakeEngine<T> make_engine_;
  std::map<std::tuple<Index, unsigned, Part>, std::unique_ptr<System>> systems_;
};

// E<T>(setting, triangle) must be an Engine<T>.
template <template <class> class E>
std::unique_ptr<Subject> make_engine_subject(const Setting& s) {
  return with_scalar(s.precision, [&]<class T>() -> std::unique_ptr<Subject> {
    return std::make_unique<EngineSubject<T>>(
        s, [](const Setting& setting, const Triangle<T>& t) -> std::unique_ptr<Engine<T>> {
          return std::make_unique<E<T>>(setting, t);
        });
  });
}

}  // namespace echelon::test
