// tests/exec/test_block_executors.cpp -- every supernodal method against the oracle: all scalars,
// triangles, ops, storage forms, directions, numbers of threads and right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;     // units of the backward error bound: inverses lose some accuracy
constexpr Index small_chunk = 64;  // entries: cuts panels of some ten columns into pieces
constexpr Index counts[] = {1, 2, 5, 17};

template <class T>
class BlockExecutors : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlockExecutors, Scalars);

Options options_for(Method method, Index chunk, Direction direction = Direction::automatic) {
  Options o;
  o.method = method;
  o.cpu.threads = 3;
  o.supernode.chunk_entries = chunk;
  o.supernode.direction = direction;
  return o;
}

// Several vectors, with gaps between them.
template <class T>
struct Several {
  Several(Index n, Index count, Layout layout, unsigned seed)
      : data(random_memory(n, count, layout, seed)),
        view(data.data(), n, count, leading_of(n, count, layout), layout) {}
  static Offset leading_of(Index n, Index count, Layout layout) {
    return layout == Layout::column_major ? n + 3 : count + 2;
  }
  static std::vector<T> random_memory(Index n, Index count, Layout layout, unsigned seed) {
    const Offset lines = layout == Layout::column_major ? count : n;
    return test::random_vector<T>(
        static_cast<std::size_t>(leading_of(n, count, layout) * lines + 1), seed);
  }
  std::vector<T> one(Index c) const {
    std::vector<T> v(static_cast<std::size_t>(view.n));
    for (Index i = 0; i < view.n; ++i) v[i] = view.data[i * view.step() + c * view.stride()];
    return v;
  }
  std::vector<T> data;
  Vectors<T> view;
};

// Solves for `count` vectors; returns the worst backward error.
template <class T>
double worst_error(const Solver<T>& solver, const Triangle<T>& t, Index count, Layout layout,
                   const SolveOptions<T>& o) {
  const Several<T> b(t.n(), count, layout, 7), x(t.n(), count, layout, 8);
  solver.solve(Vectors<const T>(b.view), x.view, o);
  double worst = 0;
  for (Index c = 0; c < count; ++c)
    worst = std::max(worst, test::backward_error(t, b.one(c), x.one(c), o.alpha));
  return worst;
}

// Calls body(triangle) for both triangles of a, stored by rows and by columns, under every op.
template <class T, class Body>
void for_each_reading(const Csr<T>& a, const Body& body) {
  const auto by_columns = to_csc(CsrView<T>(a));
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Op op : {Op::none, Op::transpose, Op::conjugate})
      for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
        if (diagonal == Diagonal::unit && op != Op::none) continue;
        const TriangleOptions o{op, diagonal, OutsideEntries::ignore};
        body(triangle(CsrView<T>(a), uplo, o));
        body(triangle(CscView<T>(by_columns), uplo, o));
      }
}

// Threads, vectors, layouts and pieces change from case to case.
TYPED_TEST(BlockExecutors, SolveEveryWayATriangleCanBeRead) {
  using T = TypeParam;
  auto a = test::case_matrix<T>(test::dissected_grid(6, 7));
  for (T& v : a.value) v *= Real<T>(0.125);  // so that solutions with unit triangles do not grow
  unsigned turn = 0;
  for_each_reading(a, [&](const Triangle<T>& t) {
    for (const Method method : test::block_methods)
      for (const Direction direction : {Direction::automatic, Direction::push, Direction::pull}) {
        ++turn;
        const Solver<T> solver(t, options_for(method, turn % 2 ? small_chunk : 16384, direction));
        ASSERT_EQ(solver.report().method, method);
        const Layout layout = turn / 3 % 2 ? Layout::row_major : Layout::column_major;
        const auto threads = static_cast<Index>(1 + turn % 3);
        EXPECT_LE(worst_error(solver, t, counts[turn % 4], layout, {.threads = threads}), accepted)
            << name(method) << ' ' << name(direction) << ", turn " << turn;
      }
  });
}

TYPED_TEST(BlockExecutors, SolveMatricesOfAllShapes) {
  using T = TypeParam;
  unsigned turn = 0;
  for (const auto& [title, columns] : test::block_cases()) {
    const auto a = test::case_matrix<T>(columns);
    for (const Method method : test::block_methods)
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const auto t = triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore});
        const Solver<T> solver(t, options_for(method, small_chunk));
        for (const Index threads : {1, 3})
          EXPECT_LE(worst_error(solver, t, counts[++turn % 3], Layout::column_major,
                                {.threads = threads}),
                    accepted)
              << title << ' ' << name(method) << (uplo == Uplo::lower ? " lower" : " upper")
              << " on " << threads << " threads";
      }
  }
}

