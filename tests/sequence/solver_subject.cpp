// tests/sequence/solver_subject.cpp -- sequences of calls on Solver: every method and operation.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "echelon/solver.hpp"
#include "sequence/slot_subject.hpp"

namespace echelon::test {
namespace {

Options options_of(const Setting& s) {
  Options o;
  o.method = s.method;
  o.backend = s.backend;
  o.numeric.largest_growth = s.growth;
  o.supernode.chunk_entries = 64;  // cuts panels of some ten columns into pieces
  o.cpu.threads = s.threads;
  o.cpu.rhs_per_pass = s.rhs_per_pass;
  o.cpu.vector_unit = s.unit;
  o.cuda.shared_memory = shared_memory_of_tests();
  o.cuda.bands = s.bands;
  o.cuda.band_levels = s.levels;
  return o;
}

// These methods add with atomics on a GPU.
bool lists_by_columns(Method method) {
  return method == Method::level_column || method == Method::element_column;
}

template <Scalar T>
class SolverSubject final : public SlotSubject<T, Solver<T>> {
 public:
  using Base = SlotSubject<T, Solver<T>>;
  using Base::setting_;
  using typename Base::Slot;
  using typename Base::Space;

  explicit SolverSubject(const Setting& s) : Base(s) { this->make_both(); }

  Abilities abilities() const override {
    Abilities a = this->object_abilities();
    a.parts = {Part::plain, Part::plain, Part::transposed, Part::conjugated};
    a.actions.push_back(Action::profile);
    return a;
  }

 private:
  auto store(Index problem, unsigned version) const {
    return store_triangle<T>(setting_, problem, version, tiny_row(problem, version));
  }

  Solver<T> make(Index problem, unsigned version) const override {
    return Solver<T>(store(problem, version)->triangle, options_of(setting_));
  }
  void update(Solver<T>& solver, Index problem, unsigned version) const override {
    solver.update(store(problem, version)->triangle.value);
  }
  void update_badly(Solver<T>& solver, Index problem, unsigned seed) const override {
    const auto stored = store(problem, 0);
    std::vector<T> values(stored->triangle.value.begin(), stored->triangle.value.end());
    if (seed % 2 == 0 || values.empty() || setting_.diagonal == Diagonal::unit)
      values.push_back(T(1));
    else
      std::fill(values.begin(), values.end(), T(0));
    solver.update(values);
  }

  void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
           Space* space) override {
    const SolveOptions<T> o{.alpha = alpha_of<T>(call),
                            .op = op_of(call.part),
                            .threads = call.threads,
                            .stream = this->stream_of(call)};
    if (call.action == Action::profile)
      slot.solver->profile(b, x, o);
    else if (space == nullptr)
      slot.solver->solve(b, x, o);
    else
      slot.solver->solve(*space, b, x, o);
  }

  // The transpose of a triangle with a tiny row has answers that overflow.
  Call adapted(Call call) const override {
    const Slot& slot = this->slots_[call.solver];
    if (tiny_row(slot.problem, slot.version) >= 0) call.part = Part::plain;
    return call;
  }
  static Op op_of(Part part) {
    if (part == Part::transposed) return Op::transpose;
    return part == Part::conjugated ? Op::conjugate : Op::none;
  }
  SparseFactor factor(Index problem, unsigned version, Part part) const {
    const SparseFactor m = factor_of(store(problem, version)->triangle);
    return part == Part::plain ? m : transposed(m, part == Part::conjugated);
  }

  std::string judge(Index problem, unsigned version, const CallVectors<T>& v) override {
    const Part part = v.call().part;
    auto& system = systems_[{problem, version, part}];
    if (!system) system.emplace(std::vector<SparseFactor>{factor(problem, version, part)});
    const Method method = this->slots_[0].solver->report().method;
    Bound bound;
    bound.template set_rounding<Real<T>>();
    if (setting_.backend == Backend::cuda && lists_by_columns(method)) bound.flush<Real<T>>();
    bound.componentwise = is_by_substitution(method);
    return this->judge_system(*system, bound, promise(method), problem, version, v);
  }
  Promise promise(Method method) const {
    if (!is_deterministic(method)) return Promise::none;
    const bool by_blas = is_supernodal(method) && recipe_of(method).layout == PanelLayout::plain;
    if (by_blas) return Promise::none;
    return setting_.backend == Backend::cpu ? Promise::any_call : Promise::same_call;
  }

  Index tiny_row(Index problem, unsigned version) const override {
    return tiny_row_of(setting_, problem, version);
  }

  std::map<std::tuple<Index, unsigned, Part>, std::optional<System>> systems_;
};

}  // namespace

std::unique_ptr<Subject> make_solver_subject(const Setting& s) {
  return with_scalar(s.precision, [&]<class T>() -> std::unique_ptr<Subject> {
    return std::make_unique<SolverSubject<T>>(s);
  });
}

}  // namespace echelon::test
