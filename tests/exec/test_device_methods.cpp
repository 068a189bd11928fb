// tests/exec/test_device_methods.cpp -- the GPU's task queue, sparse rows and fetches for BLAS,
// emulated on the CPU against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

// First: it defines the emulation that device code uses.
#include "exec/emulated_block.hpp"
// (a separate include block)
#include "exec/blas_panel.hpp"
#include "exec/cuda/panels/device_fetch.cuh"
#include "exec/cuda/panels/device_rows.cuh"
#include "exec/cuda/panels/ready_queue.cuh"
#include "exec/emulated_plan.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr Index count = 2;  // right-hand sides

template <class D>
std::vector<D> nans(Offset size) {
  D nan;
  std::memset(&nan, 0xff, sizeof(nan));
  return std::vector<D>(static_cast<std::size_t>(size), nan);
}

template <class D>
void store(const DeviceVectors<D>& vectors, Index vector_count, const DeviceAnswers<D>& answers) {
  for (Index k = 0; k < vectors.n; ++k)
    for (Index v = 0; v < vector_count; ++v) vectors.store(k, v, answers.at(k, v));
}

// Method dynamic: one block runs all tasks.
template <class T, class D = DeviceScalar<T>>
void run_queue(const Ready<T>& ready, bool pull, const DeviceVectors<D>& vectors) {
  const BlockPlan& plan = ready.analysis.plan().blocks;
  const TaskGraph g = make_task_graph(plan, pull);
  static EmulatedBlock block(block_threads);
  for (Index v = 0; v < count; ++v) {
    auto space = nans<D>(plan.space()), answer = nans<D>(plan.n);
    const DevicePass<D, Real<T>> pass{ready.device,
                                      ready.values.form.data(),
                                      reinterpret_cast<const Real<T>*>(ready.values.value.data()),
                                      vectors.alpha,
                                      vectors.conjugate,
                                      vectors.b + v * vectors.b_stride,
                                      vectors.b_step,
                                      space.data(),
                                      answer.data(),
                                      nullptr};
    Buffer<Index> state = ReadyQueue::make_state(g);
    const ReadyQueue queue{g.tasks(), g.start.data(), g.member.data(), state.data(),
                           vectors.status};
    typename DevicePass<D, Real<T>>::Shared shared;
    Index mine = 0;
    block.run([&] { queue.run(pass, pull, shared, mine); });
    DeviceVectors<D> one = vectors;
    one.x += v * vectors.x_stride;
    store(one, 1, {answer.data(), nullptr, 1, 0});
  }
}

// Methods spmv and invert_full, V vectors at a time, on one warp.
template <int V, class T, class D = DeviceScalar<T>>
void run_rows(const Ready<T>& ready, bool pull, const DeviceVectors<D>& vectors) {
  const LevelMatrices<T>& m = pull ? ready.values.spmv.backwards : ready.values.spmv.forwards;
  auto z = nans<D>(2 * Offset{vectors.n} * count);
  const DeviceRows<D, D> rows{m.row.data(),   m.start.data(),
                              m.index.data(), reinterpret_cast<const D*>(m.value.data()),
                              z.data(),       count};
  static EmulatedBlock warp(32);
  for (Index k = 0; k < vectors.n; ++k) rows.fetch(vectors, k);
  for (Index l = 0; l < m.levels(); ++l) {
    const Index begin = m.level_start[l], end = m.level_start[l + 1];
    const int lanes = lanes_for(m.start[end] - m.start[begin], end - begin);
    for (Index r = begin; r < end; r += 32 / lanes)
      for (Index first = 0; first < count; first += V)
        warp.run([&] {
          const Index mine = r + static_cast<Index>(threadIdx.x) / lanes;
          rows.template add<V>(std::min(mine, end), end, lanes, first);
        });
  }
  store(vectors, count, {z.data() + Offset{vectors.n} * count, nullptr, count, 1});
}

// Method default, with the host's BLAS.
template <class T, class D = DeviceScalar<T>>
void run_blas(const Ready<T>& ready, bool pull, const DeviceVectors<D>& vectors) {
  const BlockPlan& plan = ready.analysis.plan().blocks;
  const Buffer<Index> place = find_places(plan);
  auto space = nans<D>(plan.space() * count);
  const DeviceFetch<D> fetch{ready.device, vectors, place.data(), space.data(), plan.space()};
  static EmulatedBlock block(32);
  for (Index k = 0; k < plan.tasks(); ++k) {
    const Index t = pull ? plan.tasks() - 1 - k : k;
    for (Index v = 0; v < count; ++v)
      block.run([&] { pull ? fetch.pull(t, v, 32) : fetch.push(t, v, 32); });
    const DevicePanel& p = ready.panels[t];
    solve_panel(HostBlas(),
                BlasPanel<T>{p.w, p.h, ready.values.value.data() + p.value,
                             reinterpret_cast<T*>(space.data()) + plan.space_start[t],
                             static_cast<Index>(plan.space()), count},
                pull);
  }
  store(vectors, count, {space.data(), place.data(), 1, plan.space()});
}

