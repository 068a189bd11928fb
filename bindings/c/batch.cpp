// bindings/c/batch.cpp -- a batch of triangles of one pattern behind a C handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/batch.hpp"

#include <limits>

#include "handles.hpp"
#include "report.hpp"
#include "settings.hpp"

namespace echelon::c {
namespace {

struct BatchSettings {
  BatchOptions all;

  struct Own {
    BatchOptions& all;
    template <class Visitor>
    void visit(Visitor&& v) {
      v("form", all.form, "");
      v("width", all.width, "");
    }
  };
  template <class Visitor>
  void visit(Visitor&& v) {
    all.solver.visit(v);
    Own own{all};
    v("batch", own, "");
  }
};

Index checked_count(std::int64_t count) {
  if (count < 0 || count > std::numeric_limits<Index>::max())
    refuse("count is " + std::to_string(count) + "; it is a number from 0 to 2^31 - 1");
  return static_cast<Index>(count);
}

template <Scalar T>
BatchValues<T> checked_values(const void* values, Index count, Offset stride, Offset nnz) {
  if (values == nullptr && count > 0 && nnz > 0) refuse("the values of the systems are NULL");
  if (stride < 0) refuse("the distance of the values of two systems is negative");
  return {static_cast<const T*>(values), count, stride};
}

template <Scalar T>
class TriangleBatch final : public AnySolver {
 public:
  TriangleBatch(const echelon_matrix& a, const BatchValues<T>& values, const BatchOptions& o)
      : nnz_(static_cast<Offset>(a.index.size())), solver_(a.triangle<T>(), values, o) {}

  const char* kind() const override { return "a batch"; }
  echelon_type type() const override { return type_of<T>(); }
  Index n() const override { return solver_.report().n; }
  Index least_vectors() const override { return solver_.report().count; }
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
  void update(const echelon_matrix*) override {
    refuse("a batch has values of many systems: use echelon_update_batch");
  }
  void update_batch(const void* values, Offset stride) override {
    solver_.update(checked_values<T>(values, solver_.report().count, stride, nnz_));
  }
  std::vector<Index> failed(Space* space) const override {
    return space == nullptr ? solver_.failed() : solver_.failed(memory_of(space));
  }
  std::string field(const std::string& name, double* number) const override {
    return find_field(solver_.report(), name, number);
  }
  std::string report() const override { return report_text(solver_.report()); }

 private:
  struct OwnSpace : Space {
    explicit OwnSpace(typename BatchSolver<T>::Workspace&& w) : memory(std::move(w)) {}
    typename BatchSolver<T>::Workspace memory;
  };
  static typename BatchSolver<T>::Workspace& memory_of(Space* space) {
    return static_cast<OwnSpace*>(space)->memory;
  }
  Offset nnz_;  // of the caller's pattern
  BatchSolver<T> solver_;
};

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

echelon_status echelon_create_batch(echelon_solver** out, const echelon_matrix* a, int64_t count,
                                    const void* values, int64_t stride, const char* options) {
  return create_solver(out, base_of(a), [&] {
    BatchSettings o;
    read_settings(options, o);
    const Index systems = checked_count(count);
    const echelon_matrix& m = given(a, "of a batch");
    return with_type(m.type, [&]<class T>() -> std::unique_ptr<AnySolver> {
      const auto nnz = static_cast<Offset>(m.index.size());
      return std::make_unique<TriangleBatch<T>>(m, checked_values<T>(values, systems, stride, nnz),
                                                o.all);
    });
  });
}
