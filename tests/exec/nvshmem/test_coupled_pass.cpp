// tests/exec/nvshmem/test_coupled_pass.cpp -- the kernels of the coupled multi-GPU design, emulated
// on the CPU: grids, trees, both directions, consecutive passes, against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <memory>

// First: it defines the emulation that device code uses.
#include "exec/emulated_wire.hpp"
// (a separate include block)
#include "exec/nvshmem/coupled_solve.cuh"
#include "exec/nvshmem/coupled_wait.cuh"
#include "exec/rank_cases.hpp"

namespace echelon {
namespace {

using test::check, test::fill_pattern, test::rows_of;

constexpr int wait_blocks = 1, solve_blocks = 2;

// All PEs and their memory.
template <class T, int R>
class CoupledPes {
 public:
  using D = DeviceScalar<T>;
  using S = Real<T>;

  CoupledPes(const Supernodes& s, const BlockMap& map, TreeShape shape, const Csc<T>& a,
             Index rhs_per_pass, const NumericOptions& o = {})
      : rhs_per_pass_(rhs_per_pass), pes_(static_cast<std::size_t>(map.grid.size())) {
    const auto ranks = static_cast<Index>(pes_.size());
    for (Index r = 0; r < ranks; ++r) {
      Pe& pe = pes_[r];
      pe.plan = make_local_plan(s, map, r, shape);
      pack_local<T>(pe.plan, rows_of(s, a), o, pe.values, 1);
      for (const int sweep : {0, 1}) {
        pe.lists[sweep] = list_coupled(pe.plan, static_cast<Sweep>(sweep));
        numbers_ = std::max(numbers_, pe.lists[sweep].numbers());
        signals_ = std::max(signals_, pe.lists[sweep].message.size());
      }
    }
    for (const int sweep : {0, 1}) exchange(sweep);
    for (Pe& pe : pes_) lay_out(pe);
  }

  // `count` vectors of n numbers each.
  std::vector<T> solve(Sweep sweep, const std::vector<T>& b, Index count) {
    ++pass_;
    std::vector<T> x(b.size());
    for (Pe& pe : pes_)
      copy(
          pe, b, count, [&](const T& from, T& to) { to = from; }, pe.right);
    on_all(
        1,
        [&](const View& view, Index) { CoupledBegin<D, S>{view}.run(View::warp(), coupled_warps); },
        sweep, count);
    std::vector<SharedMemory> shared(pes_.size() * (wait_blocks + solve_blocks));
    on_all(
        wait_blocks + solve_blocks,
        [&](const View& view, Index block) {
          if (block < wait_blocks) {
            const auto worker = static_cast<Index>(threadIdx.x) + block * coupled_threads;
            CoupledWait<D, S>{view}.run(worker, wait_blocks * coupled_threads);
          } else {
            CoupledSolve<D, S, R> solve;
            static_cast<View&>(solve) = view;
            solve.run(shared[EmulatedBlock::current_block->block()]);
          }
        },
        sweep, count);
    on_all(
        1,
        [&](const View& view, Index) {
          CoupledEnd<D, S>{view}.run(static_cast<Index>(threadIdx.x), coupled_threads);
        },
        sweep, count);
    for (Pe& pe : pes_)
      copy(
          pe, x, count, [&](T& to, const T& from) { to = from; }, pe.answer);
    return x;
  }
  Index uninverted_blocks() const {
    Index all = 0;
    for (const Pe& pe : pes_) all += pe.values.diagonals.uninverted_blocks;
    return all;
  }
  CoupledAlarm alarm(Index pe) const { return pes_[pe].alarm; }
  // Makes a PE do nothing, and shortens the deadline of the others.
  void silence(Index pe) {
    pes_[pe].silent = true;
    timeout_ns = 200'000'000;
  }
  unsigned long long timeout_ns = 0;

 private:
  using View = CoupledView<D, S>;
  using SharedMemory = typename CoupledSolve<D, S, R>::SharedMemory;
  struct Pe {
    LocalPlan plan;
    LocalValues<T> values;
    CoupledLists lists[2];
    Buffer<Offset> diagonal;
    Buffer<BlockForm> form;
    Buffer<Index> pending[2], receiver, sender, missing;
    Buffer<Signal> ready, memory;
    std::vector<T> right, answer;
    unsigned ticket = 0, given_up = 0;
    CoupledAlarm alarm;
    bool silent = false;
  };

