// tests/solver/test_solver_transpose.cpp -- one Solver solves with M and with its transposes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "base/number.hpp"
#include "echelon/generate.hpp"
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

using test::refusal;

constexpr Method all_methods[] = {Method::automatic,    Method::serial,      Method::level_row,
                                  Method::level_column, Method::element_row, Method::superstep,
                                  Method::plain,        Method::stream,      Method::element_column,
                                  Method::team,         Method::merge,       Method::invert_diag,
                                  Method::invert_off,   Method::spmv,        Method::dynamic,
                                  Method::invert_full,  Method::tree};
constexpr Op all_ops[] = {Op::none, Op::transpose, Op::conjugate};
constexpr Index n = 150;
constexpr double accepted = 12;  // inverted blocks round once more

Options options_for(Method method) {
  Options o;
  o.method = method;
  o.cpu.threads = 2;
  return o;
}

// op(M) as a triangle of its own, for the oracle.
template <class T>
struct Turned {
  Buffer<T> value;
  Triangle<T> triangle;

  Turned(const Triangle<T>& m, Op op) : value(m.value.begin(), m.value.end()), triangle(m) {
    const bool transposed = (m.op != Op::none) != (op != Op::none);
    const bool conjugated = (m.op == Op::conjugate) != (op == Op::conjugate);
    for (T& v : value) v = conjugate_if(conjugated, v);
    triangle.op = transposed ? Op::transpose : Op::none;
    triangle.value = value;
  }
};

// The worst error of three right-hand sides in one call.
template <class T>
double error_of(const Solver<T>& solver, const Triangle<T>& m, Op op, T alpha,
                typename Solver<T>::Workspace* workspace = nullptr) {
  constexpr Index count = 3;
  const Turned<T> turned(m, op);
  const auto b = test::random_vector<T>(static_cast<std::size_t>(n) * count);
  auto x = b;
  const Vectors<T> v(x.data(), n, count);
  const SolveOptions<T> o{.alpha = alpha, .op = op};
  if (workspace != nullptr)
    solver.solve(*workspace, v, v, o);
  else
    solver.solve(v, v, o);
  double worst = 0;
  for (Index k = 0; k < count; ++k) {
    const auto part = [&](const std::vector<T>& all) {
      return std::vector<T>(all.begin() + k * n, all.begin() + (k + 1) * n);
    };
    worst = std::max(worst, test::backward_error(turned.triangle, part(b), part(x), alpha));
  }
  return worst;
}

template <class T>
class SolverTranspose : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolverTranspose, Scalars);

TYPED_TEST(SolverTranspose, SolvesWithAllMethodsAndReadings) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = n, .sorted = false});
  const auto alpha = test::number<T>(1.5, -0.5);
  for (const Method method : all_methods)
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const Op base : all_ops)
        for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit}) {
          if (diagonal == Diagonal::unit && base != Op::none) continue;  // grows, and says no more
          auto small = a;
          if (diagonal == Diagonal::unit)
            for (T& v : small.value) v *= Real<T>(0.1);
          const auto t =
              triangle(CsrView<T>(small), uplo, {base, diagonal, OutsideEntries::ignore});
          const Solver<T> solver(t, options_for(method));
          for (const Op op : all_ops)
            EXPECT_LE(error_of(solver, t, op, alpha), accepted)
                << name(method) << ", upper " << (uplo == Uplo::upper) << ", read as "
                << static_cast<int>(base) << ", op " << static_cast<int>(op) << ", unit "
                << (diagonal == Diagonal::unit);
        }
}

TYPED_TEST(SolverTranspose, FollowsUpdatesAlsoAfterOneThatFailed) {
  using T = TypeParam;
  for (const Method method : all_methods) {
    auto a = test::random_matrix<T>({.n = n});
    const auto read = [&] { return lower(a, {.outside = OutsideEntries::ignore}); };
    Solver<T> solver(read(), options_for(method));
    for (const Op op : all_ops) error_of(solver, read(), op, T(1));  // all forms exist from here on
    for (T& v : a.value) v *= Real<T>(2);
    for (std::size_t p = 0; p < a.value.size(); p += 3) a.value[p] *= Real<T>(1.25);
    solver.update(a.value);
    for (const Op op : all_ops) EXPECT_LE(error_of(solver, read(), op, T(1)), accepted);

    auto bad = a.value;
    bad[a.start[n - 1]] = std::numeric_limits<Real<T>>::quiet_NaN();
    EXPECT_EQ(refusal([&] { solver.update(bad); }).code, ErrorCode::not_finite) << name(method);
    for (const Op op : all_ops)
      EXPECT_EQ(refusal([&] { error_of(solver, read(), op, T(1)); }).text,
                "the last update failed; this solver has no values");
    for (T& v : a.value) v *= Real<T>(0.5);
    solver.update(a.value);
    for (const Op op : all_ops)
      EXPECT_LE(error_of(solver, read(), op, T(1)), accepted) << name(method);
  }
}

// All threads ask for a form that does not exist yet, at the same time.
TYPED_TEST(SolverTranspose, IsMadeOnceForSeveralThreads) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = n});
  const auto t = upper(a, {.outside = OutsideEntries::ignore});
  for (const Method method : all_methods) {
    const Solver<T> solver(t, options_for(method));
    std::vector<double> worst(4, 0);
    std::vector<std::thread> callers;
    for (unsigned caller = 0; caller < worst.size(); ++caller)
      callers.emplace_back([&, caller] {
        auto workspace = solver.make_workspace();
        for (unsigned repeat = 0; repeat < 6; ++repeat)
          worst[caller] = std::max(
              worst[caller], error_of(solver, t, all_ops[(caller + repeat) % 3], T(1), &workspace));
      });
    for (auto& caller : callers) caller.join();
    for (const double error : worst) EXPECT_LE(error, accepted) << name(method);
  }
}

TEST(SolverTransposeOfDoubles, GivesTheBitsOfASolverMadeForIt) {
  const auto a = generate<double>("laplace2d:20x20:5");
  const auto m = lower(a, {.outside = OutsideEntries::ignore});
  const auto turned = lower(a, {.op = Op::transpose, .outside = OutsideEntries::ignore});
  const auto b = test::random_vector<double>(400);
  for (const Method method : {Method::serial, Method::level_row, Method::superstep})
    EXPECT_EQ(Solver(m, options_for(method)).solve(b, {.op = Op::transpose}),
              Solver(turned, options_for(method)).solve(b))
        << name(method);
}

TEST(SolverTransposeOfDoubles, CountsTheMemoryOfItsWorkspace) {
  const auto a = test::random_matrix<double>({.n = n});
  const Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}),
                              options_for(Method::element_row));
  auto workspace = solver.make_workspace();
  const Offset before = workspace.bytes();
  ASSERT_GT(before, 0);
  auto x = test::random_vector<double>(n);
  const Vectors<double> v(x.data(), n);
  solver.solve(workspace, v, v, {.op = Op::transpose});
  EXPECT_EQ(workspace.bytes(), 2 * before);
}

TEST(SolverTransposeOfDoubles, OfNothingIsNothing) {
  Csr<double> none;
  EXPECT_TRUE(Solver(lower(none)).solve(std::vector<double>(), {.op = Op::transpose}).empty());
  const auto diagonal = test::picture<double>("2 .\n . 4");
  EXPECT_EQ(Solver(upper(diagonal)).solve(std::vector<double>{2, 2}, {.op = Op::transpose}),
            (std::vector<double>{1, 0.5}));
}

}  // namespace
}  // namespace echelon
