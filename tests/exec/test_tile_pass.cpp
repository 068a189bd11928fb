// tests/exec/test_tile_pass.cpp -- the persistent solve, emulated on the CPU: all triangles,
// transposes, scalars and numbers of right-hand sides against the oracle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

// First: it defines the emulation that device code uses.
#include "exec/emulated_flow.hpp"
// (a separate include block)
#include "base/elimination_tree.hpp"
#include "echelon/executor.hpp"
#include "exec/cuda/tiles/tile_pass.cuh"
#include "exec/emulated_plan.hpp"
#include "exec/task_graph.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr int blocks = 3;

// Further device arrays of a plan, for passes with R right-hand sides.
template <class T, class S, int R>
class Tiles {
 public:
  using D = DeviceScalar<T>;
  using Pass = TilePass<D, S, R>;

  // Small vectors in shared memory, so that wide panels are split.
  static TileSharedMemory narrow_room() {
    TileSharedMemory room = make_tile_room({R, sizeof(T)});
    room.vector_size = 64;
    return room;
  }
  Tiles(const Ready<T>& ready, const S* value, const TileSharedMemory& room = narrow_room())
      : ready_(ready),
        plan_(ready.analysis.plan().blocks),
        slots_(make_tile_slots(plan_)),
        room_(room),
        value_(value) {
    const TileLimits limits{blocks, static_cast<Index>(sizeof(S) * sizeof(T) / sizeof(Real<T>)),
                            room_.vector_size, room_.slots,
                            R == 1 ? TileShape::warps : room_.slots};
    for (const Course course : {Course::push, Course::pull, Course::push_then_pull}) {
      program_.push_back(make_tile_program(plan_, slots_, course, limits));
      places_.emplace_back(slots_, plan_.n, course, program_.back().sums);
      const Index words = R * Pass::parts;
      auto& flow = flow_.emplace_back(2 * static_cast<std::size_t>(places_.back().size * words),
                                      empty_word(Real<T>(0)));
      if (course == Course::pull) continue;
      for (const Index slot : slots_.unused)
        for (Index k = 0; k < words; ++k)
          flow[slot * words + k] = flow[(places_.back().size + slot) * words + k] = 0;
    }
    scratch_.resize(static_cast<std::size_t>(2 * plan_.space() * R));
    shared_.assign(blocks,
                   std::vector<Line>(static_cast<std::size_t>(room_.bytes) / sizeof(Line) + 1));
  }

  bool goes_back() const { return !plan_.pull; }

  // op(M) X = B, column-major.
  std::vector<T> solve(Op op, Index count, const std::vector<T>& b) {
    return run(plan_.pull != (op != Op::none) ? 1 : 0, op, count, b, {});
  }
  // X = op(M) \ (D \ (M \ B)).
  std::vector<T> solve_and_back(Op op, Index count, const std::vector<T>& b,
                                const std::vector<T>& divisor) {
    return run(2, op, count, b, divisor);
  }

  unsigned status[2] = {};

 private:
  std::vector<T> run(int way, Op op, Index count, const std::vector<T>& b,
                     const std::vector<T>& divisor) {
    std::vector<T> x(b.size(), T(std::numeric_limits<Real<T>>::quiet_NaN()));
    Pass pass{};
    pass.plan = ready_.device;
    pass.form = ready_.values.form.data();
    pass.value = value_;
    pass.lists = program_[way].lists.data();
    pass.items = program_[way].items.data();
    pass.chunks = program_[way].chunks.data();
    pass.to = slots_.to.data();
    pass.more = slots_.more.data();
    pass.vectors = {plan_.n,
                    plan_.reversed,
                    op == Op::conjugate && way < 2,
                    std::bit_cast<D>(T(1)),
                    reinterpret_cast<const D*>(b.data()),
                    1,
                    plan_.n,
                    reinterpret_cast<D*>(x.data()),
                    1,
                    plan_.n,
                    status};
    pass.count = count;
    pass.relays = way == 2;
    pass.conjugates = way == 2 && op == Op::conjugate;
    if (!divisor.empty()) pass.divisor = reinterpret_cast<const D*>(divisor.data());
    pass.flow = flow_[way].data();
    pass.flow_size = static_cast<Offset>(flow_[way].size() / 2);
    pass.pushed = places_[way].pushed;
    pass.answers = places_[way].answers;
    pass.sums_place = places_[way].sums;
    pass.scratch = scratch_.data();
    pass.state = &state_[way];
    pass.timeout_ns = 20000000000;  // twenty seconds
    pass.room = room_;
    static EmulatedBlock grid(tile_threads, blocks);
    grid.run([&] { pass.run(reinterpret_cast<char*>(shared_[blockIdx.x].data())); });
    return x;
  }