  void exchange(int sweep) {
    std::vector<CoupledPlaces> all;
    for (const Pe& pe : pes_) all.push_back(targets_for_senders(pe.plan, pe.lists[sweep]));
    for (std::size_t r = 0; r < pes_.size(); ++r) {
      CoupledPlaces mine;
      for (std::size_t from = 0; from < pes_.size(); ++from) {
        mine.push_back(all[from][r]);
        ASSERT_EQ(static_cast<int>(mine.back().size()),
                  count_targets(pes_[r].plan, pes_[r].lists[sweep])[from]);
      }
      receive_targets(pes_[r].plan, static_cast<Sweep>(sweep), mine, pes_[r].lists[sweep]);
    }
  }
  void lay_out(Pe& pe) {
    const LocalPlan& plan = pe.plan;
    for (Index c = 0; c < plan.nodes(); ++c) {
      const Index d = plan.diagonal[c];
      pe.diagonal.push_back(d < 0 ? -1 : plan.diagonals.value_start[d]);
      pe.form.push_back(d < 0 ? BlockForm::triangle : pe.values.diagonals.form[d]);
    }
    for (const int sweep : {0, 1})
      for (std::size_t m = 0; m < pe.lists[sweep].message.size(); ++m)
        pe.pending[sweep].push_back(static_cast<Index>(m));
    for (Index r = 0; r < plan.ranks; ++r) {
      if (r == plan.rank) continue;
      pe.receiver.push_back(r);
      pe.sender.push_back(r);
    }
    pe.missing.resize(static_cast<std::size_t>(plan.nodes()));
    pe.ready.assign(static_cast<std::size_t>(plan.nodes()), 0);
    pe.memory.assign(pes_.size() + 2 * signals_ + 2 * copy_words(), 0);
    pe.right.assign(static_cast<std::size_t>(plan.size()) * rhs_per_pass_, T(0));
    pe.answer = pe.right;
  }
  std::size_t copy_words() const {
    return static_cast<std::size_t>(numbers_) * rhs_per_pass_ * (sizeof(T) > 8 ? 2 : 1);
  }
  View view(Pe& pe, Sweep sweep, Index count) {
    const LocalPlan& plan = pe.plan;
    const int w = static_cast<int>(sweep);
    const CoupledLists& lists = pe.lists[w];
    Signal* const signals = pe.memory.data() + pes_.size();
    View v{};
    v.forwards = sweep == Sweep::forward;
    v.count = count;
    v.pass = pass_;
    v.timeout_ns = timeout_ns;
    v.me = plan.rank;
    v.nodes = plan.nodes();
    v.size = plan.size();
    v.start = plan.start.data();
    v.row_start = plan.row_start.data();
    v.value_start = plan.value_start.data();
    v.block_start = plan.block_start.data();
    v.block = plan.block.data();
    v.row = plan.row.data();
    v.diagonal = pe.diagonal.data();
    v.form = pe.form.data();
    v.value = reinterpret_cast<const S*>(pe.values.value.data());
    v.diagonal_value = reinterpret_cast<const S*>(pe.values.diagonals.value.data());
    v.task = lists.task.data();
    v.tasks = pe.silent ? 0 : static_cast<Index>(lists.task.size());
    v.needs = lists.missing.data();
    v.received_start = lists.received_start.data();
    v.message = lists.message.data();
    v.messages = static_cast<Index>(lists.message.size());
    v.pending = pe.pending[w].data();
    v.child_start = answer_trees(plan, sweep).child_start.data();
    v.child = lists.child.data();
    v.parent = lists.parent.data();
    v.receiver = pe.receiver.data();
    v.sender = pe.sender.data();
    v.receivers = v.senders = static_cast<Index>(pe.receiver.size());
    v.finished = pe.memory.data();
    v.signal = signals + (pass_ % 2) * signals_;
    v.copy = reinterpret_cast<D*>(signals + 2 * signals_ + (pass_ % 2) * copy_words());
    v.missing = pe.missing.data();
    v.ready = pe.ready.data();
    v.right = reinterpret_cast<const D*>(pe.right.data());
    v.answer = reinterpret_cast<D*>(pe.answer.data());
    v.ticket = &pe.ticket;
    v.given_up = &pe.given_up;
    v.alarm = &pe.alarm;
    return v;
  }
  template <class Body>
  void on_all(int blocks, const Body& body, Sweep sweep, Index count) {
    std::vector<View> views;
    for (Pe& pe : pes_) views.push_back(view(pe, sweep, count));
    const int all = blocks * static_cast<int>(pes_.size());
    emulated_pes.memory.clear();
    for (Pe& pe : pes_) emulated_pes.memory.push_back(reinterpret_cast<char*>(pe.memory.data()));
    emulated_pes.blocks = static_cast<std::size_t>(blocks);
    emulated_pes.votes.assign(static_cast<std::size_t>(all), 0);
    std::unique_ptr<EmulatedBlock>& grid = grids_[blocks > 1 ? 1 : 0];
    if (!grid) grid = std::make_unique<EmulatedBlock>(coupled_threads, all);
    grid->run([&] {
      const auto block = static_cast<Index>(EmulatedBlock::current_block->block());
      body(views[block / blocks], block % blocks);
    });
  }
  template <class Vector, class Move>
  static void copy(const Pe& pe, Vector& whole, Index count, const Move& move,
                   std::vector<T>& part) {
    test::for_each_own(pe.plan, count,
                       [&](Offset all, Offset mine) { move(whole[all], part[mine]); });
  }

