// tests/exec/test_executors.cpp -- every method against the oracle: all scalars, triangles, ops,
// storage forms, numbers of threads and right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>

#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr Method all_methods[] = {Method::serial,      Method::level_row,      Method::level_column,
                                  Method::element_row, Method::element_column, Method::superstep,
                                  Method::automatic};
constexpr double accepted = 4;  // units of the backward error bound

template <class T>
class Methods : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Methods, Scalars);

Options options_for(Method method, Index threads) {
  Options o;
  o.method = method;
  o.cpu.threads = threads;
  return o;
}

template <class T>
void expect_solved(const Triangle<T>& t, Method method, Index threads) {
  const auto b = test::random_vector<T>(static_cast<std::size_t>(t.n()));
  const Solver<T> solver(t, options_for(method, threads));
  if (method != Method::automatic) {
    EXPECT_EQ(solver.report().method, method);
  }
  const std::vector<T> x = solver.solve(b);
  EXPECT_LE(test::backward_error(t, b, x), accepted)
      << name(method) << ", " << threads << " threads, n = " << t.n();
}

TYPED_TEST(Methods, SolveAllTrianglesForAllThreads) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 333, .per_row = 5, .seed = 11});
  const auto by_columns = to_csc(CsrView<T>(a));
  for (const Method method : all_methods)
    for (const Index threads : {1, 2, 3, 8})
      for (const Op op : {Op::none, Op::transpose, Op::conjugate})
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
          const TriangleOptions o{op, diagonal, OutsideEntries::ignore};
          expect_solved(lower(a, o), method, threads);
          expect_solved(upper(by_columns, o), method, threads);
        }
}

TYPED_TEST(Methods, SolveMatricesOfAllSizesAndShapes) {
  using T = TypeParam;
  constexpr TriangleOptions ignoring{.outside = OutsideEntries::ignore};
  for (const Method method : all_methods) {
    for (const Index n : {0, 1, 2, 31, 32, 33, 1000}) {
      const auto a = test::random_matrix<T>({.n = n, .per_row = 3, .sorted = false});
      expect_solved(lower(a, ignoring), method, 2);
      expect_solved(upper(a, ignoring), method, 3);
    }
    for (const char* spec : {"bidiagonal:500", "dense:60", "laplace2d:40x41:9",
                             "laplace3d:9x10x11:7", "elasticity2d:12x13"}) {
      const auto a = generate<T>(spec);
      expect_solved(lower(a, ignoring), method, 2);
      expect_solved(upper(a, ignoring), method, 8);
    }
  }
}

// Right-hand sides 1 to 17 cover every group of 8, 4, 2 and 1; both layouts, padded; alpha.
TYPED_TEST(Methods, SolveManyRightHandSides) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 100, .per_row = 4});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const T alpha = test::number<T>(-2, 0.5);
  for (const Method method : all_methods) {
    const Solver<T> solver(t, options_for(method, 2));
    for (const Layout layout : {Layout::column_major, Layout::row_major}) {
      for (const Index count : {0, 1, 2, 3, 7, 8, 17}) {
        const Offset leading = layout == Layout::column_major ? 103 : count + 3;
        const auto size = static_cast<std::size_t>(leading * std::max<Index>(100, count));
        const auto b = test::random_vector<T>(size);
        std::vector<T> x(size);
        const Vectors<const T> bs(b.data(), 100, count, leading, layout);
        const Vectors<T> xs(x.data(), 100, count, leading, layout);
        solver.solve(bs, xs, {.alpha = alpha});
        for (Index c = 0; c < count; ++c) {
          std::vector<T> one_b(100), one_x(100);
          for (Index i = 0; i < 100; ++i) {
            one_b[i] = b[i * bs.step() + c * bs.stride()];
            one_x[i] = x[i * xs.step() + c * xs.stride()];
          }
          EXPECT_LE(test::backward_error(t, one_b, one_x, alpha), accepted) << name(method);
        }
      }
    }
  }
}

TYPED_TEST(Methods, SolveInPlace) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 200});
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<T>(200);
  for (const Method method : all_methods) {
    const Solver<T> solver(t, options_for(method, 2));
    std::vector<T> x = b;
    solver.solve(std::span<const T>(x), std::span<T>(x));
    EXPECT_LE(test::backward_error(t, b, x), accepted) << name(method);
  }
}

// Some diagonal entries whose reciprocal overflows: all unknowns divide.
TYPED_TEST(Methods, SolveWithATinyDiagonal) {
  using T = TypeParam;
  auto a = test::random_matrix<T>({.n = 50, .per_row = 0});
  a.value[7] = T(std::numeric_limits<Real<T>>::min() / 8);
  std::vector<T> b(50, T(1));
  b[7] = a.value[7];
  for (const Method method : all_methods)
    EXPECT_EQ(Solver<T>(lower(a), options_for(method, 2)).solve(b)[7], T(1)) << name(method);
}

TYPED_TEST(Methods, OfRowsGiveTheSameBitsForEveryNumberOfThreads) {
  using T = TypeParam;
  const auto a = generate<T>("laplace2d:50x60:9");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<T>(3000);
  const auto expected = Solver<T>(t, options_for(Method::serial, 1)).solve(b);
  for (const Method method : all_methods) {
    if (!is_deterministic(method)) continue;
    for (const Index threads : {1, 2, 3, 8}) {
      Options o = options_for(method, threads);
      o.deterministic = true;
      EXPECT_EQ(Solver<T>(t, o).solve(b), expected) << name(method) << " on " << threads;
    }
  }
}

// A row waits for the unknown solved just before it: the other way round, 1 - tiny - 1 is 0.
TYPED_TEST(Methods, OfRowsSubtractTheLastUnknownLastInBothTriangles) {
  using T = TypeParam;
  const T tiny = T(std::numeric_limits<Real<T>>::epsilon() / 8);
  Csr<T> down{3, 3, {0, 1, 2, 5}, {0, 1, 0, 1, 2}, {T(1), T(1), T(1), tiny, T(1)}};
  Csr<T> up{3, 3, {0, 3, 4, 5}, {0, 1, 2, 1, 2}, {T(1), tiny, T(1), T(1), T(1)}};
  const std::vector<T> b(3, T(1));
  for (const Method method : all_methods) {
    if (!is_deterministic(method)) continue;
    EXPECT_EQ(Solver<T>(lower(down), options_for(method, 1)).solve(b)[2], -tiny) << name(method);
    EXPECT_EQ(Solver<T>(upper(up), options_for(method, 1)).solve(b)[0], -tiny) << name(method);
  }
}

}  // namespace
}  // namespace echelon