TYPED_TEST(BlockExecutors, SolveManyRightHandSidesInBothLayouts) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::arrow(90, 40));
  const auto t = upper(a, {.op = Op::conjugate, .outside = OutsideEntries::ignore});
  const T alpha = test::number<T>(-2, 0.5);
  for (const Method method : test::block_methods)
    for (const Index rhs_per_pass : {1, 3, 16}) {
      Options o = options_for(method, small_chunk);
      o.cpu.rhs_per_pass = rhs_per_pass;
      const Solver<T> solver(t, o);
      for (const Layout layout : {Layout::column_major, Layout::row_major})
        for (const Index count : {0, 1, 2, 5, 8, 17}) {
          const Index threads = 1 + (rhs_per_pass + count) % 3;
          EXPECT_LE(worst_error(solver, t, count, layout, {.alpha = alpha, .threads = threads}),
                    accepted)
              << name(method) << ' ' << count << " by " << rhs_per_pass;
        }
    }
}

TYPED_TEST(BlockExecutors, SolveInPlace) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(9, 9));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    const Solver<T> solver(t, options_for(method, small_chunk));
    const Several<T> b(81, 17, Layout::row_major, 7), x(81, 17, Layout::row_major, 7);
    solver.solve(Vectors<const T>(x.view), x.view);
    for (Index c = 0; c < 17; ++c)
      EXPECT_LE(test::backward_error(t, b.one(c), x.one(c)), accepted) << name(method);
  }
}

// All methods except BLAS guarantee this: pieces and sums depend on the pattern only.
TYPED_TEST(BlockExecutors, GiveTheSameBitsForEveryNumberOfThreadsAndOfRightHandSides) {
  using T = TypeParam;
  for (const test::Sets& columns : {test::dissected_grid(13, 12), test::arrow(150, 70)}) {
    const auto a = test::case_matrix<T>(columns);
    const auto n = static_cast<Index>(columns.size());
    for (const Method method : test::block_methods) {
      if (recipe_of(method).layout == PanelLayout::plain) continue;
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const auto t = triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore});
        const Solver<T> solver(t, options_for(method, small_chunk));
        const Several<T> b(n, 17, Layout::row_major, 7), x(n, 17, Layout::row_major, 8);
        Options few = options_for(method, small_chunk);
        few.cpu.rhs_per_pass = 3;
        Solver<T>(t, few).solve(Vectors<const T>(b.view), x.view, {.threads = 2});
        for (const Index c : {0, 3, 7, 8, 15, 16})
          for (const Index threads : {1, 3})
            ASSERT_EQ(solver.solve(b.one(c), {.threads = threads}), x.one(c))
                << name(method) << ", vector " << c << " on " << threads;
      }
    }
  }
}

// Setup packs the same values for any number of threads.
TYPED_TEST(BlockExecutors, AreSetUpTheSameOnEveryNumberOfThreads) {
  using T = TypeParam;
  for (const test::Sets& columns : {test::dissected_grid(11, 12), test::band(300, 300)}) {
    const auto a = test::case_matrix<T>(columns);
    const auto t = upper(a, {.outside = OutsideEntries::ignore});
    const auto b = test::random_vector<T>(columns.size());
    for (const Method method : test::block_methods) {
      if (method == Method::plain) continue;  // its BLAS uses its own threads
      Options o = options_for(method, small_chunk);
      const auto expected = Solver<T>(t, o).solve(b);
      for (const Index threads : {1, 2}) {
        o.cpu.threads = threads;
        EXPECT_EQ(Solver<T>(t, o).solve(b), expected) << name(method) << " on " << threads;
      }
    }
  }
}

// A wide panel, split into parts, each the parent of the one before.
TYPED_TEST(BlockExecutors, SolveWithWidePanelsInParts) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::band(150, 150));
  for (const Method method : test::block_methods)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Op op : {Op::none, Op::transpose}) {
        const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
        Options o = options_for(method, small_chunk);
        o.supernode.max_panel_columns = 40;
        const Solver<T> solver(t, o);
        const bool cut = recipe_of(method).form != BlockForm::triangle;
        EXPECT_EQ(solver.report().supernodes.max_panel_columns, cut ? 64 : 150) << name(method);
        EXPECT_LE(worst_error(solver, t, 3, Layout::column_major, {}), accepted) << name(method);
      }
}

TYPED_TEST(BlockExecutors, SeeABadRightHandSide) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(8, 8));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    const Solver<T> solver(t, options_for(method, small_chunk));
    auto b = test::random_vector<T>(64);
    b[40] = T(std::numeric_limits<Real<T>>::infinity());
    try {
      solver.solve(b);
      ADD_FAILURE() << name(method);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::not_finite) << name(method);
    }
  }
}

}  // namespace
}  // namespace echelon