  struct alignas(128) Line {
    char byte[128];
  };
  const Ready<T>& ready_;
  const BlockPlan& plan_;
  TileSlots slots_;
  TileSharedMemory room_;
  std::vector<TileProgram> program_;
  std::vector<FlowPlaces> places_;
  TileState state_[3];
  std::vector<std::vector<Real<T>>> flow_;
  std::vector<D> scratch_;
  std::vector<std::vector<Line>> shared_;
  const S* value_;
};

template <class T, int R>
void expect_solved(const test::BlockCase& c, double growth) {
  const auto a = test::case_matrix<T>(c.columns);
  const auto n = static_cast<Index>(c.columns.size());
  const Index count = R == 1 ? 1 : R - 1;
  const auto b = test::random_vector<T>(c.columns.size() * static_cast<std::size_t>(count));
  Options o;
  o.method = Method::tree;
  o.cpu.threads = 2;
  o.supernode.chunk_entries = 256;  // small subtrees
  o.numeric.largest_growth = growth;
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const Ready<T> ready(triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore}), o);
    Tiles<T, Real<T>, R> tiles(ready, reinterpret_cast<const Real<T>*>(ready.values.value.data()));
    for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
      if (op == Op::conjugate && !is_complex<T>) continue;
      const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
      const auto x = tiles.solve(op, count, b);
      EXPECT_EQ(tiles.solve(op, count, b), x) << c.name << ": other bits the second time";
      EXPECT_EQ(tiles.status[0] + tiles.status[1], 0u) << c.name;
      const auto check = [&](const std::vector<T>& right, const std::vector<T>& found) {
        for (Index k = 0; k < count; ++k) {
          const auto part = [&](const std::vector<T>& v) {
            return std::vector<T>(v.begin() + k * n, v.begin() + (k + 1) * n);
          };
          EXPECT_LE(test::backward_error(t, part(right), part(found)), accepted)
              << c.name << (growth == 0 ? " kept as triangles" : "");
        }
      };
      check(b, x);
      if (op == Op::none || !tiles.goes_back()) continue;
      auto middle = tiles.solve(Op::none, count, b);
      check(middle, tiles.solve_and_back(op, count, b, {}));
      const auto d = test::random_vector<T>(c.columns.size());
      for (std::size_t k = 0; k < middle.size(); ++k) middle[k] /= d[k % d.size()];
      check(middle, tiles.solve_and_back(op, count, b, d));
      EXPECT_EQ(tiles.solve_and_back(op, count, b, d), tiles.solve_and_back(op, count, b, d))
          << c.name << ": other bits the second time";
    }
  }
}

template <class T, int R>
void expect_solved_both_ways(const test::BlockCase& c) {
  SCOPED_TRACE(c.name);
  expect_solved<T, R>(c, 1e4);
  expect_solved<T, R>(c, 0);
}

TEST(TilePass, SolvesEveryCase) {
  for (const test::BlockCase& c : test::block_cases()) expect_solved_both_ways<double, 1>(c);
}

// The cases with panels of several strips, and with subtrees.
template <class T>
class TilePasses : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(TilePasses, Scalars);

