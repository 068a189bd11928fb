// exec/cpu/batch/cpu_batch.cpp -- batches on CPU threads: groups of systems, one per lane, each
// group solved by one thread.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A group's vectors are copied into lines of its thread, solved there and copied back, up
// to four right-hand sides at a time.  Lanes without a system hold zeros and a unit diagonal.  The
// diagonal is stored as its reciprocal, unless one of the group's would overflow or lose digits.
#include <algorithm>
#include <limits>

#include "base/instantiate.hpp"
#include "base/invertible.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "base/refuse.hpp"
#include "exec/batch_executors.hpp"
#include "exec/cpu/batch/batch_kernels.hpp"

namespace echelon {
namespace {

template <class T>
struct CpuBatchSpace final : Workspace {
  Offset bytes() const override { return bytes_of(lines, states); }
  Buffer<Real<T>> lines;  // of each thread
  Index threads = 0, columns = 0;
  std::vector<SystemState> states;
};

template <class T>
class CpuBatch final : public BatchExecutor<T> {
 public:
  using R = Real<T>;
  static constexpr Index lanes = batch_lanes<R>;
  static constexpr Offset planes = is_complex<T> ? 2 : 1;
  static constexpr Offset line = planes * lanes;  // numbers of an entry

  CpuBatch(std::shared_ptr<const BatchPlan> plan, Index count, Index width, const Options& o)
      : plan_(std::move(plan)),
        count_(count),
        groups_((count + lanes - 1) / lanes),
        threads_(std::min(thread_count(o.cpu.threads), CpuOptions::most_threads)),
        kernels_(batch_kernels<R>(o.cpu.vector_unit)) {
    if (width != 0 && width != lanes)
      refuse("a CPU solves " + std::to_string(lanes) +
             " systems of this scalar side by side, not " + std::to_string(width));
  }

  void load(const StridedValues<T>& values) override {
    value_.resize(static_cast<std::size_t>(groups_ * group_size()));
    divides_.resize(static_cast<std::size_t>(groups_));
    refused_.resize(static_cast<std::size_t>(count_));
    parallel_items(groups_, threads_, [&](Index g, Index) { load_group(values, g); });
  }
  const std::vector<SystemState>& refused() const override { return refused_; }

  std::unique_ptr<Workspace> make_workspace() const override {
    auto space = std::make_unique<CpuBatchSpace<T>>();
    make_room(*space, threads_, 1);
    space->states.resize(static_cast<std::size_t>(count_));
    return space;
  }

  void solve(const BatchJob<T>& job, Workspace& workspace) const override {
    auto& space = static_cast<CpuBatchSpace<T>&>(workspace);
    std::fill(space.states.begin(), space.states.end(), SystemState::solved);
    if (count_ == 0 || plan_->n == 0 || job.x.count == 0) return;
    const Index threads = job.threads == 0 ? threads_ : std::min(job.threads, threads_);
    make_room(space, threads_, std::min<Index>(job.x.count / count_, most_batch_columns));
    parallel_items(groups_, threads, [&](Index g, Index thread) {
      solve_group_of(job, g, space.lines.data() + thread * line_room(space.columns), space.states);
    });
  }
  void add_states(const Workspace& workspace, std::span<SystemState> states) const override {
    const auto& own = static_cast<const CpuBatchSpace<T>&>(workspace).states;
    for (std::size_t k = 0; k < states.size(); ++k)
      if (states[k] == SystemState::solved) states[k] = own[k];
  }

  Index width() const override { return lanes; }
  Offset bytes() const override { return bytes_of(value_); }

 private:
  Offset group_size() const { return plan_->entries() * line; }
  Index systems_of(Index g) const { return std::min(lanes, count_ - g * lanes); }
  // Rounded to whole lines apart, so that threads share none.
  Offset line_room(Index columns) const { return (plan_->n * columns + 1) * line; }

  void make_room(CpuBatchSpace<T>& space, Index threads, Index columns) const {
    if (space.threads >= threads && space.columns >= columns) return;
    space.columns = std::max(columns, space.columns);
    space.threads = threads;
    space.lines.resize(static_cast<std::size_t>(threads * line_room(space.columns)));
  }

