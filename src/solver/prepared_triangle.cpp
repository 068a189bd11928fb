// solver/prepared_triangle.cpp -- the forms of a triangle: values, transposes, solves.
// SPDX-License-Identifier: BSD-3-Clause
#include "solver/prepared_triangle.hpp"

#include <algorithm>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "base/refuse.hpp"

namespace echelon {
namespace {

constexpr Offset list_grain = 1 << 13;

// Methods whose panels become sparse matrices, one set per pass.
bool makes_matrices(Method m) { return m == Method::spmv || m == Method::invert_full; }

// A plan that lives as long as its analysis.
std::shared_ptr<const Plan> plan_of(const Analysis& analysis) {
  const auto kept = std::make_shared<const Analysis>(analysis);
  return {kept, &kept->plan()};
}

// Where the lists of a packed pattern begin if they are sorted by unknown.  Size n+1.
Buffer<Offset> starts_by_unknown(const PackedPattern& pattern) {
  Buffer<Offset> start(static_cast<std::size_t>(pattern.n) + 1);
  start[0] = 0;
  for (Index k = 0; k < pattern.n; ++k)
    start[pattern.order[k] + 1] = pattern.start[k + 1] - pattern.start[k];
  for (Index i = 0; i < pattern.n; ++i) start[i + 1] += start[i];
  return start;
}

// The entries of a packed pattern, lists sorted by unknown.
template <class Number>
Buffer<Number> sort_lists(const PackedPattern& pattern, std::span<const Offset> start,
                          const Buffer<Number>& packed, Index threads) {
  Buffer<Number> sorted(packed.size());
  parallel_pieces(pattern.n, list_grain, threads, [&](Offset begin, Offset end, Index) {
    for (auto k = static_cast<Index>(begin); k < end; ++k)
      std::copy(packed.begin() + pattern.start[k], packed.begin() + pattern.start[k + 1],
                sorted.begin() + start[pattern.order[k]]);
  });
  return sorted;
}

}  // namespace

Offset TriangleSpace::bytes() const {
  Offset sum = own ? own->bytes() : 0;
  for (const auto& space : turned) sum += space ? space->bytes() : 0;
  return sum;
}

template <Scalar T>
PreparedTriangle<T>::PreparedTriangle(const Analysis& analysis)
    : options_(analysis.options()),
      shape_(analysis.shape()),
      stored_count_(analysis.stored_count()) {
  own_.plan = plan_of(analysis);
  own_.executor = make_executor<T>(plan().method, options_.backend);
}

template <Scalar T>
PreparedTriangle<T>::PreparedTriangle(const std::shared_ptr<const Plan>& plan, const Options& o)
    : options_(o), both_ways_(true) {
  own_.plan = plan;
  own_.executor = make_executor<T>(plan->method, o.backend);
}

// --- Values.

template <Scalar T>
void PreparedTriangle<T>::load(std::span<const T> stored, bool conjugated) {
  conjugated_ = conjugated;
  if (!is_panels()) {
    pack_values(plan().pattern, stored, stored_count_, conjugated, own_.values,
                options_.cpu.threads);
    own_.executor->load(plan(), own_.values);
  } else {
    if (static_cast<Offset>(stored.size()) != stored_count_)
      refuse("there are " + std::to_string(stored.size()) + " values for a pattern with " +
             std::to_string(stored_count_) + " entries");
    set_up_own(
        [&](const BlockPlan& blocks) {
          return fill_from_lists(blocks, plan().pattern, stored, conjugated_);
        },
        own_pass(false));
    if (makes_matrices(plan().method)) stored_.assign(stored.begin(), stored.end());
  }
  for (std::size_t slot = 0; slot < turned_.size(); ++slot)
    if (turned_[slot]) load_turned(*turned_[slot], slot);
}

template <Scalar T>
void PreparedTriangle<T>::load(const FactorTriangle<T>& factor) {
  set_up_own([&](const BlockPlan& blocks) { return fill_from_factor(blocks, factor); },
             Sweep::symmetric);
}

template <Scalar T>
void PreparedTriangle<T>::set_up(Form& form, const FillPanel<T>& fill_panel, Sweep sweep) const {
  form.executor->setup(*form.plan, fill_panel, sweep, options_.numeric, form.blocks,
                       options_.cpu.threads);
}

// --- Parts of panels.

// Whether a panel that should be inverted is still a triangle.
template <Scalar T>
bool PreparedTriangle<T>::cuts_panels() const {
  return recipe_of(plan().method).form != BlockForm::triangle &&
         std::ranges::find(own_.blocks.form, BlockForm::triangle) != own_.blocks.form.end();
}

// fill_of(plan): what fills the panels of a plan.
template <Scalar T>
template <class FillOf>
void PreparedTriangle<T>::set_up_own(const FillOf& fill_of, Sweep sweep) {
  set_up(own_, fill_of(plan().blocks), sweep);
  if (loaded_) return;
  loaded_ = true;
  if (!cuts_panels()) return;
  const Buffer<Index> first = find_trusted_parts(plan().blocks, fill_of(plan().blocks),
                                                 std::span<const BlockForm>(own_.blocks.form),
                                                 options_.numeric, options_.cpu.threads);
  if (first.size() == plan().blocks.supernodes.first.size()) return;
  auto parts = std::make_shared<Plan>(plan());
  const Method method = plan().method;
  parts->blocks = cut_blocks(plan().blocks, first, recipe_of(method),
                             supernode_options(options_, method), parts_);
  own_.plan = std::move(parts);
  own_.executor = make_executor<T>(method, options_.backend);
  own_.blocks = {};
  set_up(own_, fill_of(plan().blocks), sweep);
}

template <Scalar T>
void PreparedTriangle<T>::report_parts(SupernodeReport& report) const {
  if (parts_.cut == 0) return;
  report.cut = parts_.cut;
  report.tasks = parts_.tasks;
  report.task_levels = parts_.task_levels;
  report.max_panel_columns = parts_.max_panel_columns;
  report.stored = parts_.stored;
}

template <Scalar T>
void PreparedTriangle<T>::fill(Form& form, Sweep sweep, std::span<const T> stored) const {
  set_up(form, fill_from_lists(plan().blocks, plan().pattern, stored, conjugated_), sweep);
}

// The pass of a solve with M, or with its transpose.
template <Scalar T>
Sweep PreparedTriangle<T>::own_pass(bool turned) const {
  return plan().blocks.pull != turned ? Sweep::backward : Sweep::forward;
}

// --- Forms of transposes.

template <Scalar T>
bool PreparedTriangle<T>::one_form() const {
  return is_panels() && (both_ways_ || !makes_matrices(plan().method));
}

// Executors of panels conjugate vectors themselves; others need conjugated values.
template <Scalar T>
std::size_t PreparedTriangle<T>::slot_of(Op op) const {
  return op == Op::conjugate && is_complex<T> && !is_panels() ? 1 : 0;
}

template <Scalar T>
auto PreparedTriangle<T>::form_of(Op op) const -> const Form* {
  if (op == Op::none || one_form()) return &own_;
  return published_[slot_of(op)].load(std::memory_order_acquire);
}

template <Scalar T>
auto PreparedTriangle<T>::require_form(Op op, void* stream) const -> const Form& {
  if (const Form* const form = form_of(op)) return *form;
  if (options_.backend == Backend::cuda && is_capturing(stream))
    refuse(
        "the first solve with a transpose allocates memory, which a graph cannot capture: solve "
        "once before the capture");
  const std::size_t slot = slot_of(op);
  const std::scoped_lock lock(making_);
  if (!turned_[slot]) {
    turned_[slot] = report_bad_alloc("values", [&] { return make_form(op); });
    published_[slot].store(turned_[slot].get(), std::memory_order_release);
  }
  return *turned_[slot];
}

template <Scalar T>
auto PreparedTriangle<T>::make_form(Op op) const -> std::unique_ptr<Form> {
  auto form = std::make_unique<Form>();
  const std::size_t slot = slot_of(op);
  if (is_panels())
    form->plan = own_.plan;
  else
    form->plan = turned_[1 - slot] ? turned_[1 - slot]->plan : plan_transpose();
  form->executor = make_executor<T>(form->plan->method, options_.backend);
  load_turned(*form, slot);
  return form;
}

// The diagonal is left out: turn_values() adds it.  On a device the method is M's, as an automatic
// choice could be a supernodal one.
template <Scalar T>
std::shared_ptr<const Plan> PreparedTriangle<T>::plan_transpose() const {
  const PackedPattern& pattern = plan().pattern;
  const Buffer<Offset> start = starts_by_unknown(pattern);
  const Buffer<Index> index = sort_lists(pattern, start, pattern.index, plan().threads);
  Options o = options_;
  if (o.backend == Backend::cuda) o.method = plan().method;
  const Pattern lists{pattern.lists, pattern.n, pattern.n, start, index};
  return plan_of(
      Analysis({lists, shape_, Op::transpose, Diagonal::unit, OutsideEntries::error}, o));
}

template <Scalar T>
void PreparedTriangle<T>::load_turned(Form& form, std::size_t slot) const {
  if (is_panels()) return fill(form, own_pass(true), stored_);
  turn_values(form, slot == 1);
  form.executor->load(*form.plan, form.values);
}

template <Scalar T>
void PreparedTriangle<T>::turn_values(Form& form, bool conjugated) const {
  const PackedPattern& from = plan().pattern;
  const PackedPattern& to = form.plan->pattern;
  const Index threads = plan().threads;
  const Buffer<T> sorted = sort_lists(from, starts_by_unknown(from), own_.values.value, threads);
  pack_values(to, std::span<const T>(sorted), from.nonzeros(), conjugated, form.values, threads);
  form.values.form = own_.values.form;
  if (own_.values.diagonal.empty()) return;
  Buffer<T> by_unknown(own_.values.diagonal.size());
  for (Index k = 0; k < from.n; ++k) by_unknown[from.order[k]] = own_.values.diagonal[k];
  form.values.diagonal.resize(by_unknown.size());
  for (Index k = 0; k < to.n; ++k)
    form.values.diagonal[k] = conjugate_if(conjugated, by_unknown[to.order[k]]);
}

// --- Solves.

template <Scalar T>
TriangleSpace PreparedTriangle<T>::make_space() const {
  TriangleSpace space;
  space.own = own_.executor->make_workspace(plan());
  return space;
}

template <Scalar T>
bool PreparedTriangle<T>::solve(TriangleSpace& space, const Vectors<const T>& b,
                                const Vectors<T>& x, const TriangleCall<T>& call) const {
  const Form& form = require_form(call.op, call.stream);
  std::unique_ptr<Workspace>& workspace =
      &form == &own_ ? space.own : space.turned[slot_of(call.op)];
  if (!workspace)
    workspace =
        report_bad_alloc("workspace", [&] { return form.executor->make_workspace(*form.plan); });
  const Index most = form.plan->threads;
  SolveJob<T> job{*form.plan, form.values, call.alpha,
                  b,          x,           call.threads <= 0 ? most : std::min(call.threads, most)};
  if (is_panels()) {
    job.op = call.op;
    job.blocks = &form.blocks;
  }
  job.stream = call.stream;
  job.steps = call.steps;
  job.levels = call.levels;
  job.and_back = call.and_back;
  job.divisor = call.divisor;
  return form.executor->solve(job, *workspace);
}

template <Scalar T>
bool PreparedTriangle<T>::check(TriangleSpace& space) const {
  bool finite = own_.executor->check(*space.own);
  for (std::size_t slot = 0; slot < space.turned.size(); ++slot)
    if (space.turned[slot])
      finite =
          published_[slot].load(std::memory_order_acquire)->executor->check(*space.turned[slot]) &&
          finite;
  return finite;
}

// --- Numbers for reports.

template <Scalar T>
Offset PreparedTriangle<T>::bytes() const {
  if (is_panels()) return bytes_read(plan().blocks, own_.blocks);
  const PackedPattern& pattern = plan().pattern;
  return pattern.start.bytes() +
         static_cast<Offset>(pattern.index.size() * (sizeof(Index) + sizeof(T)) +
                             pattern.order.size() * sizeof(Index) +
                             own_.values.diagonal.size() * sizeof(T));
}

template <Scalar T>
Offset PreparedTriangle<T>::stored_bytes() const {
  if (!is_panels()) return bytes();
  return own_.blocks.panel_bytes() + own_.blocks.spmv.bytes();
}

template <Scalar T>
Offset PreparedTriangle<T>::device_bytes() const {
  Offset sum = own_.executor->device_bytes();
  for (const auto& form : published_)
    if (const Form* const f = form.load(std::memory_order_acquire))
      sum += f->executor->device_bytes();
  return sum;
}

template <Scalar T>
Index PreparedTriangle<T>::launches(Op op) const {
  const Form* const form = form_of(op);
  return form == nullptr ? 0 : form->executor->launches(is_panels() ? op : Op::none);
}

template <Scalar T>
std::vector<LevelWork> PreparedTriangle<T>::level_work(Op op) const {
  switch (plan().method) {
    case Method::team:
    case Method::merge:
    case Method::invert_diag:
    case Method::invert_off:
    case Method::spmv:
      return find_level_work(plan().blocks, own_.blocks, op);
    default:
      return {};
  }
}

#define ECHELON_INSTANTIATE(T) template class PreparedTriangle<T>;
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
