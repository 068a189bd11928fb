// tests/solver/test_solver_on_device.cpp -- one triangle on a GPU against the CPU, with vectors of
// the host and of the device.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using test::refusal;
constexpr double accepted = 8;

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
      const auto t = triangle(CsrView<T>(a), uplo, {.op = op, .other = Other::ignore});
      const Solver<T> solver(t, {.backend = Backend::cuda});
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
  const Solver<T> solver(lower(a, {.other = Other::ignore}), {.backend = Backend::cuda});
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
  const auto t = lower(a, {.other = Other::ignore});
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
  EXPECT_EQ(told({.backend = Backend::cuda}), ErrorCode::not_finite);
  EXPECT_EQ(told({.backend = Backend::cuda, .check_finite = false}), ErrorCode{});
}

TEST(SolverOnTheCpu, HasNoProfile) {
  const auto a = test::random_matrix<double>({.n = 10});
  const Solver<double> solver(lower(a, {.other = Other::ignore}));
  std::vector<double> x(10, 1.0);
  const auto refused = refusal([&] { solver.profile({x.data(), 10}, {x.data(), 10}); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("backend cuda"), std::string::npos);
}

TEST(SolverWithoutADevice, IsRefused) {
  if (test::has_device()) GTEST_SKIP() << "there is a CUDA device";
  const auto a = test::random_matrix<double>({.n = 10});
  EXPECT_EQ(refusal([&] {
              Solver<double>(lower(a, {.other = Other::ignore}), {.backend = Backend::cuda});
            }).code,
            ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
