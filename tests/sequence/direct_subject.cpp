// tests/sequence/direct_subject.cpp -- sequences of calls on DirectSolver: every package, every
// method, both triangles and their transposes.
// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include "echelon/direct.hpp"
#include "factor/dense_factors.hpp"
#include "sequence/slot_subject.hpp"

namespace echelon::test {
namespace {

template <Scalar T>
class DirectSubject final : public SlotSubject<T, DirectSolver<T>> {
 public:
  using Base = SlotSubject<T, DirectSolver<T>>;
  using Base::setting_;
  using typename Base::Slot;
  using typename Base::Space;

  explicit DirectSubject(const Setting& s) : Base(s) { this->make_both(); }

  Abilities abilities() const override {
    Abilities a = this->object_abilities();
    a.parts = {Part::plain,           Part::plain,     Part::lower,
               Part::upper,           Part::triangles, Part::lower_transposed,
               Part::upper_transposed};
    if (is_complete()) a.parts.push_back(Part::refined);
    a.actions.push_back(Action::profile);
    // The entries that one drops depend on the values, and the pivots of the other do.
    if (setting_.package == "superlu_ilu" || setting_.package == "umfpack")
      std::erase(a.actions, Action::update);
    a.alpha = false;
    return a;
  }

 private:
  bool is_complete() const {
    return setting_.package == "cholmod" || setting_.package == "simplicial" ||
           setting_.package == "superlu" || setting_.package == "umfpack" ||
           setting_.package == "klu";
  }
  Csr<T> matrix(Index problem, unsigned version) const {
    const std::string& package = setting_.package;
    const bool hermitian = package == "cholmod" || package == "simplicial" || package == "ic0";
    return make_matrix<T>(setting_, problem, version,
                          hermitian ? Values::hermitian : Values::general);
  }
  Factors<T> factors(Index problem, unsigned version) const {
    const Csr<T> a = matrix(problem, version);
    if (setting_.package == "triangles")
      return factors_of<T>(lower(a, {.outside = OutsideEntries::ignore}),
                           upper(a, {.outside = OutsideEntries::ignore}));
    FactorOptions o;
    o.order = setting_.seed % 2 == 0 ? Ordering::amd : Ordering::natural;
    o.threads = 1;
    o.simplicial = setting_.package == "simplicial";
    return factor_by_name<T>(o.simplicial ? "cholmod" : setting_.package, a, o);
  }

  DirectSolver<T> make(Index problem, unsigned version) const override {
    Options o;
    o.method = setting_.method;
    o.backend = setting_.backend;
    o.numeric.largest_growth = setting_.growth;
    o.numeric.low_precision = setting_.low_precision;
    o.supernode.chunk_entries = 64;  // cuts panels of some ten columns into pieces
    o.cpu.threads = setting_.threads;
    o.cpu.rhs_per_pass = setting_.rhs_per_pass;
    o.cpu.vector_unit = setting_.unit;
    o.cuda.shared_memory = shared_memory_of_tests();
    return DirectSolver<T>(factors(problem, version), o);
  }
  void update(DirectSolver<T>& solver, Index problem, unsigned version) const override {
    solver.update(factors(problem, version));
  }
  void update_badly(DirectSolver<T>& solver, Index problem, unsigned seed) const override {
    Factors<T> f = factors(problem, 0);
    if (seed % 2 == 0 || f.lower.columns.value.empty())
      f.kind = "another kind";
    else
      f.lower.columns.value.front() = T(std::numeric_limits<Real<T>>::infinity());
    solver.update(std::move(f));
  }

  Call adapted(Call call) const override {
    if (call.action == Action::profile || call.action == Action::at_once) call.part = Part::plain;
    if (call.action == Action::misuse && call.part == Part::refined) call.part = Part::plain;
    if (call.part == Part::refined) call.in_place = call.on_device = false;
    return call;
  }
  void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
           Space* space) override {
    const DirectSolver<T>& s = *slot.solver;
    void* const stream = this->stream_of(call);
    if (call.action == Action::profile) return void(s.profile(b, x, stream));
    if (call.part == Part::refined)
      return refine(s, matrix(slot.problem, slot.version), b, x, space);
    SolveOptions<T> o{.threads = call.threads, .stream = stream};
    const bool lower = call.part == Part::lower || call.part == Part::lower_transposed;
    const bool upper = call.part == Part::upper || call.part == Part::upper_transposed;
    if (lower) o.part = echelon::Part::lower;
    if (upper) o.part = echelon::Part::upper;
    if (call.part == Part::triangles) o.part = echelon::Part::triangles;
    if (call.part == Part::lower_transposed || call.part == Part::upper_transposed)
      o.op = Op::transpose;
    space == nullptr ? s.solve(b, x, o) : s.solve(*space, b, x, o);
  }