  T value_of(const T* stored, Index p) const {
    BatchPlan::Source from = plan_->source[p];
    T v = stored[from.place];
    while (from.next >= 0) {
      from = plan_->more[from.next];
      v += stored[from.place];
    }
    return conjugate_if(plan_->conjugated, v);
  }
  // 0 for a finite number, else NaN.
  static R probe_of(T a) {
    if constexpr (is_complex<T>)
      return a.real() * R(0) + a.imag() * R(0);
    else
      return a * R(0);
  }
  static void put(R* to, Index lane, T v) {
    if constexpr (is_complex<T>) {
      to[lane] = v.real();
      to[lanes + lane] = v.imag();
    } else {
      to[lane] = v;
    }
  }
  static T get(const R* from, Index lane) {
    if constexpr (is_complex<T>)
      return {from[lane], from[lanes + lane]};
    else
      return from[lane];
  }

  void load_group(const StridedValues<T>& values, Index g) {
    R* const to = value_.data() + g * group_size();
    const Index systems = systems_of(g);
    bool divides = false;
    for (Index lane = 0; lane < lanes; ++lane) {
      if (lane >= systems) {
        load_no_system(to, lane);
        continue;
      }
      const Index k = g * lanes + lane;
      refused_[k] = load_system(values.data + k * values.stride, to, lane, divides);
    }
    divides_[g] = divides;
    if (!divides) invert_diagonals(to);
  }
  void load_no_system(R* to, Index lane) const {
    for (Index k = 0; k < plan_->n; ++k) {
      for (Index p = plan_->start[k]; p < plan_->end(k); ++p) put(to + p * line, lane, T(0));
      if (!plan_->unit) put(to + plan_->end(k) * line, lane, T(1));
    }
  }
  // A zero on the diagonal becomes one: this lane's answers are not used.
  SystemState load_system(const T* stored, R* to, Index lane, bool& divides) const {
    R probe = 0;
    SystemState state = SystemState::solved;
    for (Index k = 0; k < plan_->n; ++k) {
      for (Index p = plan_->start[k]; p < plan_->end(k); ++p) {
        const T v = value_of(stored, p);
        put(to + p * line, lane, v);
        probe += probe_of(v);
      }
      if (plan_->unit) continue;
      T d = value_of(stored, plan_->end(k));
      probe += probe_of(d);
      if (d == T(0)) state = SystemState::zero_diagonal;
      if (d == T(0) || !is_finite(d)) d = T(1);
      divides = divides || !invertible(d);
      put(to + plan_->end(k) * line, lane, d);
    }
    return is_finite(probe) ? state : SystemState::bad_value;
  }
  void invert_diagonals(R* to) const {
    if (plan_->unit) return;
    for (Index k = 0; k < plan_->n; ++k) {
      R* const d = to + plan_->end(k) * line;
      for (Index lane = 0; lane < lanes; ++lane) put(d, lane, T(1) / get(d, lane));
    }
  }