// Solves for several interleaved vectors and checks each.
template <class T>
void expect_solved(const test::BlockCase& c, Method method, const auto& run) {
  using D = DeviceScalar<T>;
  const auto a = test::case_matrix<T>(c.columns);
  const auto n = static_cast<Index>(c.columns.size());
  const auto b = test::random_vector<T>(c.columns.size() * count);
  const T alpha = test::number<T>(0.5, 2);
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const Ready<T> ready(triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore}),
                         {.method = method});
    const BlockPlan& plan = ready.analysis.plan().blocks;
    for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
      std::vector<T> x(b);  // in place
      unsigned status[status_words] = {};
      run(ready, plan.pull != (op != Op::none),
          DeviceVectors<D>{n, plan.reversed, op == Op::conjugate, std::bit_cast<D>(alpha),
                           reinterpret_cast<const D*>(x.data()), count, 1,
                           reinterpret_cast<D*>(x.data()), count, 1, status});
      EXPECT_EQ(status[0] | status[1], 0u) << c.name << ' ' << name(method);
      const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
      for (Index v = 0; v < count; ++v) {
        std::vector<T> b_v, x_v;
        for (Index i = 0; i < n; ++i) {
          b_v.push_back(b[i * count + v]);
          x_v.push_back(x[i * count + v]);
        }
        EXPECT_LE(test::backward_error(t, b_v, x_v, alpha), accepted)
            << c.name << ' ' << name(method) << " vector " << v;
      }
    }
  }
}

template <class T>
class DeviceMethods : public testing::Test {
 protected:
  static void expect_all_solved(Method method, const auto& run) {
    for (const test::BlockCase& c : test::block_cases())
      if (c.name == "dissected" || (std::same_as<T, double> && c.columns.size() < 130))
        expect_solved<T>(c, method, run);
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DeviceMethods, Scalars);

TYPED_TEST(DeviceMethods, AQueueRunsEveryTask) {
  this->expect_all_solved(Method::dynamic, [](const auto&... given) { run_queue(given...); });
}

TYPED_TEST(DeviceMethods, RowsAreAddedUpByLanes) {
  this->expect_all_solved(Method::spmv, [](const auto&... given) { run_rows<1>(given...); });
  this->expect_all_solved(Method::invert_full, [](const auto&... given) { run_rows<4>(given...); });
}

TYPED_TEST(DeviceMethods, TasksFetchForBlas) {
  this->expect_all_solved(Method::plain, [](const auto&... given) { run_blas(given...); });
}

TEST(LanesOfARow, HaveTwoEntriesEach) {
  EXPECT_EQ(lanes_for(0, 10), 1);
  EXPECT_EQ(lanes_for(20, 10), 1);
  EXPECT_EQ(lanes_for(21, 10), 2);
  EXPECT_EQ(lanes_for(80, 10), 4);
  EXPECT_EQ(lanes_for(100000, 10), 32);
}

TEST(DeviceVectorsOf, AJobRaiseTheStatusForAnswersNotFinite) {
  unsigned status[status_words] = {};
  double x[2] = {};
  const DeviceVectors<double> vectors{2, true, false, 1, x, 1, 2, x, 1, 2, status};
  vectors.store(0, 0, 1);
  EXPECT_EQ(status[0], 0u);
  vectors.store(1, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(status[0], status_not_finite);
  EXPECT_EQ(status[1], 0u);
  EXPECT_EQ(x[1], 1);
}

// Each thread acts as one block.
TEST(ReadyQueue, GivesEachTaskOnceAndAfterThoseItWaitsFor) {
  const auto a = test::case_matrix<double>(test::dissected_grid(13, 14));
  const Analysis analysis(lower(a, {.outside = OutsideEntries::ignore}),
                          {.method = Method::dynamic});
  for (const bool pull : {false, true}) {
    const TaskGraph g = make_task_graph(analysis.plan().blocks, pull);
    std::vector<std::atomic<Index>> received(g.tasks()), taken(g.tasks());
    std::atomic<Index> too_early = 0;
    Buffer<Index> state = ReadyQueue::make_state(g);
    unsigned status[status_words] = {};
    const ReadyQueue queue{g.tasks(), g.start.data(), g.member.data(), state.data(), status};
    const auto block = [&] {
      for (Index t = queue.take(); t != ReadyQueue::none; t = queue.take()) {
        taken[t].fetch_add(1, std::memory_order_relaxed);
        if (received[t].load(std::memory_order_relaxed) != g.needs[t]) ++too_early;
        for (Index p = g.start[t]; p < g.start[t + 1]; ++p)
          received[g.member[p]].fetch_add(1, std::memory_order_relaxed);
        queue.finish(t);
      }
    };
    std::vector<std::thread> blocks;
    for (int k = 0; k < 4; ++k) blocks.emplace_back(block);
    for (std::thread& b : blocks) b.join();
    for (const auto& times : taken) EXPECT_EQ(times, 1);
    EXPECT_EQ(too_early, 0);
    EXPECT_EQ(status[0] | status[1], 0u);
  }
}

TEST(ReadyQueue, GivesUpWhereNothingEverComes) {
  const TaskGraph waits_for_nobody_there{{0, 0}, {}, {1}, {}};
  Buffer<Index> state = ReadyQueue::make_state(waits_for_nobody_there);
  unsigned status[status_words] = {};
  const ReadyQueue queue{1,   waits_for_nobody_there.start.data(), nullptr, state.data(), status,
                         1000};
  EXPECT_EQ(queue.take(), ReadyQueue::none);
  EXPECT_EQ(status[0] | status[1], status_gave_up);
}

}  // namespace
}  // namespace echelon