  Index rhs_per_pass_;
  std::vector<Pe> pes_;
  Offset numbers_ = 0;
  std::size_t signals_ = 0;
  Signal pass_ = 0;
  std::unique_ptr<EmulatedBlock> grids_[2];  // one block per PE, and several
};

template <class T>
class CoupledPasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CoupledPasses, Scalars);

TYPED_TEST(CoupledPasses, SolveOnAllGrids) {
  using T = TypeParam;
  const Supernodes patterns[] = {test::random_supernodes(7, 45, 3, 2),
                                 test::closed_supernodes(9, 9, 1.5, 3)};
  for (const Supernodes& s : patterns) {
    const Csc<T> a = fill_pattern<T>(s, 60);
    for (const ProcessGrid& grid : {ProcessGrid{1, 1}, {1, 3}, {3, 1}, {2, 2}})
      for (const bool plain : {false, true}) {
        const BlockMap map = map_blocks(s, grid, plain ? Mapping::cyclic : Mapping::subtree);
        const TreeShape shape = plain ? TreeShape::binary : TreeShape::flat;
        CoupledPes<T, 1> one(s, map, shape, a, 1);
        CoupledPes<T, 4> five(s, map, shape, a, 5);
        for (const Sweep sweep : {Sweep::forward, Sweep::backward}) {
          const auto b = test::random_vector<T>(static_cast<std::size_t>(s.n) * 5);
          const std::vector<T> b1(b.begin(), b.begin() + s.n);
          check(a, sweep, b1, one.solve(sweep, b1, 1), 1);
          check(a, sweep, b, five.solve(sweep, b, 5), 5);
        }
      }
  }
}

TEST(CoupledPassesOfDoubles, SolveWithTallColumnsManyTimes) {
  const Supernodes s = test::closed_supernodes(30, 40, 2.5, 4);
  const Csc<double> a = fill_pattern<double>(s, 200);
  CoupledPes<double, 4> pes(s, map_blocks(s, {2, 1}, Mapping::cyclic), TreeShape::binary, a, 3);
  unsigned turn = 0;
  for (const Index count : {3, 1, 2, 3})
    for (const Sweep sweep : {Sweep::forward, Sweep::backward, Sweep::backward}) {
      const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n) * count, ++turn);
      check(a, sweep, b, pes.solve(sweep, b, count), count);
    }
}

TEST(CoupledPassesOfDoubles, SolveWithTrianglesWhereInversesAreNotTrusted) {
  const Supernodes s = test::closed_supernodes(8, 70, 1.5, 4);
  const Csc<double> a = fill_pattern<double>(s, 90);
  CoupledPes<double, 4> pes(s, map_blocks(s, {2, 2}, Mapping::cyclic), TreeShape::binary, a, 6,
                            {.largest_growth = 1.0001});
  EXPECT_GT(pes.uninverted_blocks(), 0);
  for (const Sweep sweep : {Sweep::forward, Sweep::backward})
    for (const Index count : {1, 6}) {
      const auto b = test::random_vector<double>(static_cast<std::size_t>(s.n) * count);
      check(a, sweep, b, pes.solve(sweep, b, count), count);
    }
}

TEST(CoupledPassesOfDoubles, GiveUpOnAPeThatIsSilent) {
  const Supernodes s = test::closed_supernodes(12, 5, 1.5, 4);
  const Csc<double> a = fill_pattern<double>(s, 30);
  for (const Sweep sweep : {Sweep::forward, Sweep::backward}) {
    CoupledPes<double, 1> pes(s, map_blocks(s, {2, 1}, Mapping::cyclic), TreeShape::binary, a, 1);
    pes.silence(1);
    pes.solve(sweep, test::random_vector<double>(static_cast<std::size_t>(s.n)), 1);
    EXPECT_NE(pes.alarm(0).what, Awaited::nothing);
    EXPECT_GE(pes.alarm(0).node, 0);
  }
}

}  // namespace
}  // namespace echelon