  void solve_group_of(const BatchJob<T>& job, Index g, R* lines,
                      std::vector<SystemState>& states) const {
    const BatchGroup<R> group{plan_->n,
                              plan_->unit,
                              divides_[g] != 0,
                              plan_->row.data(),
                              plan_->start.data(),
                              plan_->index.data(),
                              value_.data() + g * group_size()};
    const Index nrhs = job.x.count / count_;
    for (Index first = 0; first < nrhs;) {
      const int size = nrhs - first >= 4 ? 2 : nrhs - first >= 2 ? 1 : 0;  // of the kernel
      copy_in(job, g, first, Index{1} << size, lines);
      kernels_.solve[is_complex<T>][job.op != Op::none][size](group, lines);
      copy_out(job, g, first, Index{1} << size, lines, states);
      first += Index{1} << size;
    }
  }
  // Whether the kernels of the unit can copy the vectors: full groups of neighbouring numbers that
  // stay as they are.
  bool copies_lines(const BatchJob<T>& job, Index g) const {
    return systems_of(g) == lanes && job.x.step() == 1 && job.b.step() == 1 && job.alpha == T(1) &&
           job.op != Op::conjugate;
  }
  BatchLines<R> lines_of(R* lines, Index columns, Index c) const {
    return {lines + c * line, columns * line, is_complex<T> ? 1 : 0};
  }
  void copy_in(const BatchJob<T>& job, Index g, Index first, Index columns, R* lines) const {
    const Index nrhs = job.x.count / count_;
    for (Index c = 0; c < columns; ++c) {
      const BatchLines<R> to = lines_of(lines, columns, c);
      const T* const b = job.b.data + (Offset{g} * lanes * nrhs + first + c) * job.b.stride();
      if (copies_lines(job, g))
        kernels_.copy_in(reinterpret_cast<const R*>(b), nrhs * job.b.stride() * planes,
                         plan_->n * static_cast<Index>(planes), to);
      else
        copy_any_in(job, b, systems_of(g), to);
    }
  }
  // Unused lanes solve for zeros.
  void copy_any_in(const BatchJob<T>& job, const T* b, Index systems,
                   const BatchLines<R>& to) const {
    const Offset step = job.b.step(), apart = job.x.count / count_ * job.b.stride();
    const bool conjugated = job.op == Op::conjugate;
    for (Index block = 0; block < plan_->n; block += lanes)
      for (Index lane = 0; lane < lanes; ++lane)
        for (Index i = block; i < std::min(block + lanes, plan_->n); ++i) {
          const T given = lane < systems ? multiply(job.alpha, b[lane * apart + i * step]) : T(0);
          put(to.data + i * to.row, lane, conjugate_if(conjugated, given));
        }
  }
  void copy_out(const BatchJob<T>& job, Index g, Index first, Index columns, R* lines,
                std::vector<SystemState>& states) const {
    const Index nrhs = job.x.count / count_;
    for (Index c = 0; c < columns; ++c) {
      R probe[lanes] = {};
      const BatchLines<R> from = lines_of(lines, columns, c);
      const Offset vector = Offset{g} * lanes * nrhs + first + c;
      T* const x = job.x.data + vector * job.x.stride();
      if (copies_lines(job, g))
        kernels_.copy_out(from, plan_->n * static_cast<Index>(planes), reinterpret_cast<R*>(x),
                          nrhs * job.x.stride() * planes, probe);
      else
        copy_any_out(job, from, systems_of(g), x, probe);
      for (Index lane = 0; lane < systems_of(g); ++lane) {
        const Index k = g * lanes + lane;
        if (refused_[k] != SystemState::solved)
          give_none(job.x, vector + Offset{lane} * nrhs);
        else if (!is_finite(probe[lane]))
          states[k] = SystemState::bad_answer;
      }
    }
  }
  void copy_any_out(const BatchJob<T>& job, const BatchLines<R>& from, Index systems, T* x,
                    R* probe) const {
    const Offset step = job.x.step(), apart = job.x.count / count_ * job.x.stride();
    const bool conjugated = job.op == Op::conjugate;
    for (Index block = 0; block < plan_->n; block += lanes)
      for (Index lane = 0; lane < systems; ++lane)
        for (Index i = block; i < std::min(block + lanes, plan_->n); ++i) {
          const T a = get(from.data + i * from.row, lane);
          probe[lane] += probe_of(a);
          x[lane * apart + i * step] = conjugate_if(conjugated, a);
        }
  }
  static void give_none(const Vectors<T>& x, Offset vector) {
    for (Index i = 0; i < x.n; ++i)
      x.data[i * x.step() + vector * x.stride()] = T(std::numeric_limits<R>::quiet_NaN());
  }

  std::shared_ptr<const BatchPlan> plan_;
  Index count_, groups_, threads_;
  const BatchKernels<R>& kernels_;
  Buffer<R> value_;            // group by group, line by line
  std::vector<char> divides_;  // by group
  std::vector<SystemState> refused_;
};

}  // namespace

template <Scalar T>
std::unique_ptr<BatchExecutor<T>> make_cpu_batch(std::shared_ptr<const BatchPlan> plan, Index count,
                                                 Index width, const Options& options) {
  return std::make_unique<CpuBatch<T>>(std::move(plan), count, width, options);
}

#define ECHELON_INSTANTIATE(T)                                                                \
  template std::unique_ptr<BatchExecutor<T>> make_cpu_batch(std::shared_ptr<const BatchPlan>, \
                                                            Index, Index, const Options&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