TYPED_TEST(TilePasses, SolveForOneAndSeveralRightHandSides) {
  for (const test::BlockCase& c : test::block_cases()) {
    if (c.name != "dense 70" && c.name != "dissected") continue;
    if (!std::same_as<TypeParam, double>) expect_solved_both_ways<TypeParam, 1>(c);
    expect_solved_both_ways<TypeParam, 4>(c);
  }
}

// One object for all: each solve starts from the flows that the one before left.
template <class T, int R>
void expect_served(const TileSharedMemory& room, const std::vector<Index>& counts) {
  const auto cases = test::block_cases();
  const auto c = std::find_if(cases.begin(), cases.end(),
                              [](const auto& one) { return one.name == "dissected"; });
  const auto a = test::case_matrix<T>(c->columns);
  const std::size_t n = c->columns.size();
  Options o;
  o.method = Method::tree;
  o.supernode.chunk_entries = 256;  // small subtrees
  const Ready<T> ready(triangle(CsrView<T>(a), Uplo::lower, {.outside = OutsideEntries::ignore}),
                       o);
  Tiles<T, Real<T>, R> tiles(ready, reinterpret_cast<const Real<T>*>(ready.values.value.data()),
                             room);
  unsigned turn = 0;
  for (const Index count : counts)
    for (const Op op : {Op::none, Op::transpose}) {
      const auto t =
          triangle(CsrView<T>(a), Uplo::lower, {.op = op, .outside = OutsideEntries::ignore});
      const auto b = test::random_vector<T>(n * static_cast<std::size_t>(count), ++turn);
      const auto x = tiles.solve(op, count, b);
      const auto there_and_back = tiles.solve_and_back(Op::transpose, count, b, {});
      const auto part = [&](const std::vector<T>& v, Index k) {
        const auto begin = v.begin() + k * static_cast<std::ptrdiff_t>(n);
        return std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(n));
      };
      for (Index k = 0; k < count; ++k) {
        ASSERT_LE(test::backward_error(t, part(b, k), part(x, k)), accepted)
            << "vector " << k << " of " << count << ", solve " << turn;
        if (op != Op::none) continue;
        const auto back = triangle(CsrView<T>(a), Uplo::lower,
                                   {.op = Op::transpose, .outside = OutsideEntries::ignore});
        ASSERT_LE(test::backward_error(back, part(x, k), part(there_and_back, k)), accepted)
            << "and back: vector " << k << " of " << count << ", solve " << turn;
      }
    }
  EXPECT_EQ(tiles.status[0] + tiles.status[1], 0u);
}

TYPED_TEST(TilePasses, ServeAnyNumberOfVectorsAfterAnyOther) {
  using T = TypeParam;
  expect_served<T, 4>(Tiles<T, Real<T>, 4>::narrow_room(), {4, 1, 3, 1, 1, 4, 2});
}

// GPUs with 99, 163 and 227 KiB per block; cases that do not fit are not run.
TYPED_TEST(TilePasses, SolveInTheSharedMemoryOfAnyDevice) {
  using T = TypeParam;
  const auto room = [](Index width, Offset kib) {
    return make_tile_room({width, sizeof(T)}, kib * 1024);
  };
  for (const Offset kib : {99, 163, 227}) {
    SCOPED_TRACE(std::to_string(kib) + " KiB");
    EXPECT_LE(room(4, kib).bytes, kib * 1024);
    if (room(1, kib).bytes < room(1, 227).bytes || kib == 99)
      expect_served<T, 1>(room(1, kib), {1, 1});
    if (room(4, kib).bytes < room(4, 227).bytes) expect_served<T, 4>(room(4, kib), {4, 2});
    if (room(16, kib).bytes <= kib * 1024 && room(16, kib).bytes < room(16, 227).bytes)
      expect_served<T, 16>(room(16, kib), {16, 9});
  }
}

