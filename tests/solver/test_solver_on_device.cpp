// tests/solver/test_solver_on_device.cpp -- one triangle on a GPU against the CPU, with vectors in
// host and device memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using test::refusal;
constexpr double accepted = 8;

Options on_device(Method method = Method::automatic) {
  return {.method = method, .backend = Backend::cuda, .cuda = test::cuda_options()};
}

template <class T>
class SolverOnDevice : public test::OnDevice {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolverOnDevice, Scalars);

TYPED_TEST(SolverOnDevice, SolvesBothTrianglesEveryWay) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 500, .per_row = 6, .bandwidth = 40});
  const auto b = test::random_vector<T>(500);
  const DeviceVector<T> given{std::span<const T>(b)}, found(500);
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
      const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
      const Solver<T> solver(t, on_device());
      EXPECT_EQ(solver.report().backend, Backend::cuda);
      const std::vector<T> x = solver.solve(std::span<const T>(b));
      EXPECT_LE(test::backward_error(t, b, x), accepted);
      time_on_device(1, 0, [&](void* stream) {
        solver.solve(Vectors<const T>(given.data(), 500), Vectors<T>(found.data(), 500),
                     {.stream = stream});
      });
      solver.check();
      EXPECT_EQ(found.to_host(), x);
    }
}

TYPED_TEST(SolverOnDevice, TellsWhereTheTimeWent) {
  using T = TypeParam;
  const auto a = test::random_matrix<T>({.n = 500, .per_row = 6, .bandwidth = 40});
  const auto b = test::random_vector<T>(500);
  const DeviceVector<T> given{std::span<const T>(b)}, found(500);
  const Solver<T> solver(lower(a, {.outside = OutsideEntries::ignore}), on_device());
  const std::vector<T> expected = solver.solve(std::span<const T>(b));
  std::vector<T> x(500);
  const SolveProfile with_copies = solver.profile({b.data(), 500}, {x.data(), 500});
  EXPECT_EQ(x, expected);
  EXPECT_GT(with_copies.copy_in_s, 0);
  EXPECT_GT(with_copies.solve_s, 0);
  EXPECT_GT(with_copies.copy_out_s, 0);
  const SolveProfile there = solver.profile({given.data(), 500}, {found.data(), 500});
  EXPECT_EQ(found.to_host(), expected);
  EXPECT_EQ(there.copy_in_s, 0);
  EXPECT_GT(there.solve_s, 0);
  EXPECT_EQ(there.copy_out_s, 0);
}

using SolverChecks = test::OnDevice;

TEST_F(SolverChecks, TellOfAnAnswerThatIsNotFinite) {
  const auto a = test::random_matrix<double>({.n = 100});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const std::vector<double> b(100, std::numeric_limits<double>::infinity());
  const auto told = [&](const Options& o) {
    const DeviceVector<double> both{std::span<const double>(b)};
    const Solver<double> solver(t, o);
    solver.solve(Vectors<const double>(both.data(), 100), Vectors<double>(both.data(), 100));
    both.to_host();  // waits
    const ErrorCode first = refusal([&] { solver.check(); }).code;
    EXPECT_EQ(refusal([&] { solver.check(); }).code, ErrorCode{});
    return first;
  };
  Options unchecked = on_device();
  unchecked.check_finite = false;
  EXPECT_EQ(told(on_device()), ErrorCode::not_finite);
  EXPECT_EQ(told(unchecked), ErrorCode{});
}

// Setup allocates for the expected number of right-hand sides only; the first solve with more
// allocates, unless it is captured: then it runs several smaller passes.
TYPED_TEST(SolverOnDevice, MakesRoomForMoreRightHandSidesWhenTheyCome) {
  using T = TypeParam;
  constexpr Index n = 600, count = 13;
  const auto a = test::random_matrix<T>({.n = n, .per_row = 6, .bandwidth = 40});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const auto b = test::random_vector<T>(std::size_t{n} * count);
  const DeviceVector<T> given{std::span<const T>(b)};
  DeviceVector<T> found(b.size());
  const auto expect_right = [&](const char* when, Method method) {
    const std::vector<T> x = found.to_host();
    for (Index v = 0; v < count; ++v) {
      const auto part = [&](const std::vector<T>& all) {
        return std::vector<T>(all.begin() + v * n, all.begin() + (v + 1) * n);
      };
      EXPECT_LE(test::backward_error(t, part(b), part(x)), accepted)
          << name(method) << ' ' << when << ", vector " << v;
    }
    found.load(b);  // restores the right-hand sides
  };
  for (const Method method : {Method::tree, Method::superstep, Method::element_row,
                              Method::element_column, Method::level_row, Method::spmv}) {
    const Solver<T> solver(t, on_device(method));
    const auto solve = [&](void* stream) {
      solver.solve(Vectors<const T>(given.data(), n, count), Vectors<T>(found.data(), n, count),
                   {.stream = stream});
    };
    time_graph(2, 0, solve);
    expect_right("captured unprepared", method);
    time_on_device(1, 0, solve);
    expect_right("for the first time", method);
    time_graph(2, 0, solve);
    expect_right("captured prepared", method);
    solver.check();

    Options prepared = on_device(method);
    prepared.cuda.right_sides = count;
    EXPECT_GT(Solver<T>(t, prepared).report().device_bytes, solver.report().device_bytes)
        << name(method);
  }
}

TEST_F(SolverChecks, RefuseAMethodWithoutRoom) {
  const auto a = test::random_matrix<double>({.n = 100});
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  Options o = on_device(Method::tree);
  o.cuda.shared_memory = 48;
  const auto refused = refusal([&] { Solver<double>(t, o); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("bytes of shared memory"), std::string::npos) << refused.text;
  EXPECT_NE(refused.text.find("49152"), std::string::npos) << refused.text;
  const std::vector<double> b(100, 1.0);
  for (const Method method : {Method::automatic, Method::superstep, Method::invert_off}) {
    o.method = method;
    EXPECT_LE(test::backward_error(t, b, Solver<double>(t, o).solve(std::span<const double>(b))),
              accepted)
        << name(method);
  }
}

TEST(SolverOnTheCpu, HasNoProfile) {
  const auto a = test::random_matrix<double>({.n = 10});
  const Solver<double> solver(lower(a, {.outside = OutsideEntries::ignore}));
  std::vector<double> x(10, 1.0);
  const auto refused = refusal([&] { solver.profile({x.data(), 10}, {x.data(), 10}); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("backend cuda"), std::string::npos);
}

TEST(SolverWithoutADevice, IsRefused) {
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const auto a = test::random_matrix<double>({.n = 10});
  EXPECT_EQ(refusal([&] {
              Solver<double>(lower(a, {.outside = OutsideEntries::ignore}), on_device());
            }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
