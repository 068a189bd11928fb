// tests/sequence/batch_subject.cpp -- sequences of calls on BatchSolver, with a singular system.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>

#include "echelon/batch.hpp"
#include "sequence/slot_subject.hpp"

namespace echelon::test {
namespace {

constexpr unsigned singular_version = 2;  // in which one system has a zero on its diagonal

// A batch and the systems that its values leave without answers: no solve throws for them.
template <Scalar T>
struct CheckedBatch {
  using Workspace = typename BatchSolver<T>::Workspace;
  BatchSolver<T> batch;
  std::vector<Index> singular;

  Workspace make_workspace() const { return batch.make_workspace(); }
  void check() const { expect_failed(batch.failed(), singular); }
  void check(const Workspace& space) const { expect_failed(batch.failed(space), singular); }
  static void expect_failed(const std::vector<Index>& failed, const std::vector<Index>& expected) {
    if (failed != expected)
      throw Error(ErrorCode::backend_failed, "failed() lists " + std::to_string(failed.size()) +
                                                 " systems, or others, for " +
                                                 std::to_string(expected.size()));
  }
};

template <Scalar T>
class BatchSubject final : public SlotSubject<T, CheckedBatch<T>> {
 public:
  using Base = SlotSubject<T, CheckedBatch<T>>;
  using Base::setting_;
  using typename Base::Slot;
  using typename Base::Space;

  explicit BatchSubject(const Setting& s) : Base(s) { this->make_both(); }

  // A refused update leaves the batch as it was: see update().  What failed is asked for after each
  // solve on the host; a check later would tell of a NaN again.
  Abilities abilities() const override {
    Abilities a = this->object_abilities();
    a.parts = {Part::plain, Part::plain, Part::transposed, Part::conjugated};
    std::erase(a.actions, Action::bad_update);
    if (!a.on_device) std::erase(a.actions, Action::check);
    a.actions.insert(a.actions.end(), 6, Action::update);  // one in six is to a singular system
    a.poison = !a.on_device;
    a.most_count = 5;
    return a;
  }

 private:
  static constexpr Offset gap = 3;  // between the values of two systems, of every second version

  auto store(Index problem, unsigned version, Index system) const {
    const unsigned own = version + Base::versions * static_cast<unsigned>(system);
    return store_triangle<T>(setting_, problem, own, tiny_row(problem, version));
  }
  std::vector<Index> singular(Index problem, unsigned version) const {
    const bool is = version == singular_version && setting_.diagonal == Diagonal::stored &&
                    size_of(setting_, problem) > 0;
    return is ? std::vector<Index>{setting_.systems / 2} : std::vector<Index>{};
  }

  struct Values {
    std::vector<T> data;
    BatchValues<T> view;
  };
  Values values_of(Index problem, unsigned version) const {
    Values all;
    const Offset between = version % 2 == 0 ? 0 : gap;
    Offset nnz = 0;
    for (Index k = 0; k < setting_.systems; ++k) {
      const auto stored = store(problem, version, k);
      const Triangle<T>& t = stored->triangle;
      nnz = t.stored.nonzeros();
      all.data.insert(all.data.end(), t.value.begin(), t.value.end());
      all.data.insert(all.data.end(), static_cast<std::size_t>(between),
                      T(std::numeric_limits<Real<T>>::quiet_NaN()));
      for (const Index zero : singular(problem, version))
        if (zero == k)
          all.data[static_cast<std::size_t>(k * (nnz + between) + diagonal_place(t, t.n() / 2))] =
              T(0);
    }
    all.view = {all.data.data(), setting_.systems, nnz + between};
    return all;
  }
  static Offset diagonal_place(const Triangle<T>& t, Index i) {
    Offset p = t.stored.start[i];
    while (t.stored.index[p] != i) ++p;
    return p;
  }

