// tests/exec/test_list_pass.cpp -- the GPU's four kernels by rows and columns, emulated on the CPU,
// against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <map>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "echelon/solver.hpp"
#include "exec/cuda/rows/pull_flow.cuh"
#include "exec/cuda/rows/push_flow.cuh"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr int blocks = 3;
constexpr Index most_bits = 4;

// The device arrays of a triangle.
template <class T>
class Lists {
 public:
  using D = DeviceScalar<T>;

  // Small levels share a block of `shared_threads` threads.
  Lists(const Triangle<T>& t, Method method, Index shared_threads = 64)
      : analysis_(t, {.method = method}),
        index_(index_by_position(pattern(), 1)),
        shared_threads_(shared_threads) {
    pack_values(pattern(), std::span<const T>(t.value), analysis_.stored_count(), t.conjugated(),
                values_, 1);
    const auto size = static_cast<std::size_t>(pattern().n) << most_bits;
    tasks_ = make_list_tasks(pattern().start);
    lane_bits_ = find_level_lanes(plan().level_start, pattern().start);
    uses_ = missing_ = count_uses(pattern().n, index_);
    const bool flows = method == Method::element_row;
    z_.assign(flows ? 2 * size : size, flows ? empty_number(D{}) : D{});
  }

  // In place; vectors are interleaved.
  void solve(Index count, T alpha, std::vector<T>& x) {
    const Index n = pattern().n;
    for (Index column = 0, some; column < count; column += some) {
      ListPass<D> pass{};
      pass.width_bits = std::min(
          most_bits, static_cast<Index>(std::bit_width(static_cast<unsigned>(count - column - 1))));
      some = pass.count = std::min(count - column, Index{1} << pass.width_bits);
      D* const both = reinterpret_cast<D*>(x.data()) + column;
      pass.vectors = {n,     false, false, std::bit_cast<D>(alpha), both, count, 1, both,
                      count, 1,     status};
      pass.lists = {n,
                    pattern().order.data(),
                    {pattern().start.low().data(), pattern().start.base().data()},
                    index_.data(),
                    reinterpret_cast<const D*>(values_.value.data()),
                    reinterpret_cast<const D*>(values_.diagonal.data()),
                    values_.form};
      pass.z = z_.data();
      run(pass);
    }
  }
  const Plan& plan() const { return analysis_.plan(); }
  // All tasks that depend on its lists wait until the deadline.
  void lose_first_task() { tasks_.erase(tasks_.begin()); }

  unsigned status[status_words] = {};
  unsigned long long timeout_ns = 20000000000;  // twenty seconds
  FlowState state;

 private:
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
    flow.state = &state;
    flow.timeout_ns = timeout_ns;
    static EmulatedBlock grid(list_threads, blocks);
    grid.run([&] { flow.run(); });
  }
  template <Order by>
  void run_levels(const ListPass<D>& pass) {
    for (const LevelRun& run :
         make_level_runs(plan().level_start, lane_bits_, pass.width_bits, shared_threads_)) {
      const Index bits = clip_lanes(run.lane_bits, pass.width_bits) + pass.width_bits;
      const Offset threads = run.last - run.first > 1 ? 1 : Offset{run.end - run.begin} << bits;
      static std::map<Index, EmulatedBlock> block_of;
      EmulatedBlock& block = block_of.try_emplace(shared_threads_, shared_threads_).first->second;
      for (Offset first = 0; first < threads; first += shared_threads_)
        block.run([&] {
          pass.template run_levels<by>(run, plan().level_start.data(), lane_bits_.data(),
                                       first + threadIdx.x);
        });
    }
  }

  Analysis analysis_;
  Buffer<Index> index_;
  Index shared_threads_;
  PackedValues<T> values_;
  Buffer<ListTask> tasks_;
  Buffer<Index> lane_bits_;
  Buffer<unsigned> uses_, missing_;
  std::vector<D> z_;
};

constexpr Method methods[] = {Method::level_row, Method::level_column, Method::element_row,
                              Method::element_column};

