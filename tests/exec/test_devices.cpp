// tests/exec/test_devices.cpp -- solvers on several devices in one thread: each runs on the device
// where it was made, and the caller's current device does not change.
// SPDX-License-Identifier: BSD-3-Clause
#include "direct/ldl_factors.hpp"
#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/smoother.hpp"
#include "exec/cuda/runtime/check.cuh"
#include "support/device.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

using test::refusal;
constexpr double accepted = 8;
constexpr Index n = 600;

int current() {
  int device = -1;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

Options on(Index device, Method method = Method::automatic) {
  Options o;
  o.method = method;
  o.backend = Backend::cuda;
  o.cuda = test::cuda_options({.device = device});
  return o;
}

using OneDevice = test::OnDevice;

TEST_F(OneDevice, IsTheCurrentOneUnlessAnotherIsAskedFor) {
  const auto a = generate<double>("laplace2d:20x30:5");
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  EXPECT_EQ(Analysis(t, on(-1)).options().cuda.device, current());
  EXPECT_EQ(Analysis(t, on(0)).options().cuda.device, 0);
  const auto refused = refusal([&] { Analysis(t, on(count_devices())); });
  EXPECT_EQ(refused.code, ErrorCode::bad_argument);
  EXPECT_NE(refused.text.find("there is no device"), std::string::npos);
}

class TwoDevices : public test::OnDevice {
 protected:
  void SetUp() override {
    test::OnDevice::SetUp();
    if (IsSkipped()) return;
    if (count_devices() < 2) GTEST_SKIP() << "one CUDA device: two at a time were not tested";
    check_cuda(cudaSetDevice(0), "cudaSetDevice");
  }
  Csr<double> a = generate<double>("laplace2d:20x30:5");
  Triangle<double> t = lower(a, {.outside = OutsideEntries::ignore});
  std::vector<double> b = test::random_vector<double>(n);
};

TEST_F(TwoDevices, EachSolverWorksOnItsOwn) {
  for (const Method method : {Method::automatic, Method::level_row, Method::element_column,
                              Method::superstep, Method::stream, Method::dynamic, Method::tree}) {
    SCOPED_TRACE(name(method));
    Solver<double> solver(t, on(1, method));
    EXPECT_EQ(current(), 0);
    auto workspace = solver.make_workspace();
    std::vector<double> x(n);
    solver.solve(workspace, Vectors<const double>(b.data(), n), Vectors<double>(x.data(), n));
    EXPECT_LE(test::backward_error(t, b, x), accepted);
    solver.update(a.value);
    EXPECT_LE(test::backward_error(t, b, solver.solve(b)), accepted);
    solver.check();
    EXPECT_EQ(current(), 0);
    {
      const DeviceScope there(1);
      const DeviceVector<double> given{std::span<const double>(b)}, found(n);
      check_cuda(cudaSetDevice(0), "cudaSetDevice");
      solver.solve(Vectors<const double>(given.data(), n), Vectors<double>(found.data(), n));
      EXPECT_EQ(current(), 0);
      EXPECT_LE(test::backward_error(t, b, found.to_host()), accepted);
      EXPECT_EQ(current(), 0);
    }
    check_cuda(cudaSetDevice(0), "cudaSetDevice");
    const DeviceVector<double> elsewhere{std::span<const double>(b)};
    EXPECT_EQ(refusal([&] {
                solver.solve(Vectors<const double>(elsewhere.data(), n),
                             Vectors<double>(elsewhere.data(), n));
              }).text,
              "a vector lies on device 0, the solver on device 1");
    EXPECT_EQ(current(), 0);
  }
}

TEST_F(TwoDevices, FactorizationsAndSmoothersToo) {
  const Factors<double> f = test::ldl_factors<double>(n);
  DirectSolver<double> direct(f, on(1));
  EXPECT_EQ(current(), 0);
  std::vector<double> x(n);
  const Vectors<const double> bs(b.data(), n);
  const Vectors<double> xs(x.data(), n);
  direct.solve(bs, xs);
  EXPECT_LE(test::ldl_error<double>(f, bs, Vectors<const double>(xs), 0), 1000);
  direct.update(f);
  direct.profile(bs, xs);
  direct.check();
  EXPECT_EQ(current(), 0);
  SmootherOptions o;
  o.solver = on(1);
  GaussSeidel<double> smoother(a, o);
  EXPECT_EQ(current(), 0);
  const double before = smoother.residual_norm(b, std::vector<double>(n));
  smoother.solve(bs, xs, {.sweeps = 3, .guess = Guess::zero});
  EXPECT_LT(smoother.residual_norm(b, x), before);
  smoother.check();
  EXPECT_EQ(current(), 0);
}

}  // namespace
}  // namespace echelon
