// bindings/c/direct.cpp -- a solver with a factorization behind a C handle.
// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "direct_options.hpp"
#include "handles.hpp"
#include "report.hpp"

namespace echelon::c {
namespace {

// `package` is empty if the factors are the caller's.
template <Scalar T>
class FactorSolver final : public AnySolver {
 public:
  FactorSolver(Factors<T>&& factors, std::string package, const DirectOptions& o)
      : package_(std::move(package)), factor_(o.factor), solver_(std::move(factors), o.solver) {}

  const char* kind() const override { return "a direct solver"; }
  echelon_type type() const override { return type_of<T>(); }
  Index n() const override { return solver_.report().n; }
  std::unique_ptr<Space> make_space() const override {
    return std::make_unique<OwnSpace>(solver_.make_workspace());
  }
  void solve(Space* space, const Call& call, const void* b, void* x) const override {
    const auto from = right_sides<T>(call, n(), b);
    const auto to = answers<T>(call, n(), x);
    if (space == nullptr) return solver_.solve(from, to, solve_options<T>(call));
    solver_.solve(memory_of(space), from, to, solve_options<T>(call));
  }
  void check(Space* space) const override {
    if (space == nullptr) return solver_.check();
    solver_.check(memory_of(space));
  }
  Refined refine(Space* space, const Call& call, const echelon_matrix& a, const void* b,
                 void* x) const override {
    refuse_for_refinement(call);
    Csr<T> copy;
    const CsrView<T> matrix = by_rows(given_whole(&a, "to refine with", type()), copy);
    const auto from = right_sides<T>(call, n(), b);
    const auto to = answers<T>(call, n(), x);
    const RefineOptions o{.steps = call.steps};
    const RefineReport r = space == nullptr ? solver_.solve(matrix, from, to, o)
                                            : solver_.solve(memory_of(space), matrix, from, to, o);
    return {r.steps, r.last_error};
  }
  void update(const echelon_matrix* a) override {
    if (package_.empty())
      refuse("this solver has the caller's L and U: use echelon_update_factors");
    solver_.update(factor_matrix<T>(a, "of an update", package_, factor_));
  }
  void update_factors(const echelon_matrix* l, const echelon_matrix* u) override {
    if (!package_.empty()) refuse("this solver factors with " + package_ + ": use echelon_update");
    solver_.update(factors_given<T>(l, u));
  }
  std::string field(const std::string& name, double* number) const override {
    return find_field(solver_.report(), name, number);
  }
  std::string report() const override { return report_text(solver_.report()); }

 private:
  struct OwnSpace : Space {
    explicit OwnSpace(typename DirectSolver<T>::Workspace&& w) : memory(std::move(w)) {}
    typename DirectSolver<T>::Workspace memory;
  };
  static typename DirectSolver<T>::Workspace& memory_of(Space* space) {
    return static_cast<OwnSpace*>(space)->memory;
  }

  std::string package_;
  FactorOptions factor_;
  DirectSolver<T> solver_;
};

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_direct(echelon_solver** out, const echelon_matrix* a,
                                     const char* package, const char* options) {
  return create_solver(out, base_of(a), [&] {
    DirectOptions o;
    read_settings(options, o);
    if (package != nullptr) {  // whose defaults depend on the backend
      o.factor = factor_defaults(package, o.solver.backend);
      read_settings(options, o);
    }
    const std::string by = package_given(package);
    return with_type(given(a, "to factor").type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      return std::make_unique<FactorSolver<T>>(factor_matrix<T>(a, "to factor", by, o.factor), by,
                                               o);
    });
  });
}

echelon_status echelon_create_factors(echelon_solver** out, const echelon_matrix* l,
                                      const echelon_matrix* u, const char* options) {
  return create_solver(out, base_of(l), [&] {
    DirectOptions o;
    read_settings(options, o.solver);
    return with_type(given(l, "L").type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      return std::make_unique<FactorSolver<T>>(factors_given<T>(l, u), "", o);
    });
  });
}
