// bindings/c/gauss_seidel.cpp -- Gauss-Seidel sweeps behind a C handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/smoother.hpp"
#include "handles.hpp"
#include "report.hpp"
#include "settings.hpp"

namespace echelon::c {
namespace {

struct SweepSettings {
  SmootherOptions all;

  struct Own {
    SmootherOptions& all;
    template <class Visitor>
    void visit(Visitor&& v) {
      v("direction", all.direction, "");
      v("form", all.form, "");
      v("omega", all.omega, "");
    }
  };
  template <class Visitor>
  void visit(Visitor&& v) {
    all.solver.visit(v);
    Own own{all};
    v("smoother", own, "");
  }
};

template <Scalar T>
class Smoother final : public AnySolver {
 public:
  Smoother(const echelon_matrix& a, const SmootherOptions& o)
      : order_(a.order),
        smoother_(SmootherAnalysis({a.order, a.n, a.n, a.start, a.index}, o), a.values_as<T>()) {}

  const char* kind() const override { return "Gauss-Seidel"; }
  echelon_type type() const override { return type_of<T>(); }
  Index n() const override { return smoother_.report().n; }
  std::unique_ptr<Space> make_space() const override {
    return std::make_unique<OwnSpace>(smoother_.make_workspace());
  }
  void check_call(const Call& call) const override {
    if (call.part != Part::full || call.op != Op::none || call.has_alpha)
      refuse("Gauss-Seidel has no part, op or alpha");
  }
  void solve(Space* space, const Call& call, const void* b, void* x) const override {
    const SweepOptions o{call.sweeps, call.guess, call.threads, call.stream};
    const auto from = right_sides<T>(call, n(), b);
    const auto to = answers<T>(call, n(), x);
    if (space == nullptr) return smoother_.solve(from, to, o);
    smoother_.solve(static_cast<OwnSpace*>(space)->memory, from, to, o);
  }
  void check(Space* space) const override {
    if (space == nullptr) return smoother_.check();
    smoother_.check(static_cast<OwnSpace*>(space)->memory);
  }
  void update(const echelon_matrix* a) override {
    const echelon_matrix& m = given_whole(a, "of an update", type());
    const auto count = static_cast<Offset>(m.index.size());
    if (m.n != n() || count != smoother_.report().nnz || m.order != order_)
      refuse("the matrix has " + std::to_string(m.n) + " rows and " + std::to_string(count) +
             " entries by " + name(m.order) + ", the solver was made with " + std::to_string(n()) +
             " and " + std::to_string(smoother_.report().nnz) + " by " + name(order_));
    smoother_.update(m.values_as<T>());
  }
  std::string field(const std::string& name, double* number) const override {
    return find_field(smoother_.report(), name, number);
  }
  std::string report() const override { return report_text(smoother_.report()); }

 private:
  struct OwnSpace : Space {
    explicit OwnSpace(typename GaussSeidel<T>::Workspace&& w) : memory(std::move(w)) {}
    typename GaussSeidel<T>::Workspace memory;
  };
  Order order_;
  GaussSeidel<T> smoother_;
};

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_gauss_seidel(echelon_solver** out, const echelon_matrix* a,
                                           const char* options) {
  return create_solver(out, base_of(a), [&] {
    SweepSettings o;
    read_settings(options, o);
    return with_type(given(a, "to sweep with").type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      (void)given_whole(a, "to sweep with", type_of<T>());
      return std::make_unique<Smoother<T>>(*a, o.all);
    });
  });
}
