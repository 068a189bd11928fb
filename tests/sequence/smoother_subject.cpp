// tests/sequence/smoother_subject.cpp -- sequences of calls on GaussSeidel, every form and
// direction.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <sstream>

#include "echelon/smoother.hpp"
#include "sequence/slot_subject.hpp"
#include "support/reference_sweep.hpp"

namespace echelon::test {
namespace {

constexpr double accepted = 100;  // roundings of the largest entry, after a few sweeps

template <Scalar T>
class SmootherSubject final : public SlotSubject<T, GaussSeidel<T>> {
 public:
  using Base = SlotSubject<T, GaussSeidel<T>>;
  using Base::setting_;
  using typename Base::Slot;
  using typename Base::Space;

  explicit SmootherSubject(const Setting& s) : Base(s) { this->make_both(); }

  Abilities abilities() const override {
    Abilities a = this->object_abilities();
    a.parts = {Part::plain, Part::plain, Part::plain, Part::residual, Part::norms};
    a.alpha = a.in_place = false;
    a.sweeps = true;
    return a;
  }

 private:
  Csr<T> matrix(Index problem, unsigned version) const {
    return make_matrix<T>(setting_, problem, version, Values::general);
  }
  GaussSeidel<T> make(Index problem, unsigned version) const override {
    SmootherOptions o;
    o.direction = setting_.sweep;
    o.form = setting_.form;
    o.omega = setting_.omega;
    o.solver.method = setting_.method;
    o.solver.backend = setting_.backend;
    o.solver.cpu.threads = setting_.threads;
    o.solver.cpu.rhs_per_pass = setting_.rhs_per_pass;
    o.solver.cuda.shared_memory = shared_memory_of_tests();
    return GaussSeidel<T>(matrix(problem, version), o);
  }
  void update(GaussSeidel<T>& smoother, Index problem, unsigned version) const override {
    smoother.update(matrix(problem, version).value);
  }
  void update_badly(GaussSeidel<T>& smoother, Index problem, unsigned seed) const override {
    Buffer<T> values = matrix(problem, 0).value;
    if (seed % 2 == 0 || values.empty())
      values.push_back(T(1));
    else
      std::fill(values.begin(), values.end(), T(0));
    smoother.update(values);
  }

  Call adapted(Call call) const override {
    call.in_place = false;
    if (call.action == Action::misuse || call.action == Action::at_once) call.part = Part::plain;
    if (call.part != Part::plain) call.on_device = call.poison = false;
    return call;
  }
  bool reads_x(const Call& call) const override {
    return call.part != Part::plain || !call.zero_guess;
  }
  bool sees_poison(const Call& call) const override { return call.sweeps > 0; }

  bool takes_workspace(const Call& call) const override { return call.part == Part::plain; }

  void ask(Slot& slot, const Vectors<const T>& b, const Vectors<T>& x, const Call& call,
           Space* space) override {
    const GaussSeidel<T>& s = *slot.solver;
    const Guess guess = call.zero_guess ? Guess::zero : Guess::given;
    const SweepOptions o{call.sweeps, guess, call.threads, this->stream_of(call)};
    if (call.part == Part::plain)
      return space == nullptr ? s.solve(b, x, o) : s.solve(*space, b, x, o);
    if (call.part == Part::norms) {
      norms_ = s.residual_norms(b, x, this->stream_of(call));
      return;
    }
    rest_.assign(static_cast<std::size_t>(x.n) * static_cast<std::size_t>(x.count), T(0));
    s.residual(b, x, Vectors<T>(rest_.data(), x.n, x.count, 0, x.layout), this->stream_of(call));
  }

  std::string judge(Index problem, unsigned version, const CallVectors<T>& v) override {
    const Call& call = v.call();
    const Csr<T> a = matrix(problem, version);
    for (Index k = 0; k < call.count; ++k) {
      const std::vector<T> b = v.right(k), x = v.answer(k);
      const std::string wrong = call.part == Part::plain ? judge_sweeps(a, problem, version, v, k)
                                                         : judge_rest(a, b, x, call, k);
      if (!wrong.empty()) return "vector " + std::to_string(k) + wrong;
    }
    return {};
  }
  // The largest term of a sweep's sums: x itself may be a difference of such terms.
  long double size_of_terms(const Csr<T>& a, const CallVectors<T>& v, Index k) const {
    long double most = 0;
    const std::vector<T> b = v.right(k), guess = v.guess(k);
    for (Index i = 0; i < a.rows; ++i) {
      if (!v.call().zero_guess) most = std::max<long double>(most, std::abs(guess[i]));
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        if (a.index[p] == i) most = std::max<long double>(most, std::abs(b[i] / a.value[p]));
    }
    return most;
  }
  std::string judge_sweeps(const Csr<T>& a, Index problem, unsigned version,
                           const CallVectors<T>& v, Index k) {
    const Call& call = v.call();
    const std::vector<T> x = v.answer(k);
    const auto expected =
        reference_sweeps(a, v.right(k), call.zero_guess ? std::vector<T>(x.size()) : v.guess(k),
                         setting_.sweep, setting_.omega, call.sweeps);
    const double error = sweep_error(x, expected, size_of_terms(a, v, k));
    std::ostringstream text;
    text << " is " << error << " roundings away from the oracle's, accepted " << accepted;
    if (!(error <= accepted)) return text.str();
    const auto& triangles = this->slots_[0].solver->report().triangles;
    Promise promise = setting_.backend == Backend::cuda ? Promise::same_call : Promise::any_call;
    for (const AnalysisReport& t : triangles)
      if (!is_deterministic(t.method)) promise = Promise::none;
    return this->book_.agrees(promise, problem, version, call, k, widened(x))
               ? ""
               : " has other bits than before";
  }
  // Checks r = b - A x up to rounding of |A||x| + |b|, and its norm.
  std::string judge_rest(const Csr<T>& a, const std::vector<T>& b, const std::vector<T>& x,
                         const Call& call, Index k) const {
    const auto eps = static_cast<long double>(std::numeric_limits<Real<T>>::epsilon());
    long double squares = 0, squared_slack = 0;
    for (Index i = 0; i < a.rows; ++i) {
      Wide r = widened(b[i]);
      long double size = std::abs(r);
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
        const Wide term = multiply(widened(a.value[p]), widened(x[a.index[p]]));
        r -= term;
        size += std::abs(term);
      }
      const long double slack =
          2 * size * static_cast<long double>(a.start[i + 1] - a.start[i] + 2) * eps;
      squares += std::norm(r);
      squared_slack += slack * slack;
      if (call.part == Part::norms) continue;
      const Offset at =
          call.layout == Layout::column_major ? Offset{k} * a.rows + i : Offset{i} * call.count + k;
      if (!(std::abs(widened(rest_[at]) - r) <= slack)) return ": the residual is wrong";
    }
    if (call.part != Part::norms) return {};
    const long double gap = std::abs(std::sqrt(squares) - static_cast<long double>(norms_[k]));
    return gap <= std::sqrt(squared_slack) + 8 * eps * std::sqrt(squares)
               ? ""
               : ": the norm of the residual is wrong";
  }

  std::vector<T> rest_;
  std::vector<double> norms_;
};

}  // namespace

std::unique_ptr<Subject> make_smoother_subject(const Setting& s) {
  return with_scalar(s.precision, [&]<class T>() -> std::unique_ptr<Subject> {
    return std::make_unique<SmootherSubject<T>>(s);
  });
}

}  // namespace echelon::test