  static void refine(const DirectSolver<T>& s, const Csr<T>& a, const Vectors<const T>& b,
                     const Vectors<T>& x, Space* space) {
    if (space == nullptr)
      s.solve(a, b, x);
    else
      s.solve(*space, a, b, x);
  }

  std::string judge(Index problem, unsigned version, const CallVectors<T>& v) override {
    const Part part = v.call().part;
    auto& system = systems_[{problem, version, part}];
    if (!system) system.emplace(factors_of_part(problem, version, part));
    const Method method = this->slots_[0].solver->report().method;
    Bound bound;
    bound.template set_rounding<Real<T>>();
    if (setting_.low_precision && part != Part::refined) bound.set_rounding<float>();
    bound.componentwise = part == Part::refined || is_by_substitution(method);
    return this->judge_system(*system, bound, promise(method, part), problem, version, v);
  }
  Promise promise(Method method, Part part) const {
    if (!is_deterministic(method)) return Promise::none;
    if (is_supernodal(method) && recipe_of(method).layout == PanelLayout::plain)
      return Promise::none;  // BLAS
    if (part == Part::refined || setting_.backend == Backend::cuda) return Promise::same_call;
    return Promise::any_call;
  }

  static SparseFactor sparse(const Dense& a, bool across, bool conjugated) {
    SparseFactor f;
    for (Index i = 0; i < a.n; ++i) {
      f.rows.emplace_back();
      for (Index j = 0; j < a.n; ++j) {
        const std::complex<double> value = across ? a(j, i) : a(i, j);
        if (value != 0.0)
          f.rows.back().push_back({j, widened(conjugated ? std::conj(value) : value)});
      }
    }
    return f;
  }
  // (R A C)(row_order[i], col_order[j]) = (L D U)(i, j).
  std::vector<SparseFactor> factors_of_part(Index problem, unsigned version, Part part) const {
    if (part == Part::refined)
      return {sparse(dense(CsrView<T>(matrix(problem, version))), false, false)};
    const Factors<T> f = factors(problem, version);
    const Dense l = dense(f.lower, f.n), n = f.symmetric ? l : dense(f.upper, f.n);
    const SparseFactor lower = sparse(l, false, false), upper = sparse(n, true, f.symmetric);
    std::vector<SparseFactor> product{lower};
    if (!f.diagonal.empty()) product.push_back(diagonal_factor(widened(f.diagonal)));
    product.push_back(upper);
    switch (part) {
      case Part::lower:
        return {lower};
      case Part::upper:
        return {upper};
      case Part::lower_transposed:
        return {transposed(lower, false)};
      case Part::upper_transposed:
        return {transposed(upper, false)};
      case Part::triangles:
        return product;
      default:
        break;
    }
    const auto divided = [](const std::vector<Real<T>>& scale) {
      WideVector d;
      for (const Real<T> s : scale) d.push_back(Wide(1 / static_cast<long double>(s)));
      return diagonal_factor(d);
    };
    if (!f.row_order.empty())
      product.insert(product.begin(), transposed(permutation_factor(f.row_order), false));
    if (!f.row_scale.empty()) product.insert(product.begin(), divided(f.row_scale));
    if (!f.col_order.empty()) product.push_back(permutation_factor(f.col_order));
    if (!f.col_scale.empty()) product.push_back(divided(f.col_scale));
    return product;
  }

  std::map<std::tuple<Index, unsigned, Part>, std::optional<System>> systems_;
};

}  // namespace

std::unique_ptr<Subject> make_direct_subject(const Setting& s) {
  return with_scalar(s.precision, [&]<class T>() -> std::unique_ptr<Subject> {
    return std::make_unique<DirectSubject<T>>(s);
  });
}

}  // namespace echelon::test