  CheckedBatch<T> make(Index problem, unsigned version) const override {
    BatchOptions o{.form = setting_.batch_form};
    o.solver.method = setting_.method;
    o.solver.backend = setting_.backend;
    o.solver.cpu.threads = setting_.threads;
    o.solver.cpu.vector_unit = setting_.unit;
    o.solver.cuda.shared_memory = shared_memory_of_tests();
    const auto first = store(problem, version, 0);
    return {BatchSolver<T>(first->triangle, values_of(problem, version).view, o),
            singular(problem, version)};
  }
  void update(CheckedBatch<T>& s, Index problem, unsigned version) const override {
    Values all = values_of(problem, version);
    s.batch.update(all.view);
    s.singular = singular(problem, version);
    ++all.view.count;
    const Refusal r = refusal([&] { s.batch.update(all.view); });
    if (r.code != ErrorCode::bad_argument)
      throw Error(ErrorCode::backend_failed, "values of too many systems were taken");
  }
  void update_badly(CheckedBatch<T>&, Index, unsigned) const override {}

  void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
           Space* space) override {
    const CheckedBatch<T>& s = *slot.solver;
    const SolveOptions<T> o{.alpha = alpha_of<T>(call),
                            .op = op_of(call.part),
                            .threads = call.threads,
                            .stream = this->stream_of(call)};
    if (space == nullptr)
      s.batch.solve(b, x, o);
    else
      s.batch.solve(*space, b, x, o);
    if (call.on_device) return;
    std::vector<Index> expected = s.singular;
    const bool poisoned = call.poison && b.count > 0 && b.n > 0;
    const Index ill = poisoned ? system_of(call, call.count / 2) : -1;
    if (poisoned && !contains(expected, ill)) expected.push_back(ill);
    std::sort(expected.begin(), expected.end());
    s.expect_failed(space == nullptr ? s.batch.failed() : s.batch.failed(*space), expected);
    if (poisoned) throw Error(ErrorCode::not_finite, "system " + std::to_string(ill));
  }

  // Each system has as many vectors.  The transpose of a triangle with a tiny row has answers that
  // overflow.
  Call adapted(Call call) const override {
    const Slot& slot = this->slots_[call.solver];
    if (tiny_row(slot.problem, slot.version) >= 0) call.part = Part::plain;
    call.count *= setting_.systems;
    return call;
  }
  Index system_of(const Call& call, Index k) const { return k / (call.count / setting_.systems); }
  static bool contains(const std::vector<Index>& numbers, Index k) {
    return std::find(numbers.begin(), numbers.end(), k) != numbers.end();
  }
  static Op op_of(Part part) {
    if (part == Part::transposed) return Op::transpose;
    return part == Part::conjugated ? Op::conjugate : Op::none;
  }

  std::string judge(Index problem, unsigned version, const CallVectors<T>& v) override {
    for (Index k = 0; k < v.call().count; ++k) {
      const std::string wrong = judge_vector(problem, version, v, k);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }
  std::string judge_vector(Index problem, unsigned version, const CallVectors<T>& v, Index k) {
    const Index number = system_of(v.call(), k);
    const WideVector x = widened(v.answer(k));
    if (contains(singular(problem, version), number)) {
      const bool none = std::all_of(x.begin(), x.end(), [](const Wide& a) { return a != a; });
      return none ? "" : "vector " + std::to_string(k) + " of a singular system is not NaN";
    }
    const Part part = v.call().part;
    auto& system = systems_[{problem, version, part, number}];
    if (!system) {
      const SparseFactor m = factor_of(store(problem, version, number)->triangle);
      system.emplace(std::vector<SparseFactor>{
          part == Part::plain ? m : transposed(m, part == Part::conjugated)});
    }
    Bound bound;
    bound.template set_rounding<Real<T>>();
    const double error =
        system->error(widened(v.right(k)), x, widened(alpha_of<T>(v.call())), bound);
    if (!(error <= bound.most)) return wrong_answer(k, error, bound);
    const auto promise = setting_.backend == Backend::cpu ? Promise::any_call : Promise::same_call;
    const Index question = problem * setting_.systems + number;
    return this->book_.agrees(promise, question, version, v.call(), k, x)
               ? ""
               : "vector " + std::to_string(k) + " has other bits than before";
  }

  Index tiny_row(Index problem, unsigned version) const override {
    return tiny_row_of(setting_, problem, version);
  }

  std::map<std::tuple<Index, unsigned, Part, Index>, std::optional<System>> systems_;
};

}  // namespace

std::unique_ptr<Subject> make_batch_subject(const Setting& s) {
  return with_scalar(s.precision, [&]<class T>() -> std::unique_ptr<Subject> {
    return std::make_unique<BatchSubject<T>>(s);
  });
}

}  // namespace echelon::test