// On an H100 two blocks share 228 KiB, each with one KiB for the system; a single block may have
// 227.
TEST(TileSharedMemory, IsThereOnTheDevice) {
  for (const Index width : {1, 4, 16})
    for (const Index bytes : {4, 8, 16}) {
      const Offset room = make_tile_room({width, bytes}).bytes;
      EXPECT_LE(room, width * bytes <= 128 ? 113 * 1024 : 227 * 1024) << width << " of " << bytes;
    }
}

// One and four right-hand sides fit in 99 KiB, sixteen except for the largest scalar; with the 48
// KiB of every GPU the method is not chosen.
TEST(TileSharedMemory, ShrinksToWhatThereIs) {
  for (const Index bytes : {4, 8, 16}) {
    for (const Index width : {1, 4})
      EXPECT_LE(make_tile_room({width, bytes}, 99 << 10).bytes, 99 << 10);
    for (const Index width : {1, 4, 16})
      EXPECT_LE(make_tile_room({width, bytes}, 163 << 10).bytes, 163 << 10);
    EXPECT_GT(make_tile_room({1, bytes}, 48 << 10).bytes, 48 << 10);
  }
  EXPECT_LE(make_tile_room({16, 8}, 99 << 10).bytes, 99 << 10);
  EXPECT_GT(make_tile_room({16, 16}, 99 << 10).bytes, 99 << 10);
  EXPECT_TRUE(fits_shared_memory(Method::tree, 99 << 10));
  EXPECT_FALSE(fits_shared_memory(Method::tree, 48 << 10));
  EXPECT_TRUE(fits_shared_memory(Method::superstep, 48 << 10));
}

TEST(TileSlots, AreRefusedBeyondWhatCanBeToldApart) {
  const auto a = test::case_matrix<double>(test::dissected_grid(13, 14));
  const Ready<double> ready(lower(a, {.outside = OutsideEntries::ignore}),
                            {.method = Method::tree});
  const BlockPlan& plan = ready.analysis.plan().blocks;
  const TaskGraph reach = make_task_graph(plan, true);
  const TileArrivals arrivals =
      find_arrivals(plan, find_parents(plan.tasks(), reach.start, reach.member));
  const Offset size = lay_slots(plan, arrivals, 2).size;
  EXPECT_EQ(test::refusal([&] { lay_slots(plan, arrivals, 2, 0, size - 1); }).code,
            ErrorCode::out_of_memory);
}

// Every publishing place has its own slot, and all other slots are listed as unused.
TEST(TileSlots, AreEitherFilledOnceOrUnused) {
  for (const test::BlockCase& c : test::block_cases()) {
    const auto a = test::case_matrix<double>(c.columns);
    Options o;
    o.method = Method::tree;
    o.supernode.subtree_share = 0;
    o.supernode.merge_zeros = 0;
    const Ready<double> ready(
        triangle(CsrView<double>(a), Uplo::lower, {.outside = OutsideEntries::ignore}), o);
    const BlockPlan& plan = ready.analysis.plan().blocks;
    const TileSlots slots = make_tile_slots(plan);
    std::vector<int> uses(static_cast<std::size_t>(slots.size));
    Offset leaving = 0;
    for (const Index slot : slots.to)
      if (slot >= 0) ++uses[slot], ++leaving;
    for (const Index slot : slots.unused) ++uses[slot];
    EXPECT_EQ(std::count(uses.begin(), uses.end(), 1), slots.size) << c.name;
    EXPECT_EQ(leaving, plan.outside_start.back()) << c.name;
    for (Index t = 0; t < plan.tasks(); ++t) {
      const Offset entries = plan.own[t] + plan.outside_start[t + 1] - plan.outside_start[t];
      const Offset end = t + 1 < plan.tasks() ? slots.start[t + 1] : slots.size;
      EXPECT_LE(slots.start[t] + 2 * slots.pairs[t] * entries, end) << c.name;
    }
  }
}

}  // namespace
}  // namespace echelon
