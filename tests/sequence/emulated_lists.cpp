// tests/sequence/emulated_lists.cpp -- sequences of calls on the GPU's four methods by rows and
// columns, emulated on the CPU; the host code is like exec/cuda/rows/list_solve.cuh.
// SPDX-License-Identifier: BSD-3-Clause
#include <bit>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "echelon/solver.hpp"
#include "exec/cuda/rows/pull_flow.cuh"
#include "exec/cuda/rows/push_flow.cuh"
#include "sequence/emulated.hpp"

namespace echelon::test {
namespace {

constexpr int blocks = 3;
constexpr Index most_bits = 4;
constexpr Index shared_threads = 64;  // per block that small levels share

template <Scalar T>
class ListEngine final : public Engine<T> {
 public:
  using D = DeviceScalar<T>;

  ListEngine(const Setting& s, const Triangle<T>& t)
      : analysis_(t, {.method = s.method}),
        conjugated_(t.conjugated()),
        index_(index_by_position(pattern(), 1)),
        tasks_(make_list_tasks(pattern().start)),
        lane_bits_(find_level_lanes(plan().level_start, pattern().start)) {
    load(t);
    const auto size = static_cast<std::size_t>(pattern().n) << most_bits;
    uses_ = missing_ = count_uses(pattern().n, index_);
    const bool flows = s.method == Method::element_row;
    z_.assign(flows ? 2 * size : size, flows ? empty_number(D{}) : D{});
  }

  Abilities abilities() const override { return {}; }
  Bound bound() const override { return {}; }
  Promise promise() const override {
    return is_deterministic(plan().method) ? Promise::same_call : Promise::none;
  }
  void load(const Triangle<T>& t) override {
    pack_values(pattern(), t.value, analysis_.stored_count(), conjugated_, values_, 1);
  }

  void solve(const Vectors<const T>& b, const Vectors<T>& x, const Call& call) override {
    EmulatedStatus status;
    for (Index column = 0; column < x.count;) {
      const Index left = x.count - column;
      ListPass<D> pass{};
      pass.width_bits =
          std::min(most_bits, static_cast<Index>(std::bit_width(static_cast<unsigned>(left - 1))));
      pass.count = std::min(left, Index{1} << pass.width_bits);
      pass.vectors = device_vectors<T>(b.slice(column, pass.count), x.slice(column, pass.count),
                                       call, status.words);
      pass.lists = {pattern().n,
                    pattern().order.data(),
                    {pattern().start.low().data(), pattern().start.base().data()},
                    index_.data(),
                    reinterpret_cast<const D*>(values_.value.data()),
                    reinterpret_cast<const D*>(values_.diagonal.data()),
                    values_.form};
      pass.z = z_.data();
      run(pass);
      column += pass.count;
    }
    status.check();
  }

 private:
  const Plan& plan() const { return analysis_.plan(); }
  const PackedPattern& pattern() const { return plan().pattern; }

  void run(const ListPass<D>& pass) {
    switch (plan().method) {
      case Method::level_row:
        return run_levels<Order::rows>(pass);
      case Method::level_column:
        return run_levels<Order::columns>(pass);
      case Method::element_row: {
        PullFlow<D> flow{};
        flow.copy_size = static_cast<Offset>(z_.size() / 2);
        return run_flow(flow, pass);
      }
      default: {
        PushFlow<D> flow{};
        flow.uses = uses_.data();
        flow.missing = missing_.data();
        return run_flow(flow, pass);
      }
    }
  }
  template <class Flow>
  void run_flow(Flow& flow, const ListPass<D>& pass) {
    static_cast<ListPass<D>&>(flow) = pass;
    flow.task = tasks_.data();
    flow.tasks = static_cast<Index>(tasks_.size()) - 1;
    flow.state = &state_;
    flow.timeout_ns = emulated_timeout_ns;
    run_emulated(list_threads, blocks, [&] { flow.run(); });
  }
  template <Order by>
  void run_levels(const ListPass<D>& pass) {
    for (const LevelRun& run :
         make_level_runs(plan().level_start, lane_bits_, pass.width_bits, shared_threads)) {
      const Index bits = clip_lanes(run.lane_bits, pass.width_bits) + pass.width_bits;
      const Offset threads = run.last - run.first > 1 ? 1 : Offset{run.end - run.begin} << bits;
      for (Offset first = 0; first < threads; first += shared_threads)
        run_emulated(shared_threads, 1, [&] {
          pass.template run_levels<by>(run, plan().level_start.data(), lane_bits_.data(),
                                       first + threadIdx.x);
        });
    }
  }

  Analysis analysis_;
  bool conjugated_;
  Buffer<Index> index_;
  PackedValues<T> values_;
  Buffer<ListTask> tasks_;
  Buffer<Index> lane_bits_;
  Buffer<unsigned> uses_, missing_;
  std::vector<D> z_;
  FlowState state_;
};

}  // namespace

std::unique_ptr<Subject> make_list_subject(const Setting& s) {
  return make_engine_subject<ListEngine>(s);
}

}  // namespace echelon::test
