// bindings/c/solve.cpp -- the calls that every solver of the C interface has.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "echelon/device.hpp"
#include "echelon/version.hpp"
#include "handles.hpp"
#include "settings.hpp"

struct echelon_workspace {
  std::shared_ptr<echelon::c::Shared> shared;
  std::unique_ptr<echelon::c::Space> space;
  echelon::c::Call call;
};

namespace echelon::c {

void AnySolver::check(Space*) const {}
Refined AnySolver::refine(Space*, const Call&, const echelon_matrix&, const void*, void*) const {
  refuse(std::string(kind()) + " does not refine; a direct solver does");
}
void AnySolver::update(const echelon_matrix*) {
  refuse(std::string(kind()) + " has no echelon_update");
}
void AnySolver::update_factors(const echelon_matrix*, const echelon_matrix*) {
  refuse(std::string(kind()) + " has no factors of the caller: use echelon_update");
}
void AnySolver::update_batch(const void*, Offset) {
  refuse(std::string(kind()) + " is of one system: use echelon_update");
}
std::vector<Index> AnySolver::failed(Space*) const {
  refuse(std::string(kind()) + " is of one system: use echelon_check");
}

namespace {

// f(shared) with what the handle has; errors are kept with it.
// `a`: its rows are those that errors name; null: the solver's are.
template <class Handle, class F>
echelon_status with_handle(Handle* handle, F&& f, const echelon_matrix* a = nullptr) {
  if (handle == nullptr)
    return guard(nullptr, 0, [] { refuse_null("the solver or workspace is NULL"); });
  Shared& shared = *handle->shared;
  return guard(&shared.slot, a == nullptr ? shared.base : a->base, [&] { f(shared); });
}

void run(Shared& shared, Space* space, const Call& call, const void* b, void* x) {
  if (shared.failed) refuse("the last update of this solver failed; update it with valid values");
  shared.any->solve(space, call, b, x);
}

void run_refined(Shared& shared, Space* space, const Call& call, const echelon_matrix* a,
                 const void* b, void* x, int32_t* steps, double* backward_error) {
  if (shared.failed) refuse("the last update of this solver failed; update it with valid values");
  const Refined r = shared.any->refine(space, call, given(a, "to refine with"), b, x);
  if (steps != nullptr) *steps = r.steps;
  if (backward_error != nullptr) *backward_error = r.error;
}

// The solver has values of the last update or none: it refuses from the begin of an update on.
template <class F>
echelon_status run_update(echelon_solver* solver, const echelon_matrix* a, F&& f) {
  const auto update = [&](Shared& shared) {
    shared.failed = true;
    f(*shared.any);
    shared.failed = false;
  };
  return with_handle(solver, update, a);
}

void list_failed(const AnySolver& any, Space* space, int64_t most, int64_t* systems,
                 int64_t* count) {
  if (count == nullptr) refuse("the place for the number of failed systems is NULL");
  if (most < 0) refuse("there cannot be room for fewer than no systems");
  if (systems == nullptr && most > 0) refuse("the place for the failed systems is NULL");
  const std::vector<Index> failed = any.failed(space);
  *count = static_cast<int64_t>(failed.size());
  std::copy_n(failed.begin(), std::min(most, *count), systems);
}

void set_vectors(Call& call, int64_t nrhs, int64_t ldb, int64_t ldx, echelon_layout layout) {
  if (nrhs < 0 || nrhs > std::numeric_limits<Index>::max())
    refuse("nrhs is " + std::to_string(nrhs) + "; it is a number from 0 to 2^31 - 1");
  if (ldb < 0 || ldx < 0) refuse("a leading dimension is negative");
  if (layout != ECHELON_COLUMN_MAJOR && layout != ECHELON_ROW_MAJOR)
    refuse("there is no layout " + std::to_string(static_cast<int>(layout)));
  call.nrhs = static_cast<Index>(nrhs);
  call.ldb = ldb;
  call.ldx = ldx;
  call.layout = layout == ECHELON_ROW_MAJOR ? Layout::row_major : Layout::column_major;
}

void read_call(const AnySolver& any, const char* settings, Call& call) {
  Call changed = call;
  read_settings(settings, changed);
  set_vectors(changed, changed.nrhs, changed.ldb, changed.ldx,
              changed.layout == Layout::row_major ? ECHELON_ROW_MAJOR : ECHELON_COLUMN_MAJOR);
  any.check_call(changed);
  call = changed;
}

std::string& kept_text() {
  thread_local std::string text;
  return text;
}

}  // namespace
}  // namespace echelon::c

using namespace echelon;
using namespace echelon::c;

void echelon_destroy(echelon_solver* solver) { delete solver; }
void echelon_destroy_workspace(echelon_workspace* workspace) { delete workspace; }

echelon_status echelon_update(echelon_solver* solver, const echelon_matrix* a) {
  return run_update(solver, a, [&](AnySolver& any) { any.update(a); });
}

echelon_status echelon_update_factors(echelon_solver* solver, const echelon_matrix* l,
                                      const echelon_matrix* u) {
  return run_update(solver, l, [&](AnySolver& any) { any.update_factors(l, u); });
}

echelon_status echelon_update_batch(echelon_solver* solver, const void* values, int64_t stride) {
  return run_update(solver, nullptr, [&](AnySolver& any) { any.update_batch(values, stride); });
}