template <class T>
class ListPassOf : public testing::Test {
 protected:
  // One solve per number of vectors: each starts from the state that the one before left.
  static void expect_solved(const Triangle<T>& t, Method method,
                            std::initializer_list<Index> counts, Index shared_threads = 64) {
    const Index n = t.n();
    const T alpha = test::number<T>(0.5, 2);
    Lists<T> lists(t, method, shared_threads);
    unsigned turn = 0;
    for (const Index count : counts) {
      const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * count, ++turn);
      auto x = b;
      lists.solve(count, alpha, x);
      ASSERT_EQ(lists.status[0] | lists.status[1], 0u) << name(method);
      for (Index v = 0; v < count; ++v) {
        std::vector<T> b_v, x_v;
        for (Index i = 0; i < n; ++i) {
          b_v.push_back(b[i * count + v]);
          x_v.push_back(x[i * count + v]);
        }
        ASSERT_LE(test::backward_error(t, b_v, x_v, alpha), accepted)
            << name(method) << ", vector " << v << " of " << count;
      }
    }
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ListPassOf, Scalars);

TYPED_TEST(ListPassOf, SolvesTrianglesEveryWay) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 150, .per_row = 6});
  for (const Method method : methods)
    for (const Op op : {Op::none, Op::transpose, Op::conjugate})
      for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
        this->expect_solved(lower(a, {op, diagonal, OutsideEntries::ignore}), method, {1});
        this->expect_solved(upper(a, {op, diagonal, OutsideEntries::ignore}), method, {3});
      }
}

TYPED_TEST(ListPassOf, ServesAnyNumberOfVectorsAfterAnyOther) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 70, .per_row = 30});
  for (const Method method : methods)
    this->expect_solved(lower(a, {.outside = OutsideEntries::ignore}), method,
                        {1, 2, 17, 1, 4, 3, 16, 16, 1, 1, 5, 2});
}

TYPED_TEST(ListPassOf, LevelsShareBlocksOfAnySize) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 300, .per_row = 4});
  for (const Method method : {Method::level_row, Method::level_column})
    for (const Index threads : {64, 128, 256, 512, 1024})
      this->expect_solved(lower(a, {.outside = OutsideEntries::ignore}), method, {1, 5, 1},
                          threads);
}

using ListPassOfDoubles = ListPassOf<double>;

Csr<double> from_lists(const std::vector<std::vector<Index>>& rows) {
  Csr<double> a;
  a.rows = a.cols = static_cast<Index>(rows.size());
  for (Index i = 0; i < a.rows; ++i) {
    for (const Index j : rows[i]) {
      a.index.push_back(j);
      a.value.push_back(0.5);
    }
    a.index.push_back(i);
    a.value.push_back(2.0 + static_cast<double>(rows[i].size()));
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

TEST_F(ListPassOfDoubles, SolvesExtremeGraphs) {
  for (const Index n : {0, 1, 2, 33, 300}) {
    std::vector<std::vector<Index>> none(n), chain(n), star(n), last(n), dense(n);
    for (Index i = 1; i < n; ++i) {
      chain[i] = {i - 1};
      star[i] = {0};
      last[n - 1].push_back(i - 1);
      for (Index j = 0; j < i && n < 100; ++j) dense[i].push_back(j);
    }
    for (const auto& rows : {none, chain, star, last, dense}) {
      const auto a = from_lists(rows);
      for (const Method method : methods) {
        expect_solved(lower(a), method, {1, 3, 1});
        expect_solved(lower(a, {.op = Op::transpose}), method, {1, 16, 1});
      }
    }
  }
}

TEST_F(ListPassOfDoubles, GivesUpWhatNeverComes) {
  const auto a = test::random_matrix<double>({.n = 400});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : {Method::element_row, Method::element_column}) {
    Lists<double> lists(t, method);
    std::vector<double> x(400, 1.0);
    lists.timeout_ns = 1000000;  // a millisecond
    lists.lose_first_task();
    lists.solve(1, 1.0, x);
    EXPECT_EQ(lists.status[0] | lists.status[1], status_gave_up) << name(method);
    EXPECT_EQ(lists.state.done, 0u) << "all blocks ended";
    const std::vector<double> before = x;
    lists.solve(1, 1.0, x);
    EXPECT_EQ(x, before) << "nothing is tried after one that gave up";
  }
}

TEST_F(ListPassOfDoubles, TellsOfAnswersThatAreNotFinite) {
  const auto a = test::random_matrix<double>({.n = 100});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : methods)
    for (const double wrong :
         {std::bit_cast<double>(~std::uint64_t{0}), std::numeric_limits<double>::infinity()}) {
      Lists<double> lists(t, method);
      std::vector<double> x(100, 1.0);
      x[50] = wrong;
      lists.solve(1, -1.0, x);
      EXPECT_EQ(lists.status[0] | lists.status[1], status_not_finite) << name(method);
    }
}

}  // namespace
}  // namespace echelon
