// smoother/analysis.cpp -- from a pattern and options to scheduled triangles: the first phase.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "base/refuse.hpp"
#include "base/timer.hpp"
#include "echelon/device.hpp"
#include "smoother/plan.hpp"

namespace echelon {
namespace {

using State = SmootherAnalysis::State;

// True if the method's executor can also read the other triangle in its pass.
bool has_row_form(Method m) { return lists_of(m) == Order::rows && !is_supernodal(m); }

void check_options(const SmootherOptions& o) {
  check_options(o.solver);
  if (!(o.omega > 0 && o.omega < 2))
    refuse("omega is " + std::to_string(o.omega) +
           "; it must lie between 0 and 2, or no sweep converges");
  if (o.form == SweepForm::row && !has_row_form(o.solver.method))
    refuse(std::string("method ") + name(o.solver.method) +
           " has no row form; automatic, serial, level_row, element_row and superstep have");
  if (o.solver.backend != Backend::cpu && o.form == SweepForm::column &&
      has_row_form(o.solver.method))
    refuse(std::string("backend ") + name(o.solver.backend) +
           " has one form per method: a product by rows and a solve; take form automatic");
}

// On a device: of the method chosen there.
SweepForm form_on_device(Method method, std::string& reason) {
  reason = std::string("on a device a product by rows and a solve by ") +
           (has_row_form(method)    ? "rows"
            : is_supernodal(method) ? "supernodes"
                                    : "columns") +
           " read the matrix once per sweep";
  return has_row_form(method) ? SweepForm::row : SweepForm::column;
}

SweepForm choose_form(const SmootherOptions& o, std::string& reason) {
  reason = "it was asked for";
  if (o.form != SweepForm::automatic) return o.form;
  if (has_row_form(o.solver.method)) {
    reason = "a row form reads the matrix once per sweep";
    return SweepForm::row;
  }
  reason = std::string("method ") + name(o.solver.method) + " has no row form";
  return SweepForm::column;
}

TrianglePattern half(const Pattern& a, Uplo uplo, Diagonal diagonal) {
  return {a, uplo, Op::none, diagonal, OutsideEntries::ignore};
}

// The other triangle, without the diagonal, in the order of this one.
PackedPattern pack_across(const Pattern& a, Uplo uplo, const Buffer<Index>& order, Index threads) {
  const Uplo other = uplo == Uplo::lower ? Uplo::upper : Uplo::lower;
  return pack_pattern(find_dependency_graph(half(a, other, Diagonal::unit), Order::rows, threads),
                      Buffer<Index>(order), threads);
}

void build_sides(const Pattern& a, State& s) {
  const SmootherOptions& o = s.options;
  Options solver = o.solver;
  if (!s.on_device()) solver.check_finite = false;  // the sweep checks its result
  const std::size_t sides = o.direction == Sweep::symmetric ? 2 : 1;
  for (std::size_t k = 0; k < sides; ++k) {
    s.sides.emplace_back(half(a, uplo_of_side(o.direction, k), Diagonal::stored), solver);
    s.report.triangles.push_back(s.sides.back().report());
    s.report.plan_bytes += s.sides.back().report().plan_bytes;
  }
}

// The matrix by rows, as residuals and full sweeps read it.
void pack_rows(const Pattern& a, State& s) {
  const Index threads = thread_count(s.options.solver.cpu.threads);
  const bool by_row = s.gathers_rows();
  const Uplo uplo = by_row ? uplo_of_side(s.options.direction, 0) : Uplo::lower;
  if (!by_row) {
    Buffer<Index> order(static_cast<std::size_t>(a.rows));
    for (Index i = 0; i < a.rows; ++i) order[i] = i;
    s.own_near =
        pack_pattern(find_dependency_graph(half(a, uplo, Diagonal::stored), Order::rows, threads),
                     std::move(order), threads);
    s.report.plan_bytes += s.own_near.bytes();
  }
  s.across = pack_across(a, uplo, s.near().order, threads);
  s.report.plan_bytes += s.across.bytes();
  s.report.nnz = s.near().nonzeros() + s.across.nonzeros() + s.report.n;
  if (!by_row) return;
  s.report.symmetric_pattern = has_symmetric_pattern(s.near(), s.across);
  s.report.vectors = s.report.symmetric_pattern ? 1 : 2;
}

}  // namespace

SmootherAnalysis::SmootherAnalysis(const Pattern& a, const SmootherOptions& options) {
  const Timer timer;
  check_options(options);
  state_ = report_bad_alloc("analysis", [&] {
    auto state = std::make_shared<State>();
    state->options = options;
    Index& device = state->options.solver.cuda.device;
    if (state->on_device()) device = choose_device(device);
    const DeviceScope there(state->options.solver.device());
    state->stored = a.order;
    state->stored_count = a.nonzeros();
    state->report.n = a.rows;
    state->report.direction = options.direction;
    state->report.form = choose_form(options, state->report.reason);
    build_sides(a, *state);
    state->report.method = state->sides.front().report().method;
    if (state->on_device())
      state->report.form =
          form_on_device(state->sides.front().report().method, state->report.reason);
    pack_rows(a, *state);
    state->report.analysis_s = timer.seconds();
    return state;
  });
}

const SmootherReport& SmootherAnalysis::report() const { return state_->report; }
const SmootherOptions& SmootherAnalysis::options() const { return state_->options; }
const std::vector<Analysis>& SmootherAnalysis::triangles() const { return state_->sides; }

}  // namespace echelon
