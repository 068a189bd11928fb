// bindings/c/triangle.cpp -- a triangular solver behind a C handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"
#include "handles.hpp"
#include "report.hpp"
#include "settings.hpp"

namespace echelon::c {
namespace {

template <Scalar T>
class TriangleSolver final : public AnySolver {
 public:
  TriangleSolver(const echelon_matrix& a, const Options& options)
      : solver_(a.triangle<T>(), options) {}

  const char* kind() const override { return "a triangular solver"; }
  echelon_type type() const override { return type_of<T>(); }
  Index n() const override { return solver_.report().n; }
  std::unique_ptr<Space> make_space() const override {
    return std::make_unique<OwnSpace>(solver_.make_workspace());
  }
  void solve(Space* space, const Call& call, const void* b, void* x) const override {
    const auto from = right_sides<T>(call, n(), b);
    const auto to = answers<T>(call, n(), x);
    if (space == nullptr) return solver_.solve(from, to, solve_options<T>(call));
    solver_.solve(static_cast<OwnSpace*>(space)->memory, from, to, solve_options<T>(call));
  }
  void check(Space* space) const override {
    if (space == nullptr) return solver_.check();
    solver_.check(static_cast<OwnSpace*>(space)->memory);
  }
  void update(const echelon_matrix* a) override {
    const echelon_matrix& m = given(a, "of an update", type());
    solver_.analysis().check_same(m.triangle<T>());
    solver_.update(m.values_as<T>());
  }
  std::string field(const std::string& name, double* number) const override {
    return find_field(solver_.report(), name, number);
  }
  std::string report() const override { return report_text(solver_.report()); }

 private:
  struct OwnSpace : Space {
    explicit OwnSpace(typename Solver<T>::Workspace&& w) : memory(std::move(w)) {}
    typename Solver<T>::Workspace memory;
  };
  Solver<T> solver_;
};

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_triangle(echelon_solver** out, const echelon_matrix* a,
                                       const char* options) {
  return create_solver(out, base_of(a), [&] {
    Options o;
    read_settings(options, o);
    return with_type(given(a, "of a triangle").type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      return std::make_unique<TriangleSolver<T>>(*a, o);
    });
  });
}