echelon_status echelon_solve(echelon_solver* solver, const void* b, void* x) {
  return with_handle(solver, [&](Shared& shared) {
    Call call;
    call.nrhs = shared.any->least_vectors();
    run(shared, nullptr, call, b, x);
  });
}

echelon_status echelon_solve_many(echelon_solver* solver, int64_t nrhs, const void* b, int64_t ldb,
                                  void* x, int64_t ldx, echelon_layout layout) {
  return with_handle(solver, [&](Shared& shared) {
    Call call;
    set_vectors(call, nrhs, ldb, ldx, layout);
    run(shared, nullptr, call, b, x);
  });
}

echelon_status echelon_solve_refined(echelon_solver* solver, const echelon_matrix* a, const void* b,
                                     void* x, int32_t* steps, double* backward_error) {
  return with_handle(
      solver,
      [&](Shared& shared) { run_refined(shared, nullptr, Call(), a, b, x, steps, backward_error); },
      a);
}

echelon_status echelon_check(echelon_solver* solver) {
  return with_handle(solver, [&](Shared& shared) { shared.any->check(nullptr); });
}

echelon_status echelon_failed(echelon_solver* solver, int64_t most, int64_t* systems,
                              int64_t* count) {
  return with_handle(
      solver, [&](Shared& shared) { list_failed(*shared.any, nullptr, most, systems, count); });
}

echelon_status echelon_create_workspace(echelon_workspace** out, echelon_solver* solver,
                                        const char* settings) {
  return with_handle(solver, [&](Shared& shared) {
    if (out == nullptr) refuse("the place for the new workspace is NULL");
    *out = nullptr;
    auto workspace = std::make_unique<echelon_workspace>();
    workspace->call.nrhs = shared.any->least_vectors();
    read_call(*shared.any, settings, workspace->call);
    workspace->shared = solver->shared;
    workspace->space = shared.any->make_space();
    *out = workspace.release();
  });
}

echelon_status echelon_set(echelon_workspace* workspace, const char* settings) {
  return with_handle(workspace,
                     [&](Shared& shared) { read_call(*shared.any, settings, workspace->call); });
}

echelon_status echelon_set_vectors(echelon_workspace* workspace, int64_t nrhs, int64_t ldb,
                                   int64_t ldx, echelon_layout layout) {
  return with_handle(workspace,
                     [&](Shared&) { set_vectors(workspace->call, nrhs, ldb, ldx, layout); });
}

echelon_status echelon_set_alpha(echelon_workspace* workspace, const void* alpha) {
  return with_handle(workspace, [&](Shared& shared) {
    if (alpha == nullptr) refuse("alpha is NULL");
    Call changed = workspace->call;
    changed.alpha = with_type(shared.any->type(), [&]<class T>() {
      return std::complex<double>(*static_cast<const T*>(alpha));
    });
    changed.has_alpha = true;
    shared.any->check_call(changed);
    workspace->call = changed;
  });
}

echelon_status echelon_set_stream(echelon_workspace* workspace, void* stream) {
  return with_handle(workspace, [&](Shared&) { workspace->call.stream = stream; });
}

echelon_status echelon_solve_in(echelon_workspace* workspace, const void* b, void* x) {
  return with_handle(workspace, [&](Shared& shared) {
    run(shared, workspace->space.get(), workspace->call, b, x);
  });
}

echelon_status echelon_solve_refined_in(echelon_workspace* workspace, const echelon_matrix* a,
                                        const void* b, void* x, int32_t* steps,
                                        double* backward_error) {
  const auto refined = [&](Shared& shared) {
    run_refined(shared, workspace->space.get(), workspace->call, a, b, x, steps, backward_error);
  };
  return with_handle(workspace, refined, a);
}

echelon_status echelon_check_in(echelon_workspace* workspace) {
  return with_handle(workspace, [&](Shared& shared) { shared.any->check(workspace->space.get()); });
}

echelon_status echelon_failed_in(echelon_workspace* workspace, int64_t most, int64_t* systems,
                                 int64_t* count) {
  return with_handle(workspace, [&](Shared& shared) {
    list_failed(*shared.any, workspace->space.get(), most, systems, count);
  });
}

echelon_status echelon_report_number(echelon_solver* solver, const char* name, double* value) {
  return with_handle(solver, [&](Shared& shared) {
    if (name == nullptr || value == nullptr) refuse("the name or the place for its value is NULL");
    (void)shared.any->field(name, value);
  });
}

echelon_status echelon_report_text(echelon_solver* solver, const char* name, const char** text) {
  return with_handle(solver, [&](Shared& shared) {
    if (name == nullptr || text == nullptr) refuse("the name or the place for its text is NULL");
    kept_text() = shared.any->field(name, nullptr);
    *text = kept_text().c_str();
  });
}

echelon_status echelon_report(echelon_solver* solver, const char** text) {
  return with_handle(solver, [&](Shared& shared) {
    if (text == nullptr) refuse("the place for the text is NULL");
    kept_text() = shared.any->report();
    *text = kept_text().c_str();
  });
}

const char* echelon_version(void) { return ECHELON_VERSION; }

int echelon_version_number(void) {
  return ECHELON_VERSION_MAJOR * 10000 + ECHELON_VERSION_MINOR * 100 + ECHELON_VERSION_PATCH;
}

const char* echelon_built_with(void) {
  thread_local std::string text;
  try {
    text = has_cuda() ? "cpu,cuda" : "cpu";
    for (const std::string& package : factor_packages()) text += "," + package;
    return text.c_str();
  } catch (...) {
    return "";
  }
}
