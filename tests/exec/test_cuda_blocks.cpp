// tests/exec/test_cuda_blocks.cpp -- every supernodal method on a GPU against the oracle; skipped
// without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "exec/cuda/runtime/cuda_solve.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/device_status.cuh"
#include "exec/cuda/runtime/streams.cuh"
#include "support/device.hpp"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;

// A method set up on the device.
template <class T>
class OnDevice {
 public:
  OnDevice(const Triangle<T>& t, Method method, const NumericOptions& o = {},
           const CudaOptions& cuda = {})
      : analysis_(t, {.method = method,
                      .supernode = {.chunk_entries = 256},
                      .cuda = test::cuda_options(cuda)}),
        executor_(make_executor<T>(method, Backend::cuda)),
        space_(executor_->make_workspace(plan())) {
    setup(t, o);
  }
  void setup(const Triangle<T>& t, const NumericOptions& o = {}) {
    executor_->setup(
        plan(), fill_from_lists(plan().blocks, plan().pattern, std::span<const T>(t.value), false),
        Passes::both, o, blocks_, 1);
  }
  bool solve(Op op, const Vectors<const T>& b, const Vectors<T>& x, cudaStream_t stream = nullptr) {
    return executor_->solve({plan(), packed_, T(1), b, x, 1, op, &blocks_, stream}, *space_);
  }
  const Plan& plan() const { return analysis_.plan(); }

 private:
  Analysis analysis_;
  std::unique_ptr<Executor<T>> executor_;
  std::unique_ptr<Workspace> space_;
  PackedValues<T> packed_;
  BlockValues<T> blocks_;
};

template <class T>
Buffer<T> random_buffer(Offset size) {
  const auto given = test::random_vector<T>(static_cast<std::size_t>(size));
  return Buffer<T>(given.begin(), given.end());
}

template <class T>
Buffer<T> to_host(const DeviceArray<T>& device) {
  Buffer<T> host(device.size());
  check_cuda(cudaDeviceSynchronize(), "a solve");
  if (device.size() > 0)
    check_cuda(cudaMemcpy(host.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost),
               "copy");
  return host;
}

// The worst backward error of several vectors; b and x have the same layout.
template <class T>
double worst_error(const Triangle<T>& t, const Vectors<const T>& b, const Vectors<const T>& x) {
  double worst = 0;
  for (Index k = 0; k < b.count; ++k) {
    std::vector<T> b_k, x_k;
    for (Index i = 0; i < b.n; ++i) {
      b_k.push_back(b.data[i * b.step() + k * b.stride()]);
      x_k.push_back(x.data[i * x.step() + k * x.stride()]);
    }
    worst = std::max(worst, test::backward_error(t, b_k, x_k));
  }
  return worst;
}

// Solves in place on the device, then from b to x on the host: correct, and the same bits.
template <class T>
void expect_solved(OnDevice<T>& on, const Triangle<T>& turned, Index count, Layout layout,
                   const std::string& which) {
  const Index n = turned.n();
  const Buffer<T> b = random_buffer<T>(Offset{n} * count);
  const auto view = [&](auto* data) { return Vectors(data, n, count, 0, layout); };
  const DeviceArray<T> device(b);
  on.solve(turned.op, view(const_cast<const T*>(device.data())), view(device.data()));
  const Buffer<T> x = to_host(device);
  EXPECT_LE(worst_error(turned, view(b.data()), view(x.data())), accepted) << which;
  Buffer<T> from_host(b.size(), T(7));
  EXPECT_TRUE(on.solve(turned.op, view(b.data()), view(from_host.data()))) << which;
  EXPECT_EQ(from_host, x) << which << ": other bits the second time";
}

template <class T>
class CudaBlocksOn : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CudaBlocksOn, Scalars);

TYPED_TEST(CudaBlocksOn, SolvesEveryCase) {
  using T = TypeParam;
  for (const test::BlockCase& c : test::block_cases())
    for (const Method method : test::block_methods)
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const auto a = test::case_matrix<T>(c.columns);
        OnDevice<T> on(triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore}), method);
        for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
          const auto turned =
              triangle(CsrView<T>(a), uplo, {.op = op, .outside = OutsideEntries::ignore});
          const std::string which = c.name + ' ' + name(method);
          expect_solved(on, turned, 1, Layout::column_major, which);
          expect_solved(on, turned, 3, Layout::row_major, which);
        }
      }
}

TYPED_TEST(CudaBlocksOn, SolvesForManyRightHandSides) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(13, 14));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    OnDevice<T> on(t, method);
    ASSERT_LT(on.plan().rhs_per_pass, 21);
    expect_solved(on, t, 21, Layout::column_major, name(method));
  }
}

TYPED_TEST(CudaBlocksOn, SolvesWithOtherValues) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(9, 8));
  const auto other = test::case_matrix<T>(test::dissected_grid(9, 8), 17);
  const auto t = lower(other, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    OnDevice<T> on(lower(a, {.outside = OutsideEntries::ignore}), method);
    on.setup(t);
    expect_solved(on, t, 1, Layout::column_major, name(method));
  }
}

class CudaBlocksOfDoubles : public CudaBlocksOn<double> {};

TEST_F(CudaBlocksOfDoubles, SolveInLowPrecision) {
  const auto a = test::case_matrix<double>(test::dissected_grid(13, 14));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const Buffer<double> b = random_buffer<double>(t.n());
  constexpr double digits_lost = 1 << 29;  // double stored as float
  for (const Method method :
       {Method::team, Method::invert_off, Method::spmv, Method::dynamic, Method::tree}) {
    OnDevice<double> on(t, method, {.low_precision = true});
    Buffer<double> x(b.size());
    EXPECT_TRUE(on.solve(Op::none, Vectors(b.data(), t.n()), Vectors(x.data(), t.n())));
    const double error =
        worst_error<double>(t, Vectors(b.data(), t.n()), Vectors<const double>(x.data(), t.n()));
    EXPECT_LE(error, accepted * digits_lost) << name(method);
    EXPECT_GT(error, accepted) << name(method) << " has stored doubles";
  }
}

// A solve captured in a graph.
class Graph {
 public:
  template <class Body>
  Graph(cudaStream_t stream, const Body& body) {
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
    body();
    cudaGraph_t graph = nullptr;
    check_cuda(cudaStreamEndCapture(stream, &graph), "end capture");
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check_cuda(status, "cudaGraphInstantiate");
  }
  ~Graph() { cudaGraphExecDestroy(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(cudaStream_t stream) const { check_cuda(cudaGraphLaunch(graph_, stream), "graph"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

TYPED_TEST(CudaBlocksOn, ReplaysAGraphWithTheSameBits) {
  using T = TypeParam;
  constexpr Index count = 3;
  const auto a = test::case_matrix<T>(test::dissected_grid(13, 14));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const Buffer<T> given = random_buffer<T>(Offset{t.n()} * count);
  for (const Method method : test::block_methods)
    for (const Op op : {Op::none, Op::transpose}) {
      OnDevice<T> on(t, method);
      const DeviceArray<T> b(given), x(given.size());
      const CudaStream stream;
      const auto solve = [&] {
        on.solve(op, Vectors<const T>(b.data(), t.n(), count), Vectors<T>(x.data(), t.n(), count),
                 stream.get());
      };
      solve();
      const Buffer<T> wanted = to_host(x);
      const Graph graph(stream.get(), solve);
      for (int replay = 0; replay < 100; ++replay) {
        check_cuda(cudaMemsetAsync(x.data(), 0xff, x.bytes(), stream.get()), "cudaMemsetAsync");
        graph.launch(stream.get());
        ASSERT_EQ(to_host(x), wanted) << name(method) << " replay " << replay;
      }
    }
}

TYPED_TEST(CudaBlocksOn, TellsOfAnswersThatAreNotFinite) {
  using T = TypeParam;
  const auto a = test::case_matrix<T>(test::dissected_grid(9, 8));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  for (const Method method : test::block_methods) {
    OnDevice<T> on(t, method);
    Buffer<T> b(t.n(), T(1)), x(t.n());
    b[t.n() / 2] = T(std::numeric_limits<Real<T>>::quiet_NaN());
    EXPECT_FALSE(on.solve(Op::none, Vectors<const T>(b.data(), t.n()), Vectors(x.data(), t.n())))
        << name(method);
    b[t.n() / 2] = T(1);
    EXPECT_TRUE(on.solve(Op::none, Vectors<const T>(b.data(), t.n()), Vectors(x.data(), t.n())))
        << name(method);
  }
}

TEST_F(CudaBlocksOfDoubles, LeaveTheirStatusInAWordOfTheHost) {
  const auto a = test::case_matrix<double>(test::dissected_grid(9, 8));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const DeviceStatus status;
  for (const Method method : test::block_methods) {
    const Analysis analysis(t, {.method = method, .cuda = test::cuda_options()});
    const BlockValues<double> values = test::pack_triangle(analysis.plan(), t);
    DeviceValues<double> panels;
    panels.assign(values);
    const auto on = make_cuda_solve(analysis.plan(), panels);
    on->load(values);
    const DeviceArray<double> b(Buffer<double>(t.n(), std::numeric_limits<double>::quiet_NaN()));
    on->solve({.b = Vectors<const double>(b.data(), t.n()),
               .x = Vectors<double>(b.data(), t.n()),
               .status = status.device()});
    check_cuda(cudaDeviceSynchronize(), "a solve");
    EXPECT_EQ(status.take(), status_not_finite) << name(method);
    EXPECT_EQ(status.take(), 0u) << name(method);
    EXPECT_GE(on->launches(Op::none), 1) << name(method);
  }
}

// Deadlines from far too short to long enough, and some that a solve may or may not meet.
TEST_F(CudaBlocksOfDoubles, AreRightOrGivenUpWhateverCameBefore) {
  const auto a = test::case_matrix<double>(test::dissected_grid(13, 14));
  const auto t = lower(a, {.outside = OutsideEntries::ignore});
  const Buffer<double> b = random_buffer<double>(t.n());
  for (const Method method : {Method::dynamic, Method::tree})
    for (const double watchdog_ms : {1e-6, 5e-3, 1e-2, 2e-2, 5e-2, 2e3}) {
      OnDevice<double> on(t, method, {}, {.watchdog_ms = watchdog_ms});
      for (int k = 0; k < 20; ++k) {
        Buffer<double> x(b.size());
        const auto refused = test::refusal(
            [&] { on.solve(Op::none, Vectors(b.data(), t.n()), Vectors(x.data(), t.n())); });
        if (refused.code == ErrorCode::backend_failed && watchdog_ms < 1e3) continue;
        ASSERT_EQ(refused.code, ErrorCode{}) << name(method) << ' ' << refused.text;
        ASSERT_LE(worst_error<double>(t, Vectors(b.data(), t.n()),
                                      Vectors<const double>(x.data(), t.n())),
                  accepted)
            << name(method) << " with " << watchdog_ms << " ms";
      }
    }
}

TEST_F(CudaBlocksOfDoubles, AreNotForTheSerialMethod) {
  EXPECT_EQ(test::refusal([] { make_executor<double>(Method::serial, Backend::cuda); }).code,
            ErrorCode::bad_argument);
}

TEST(CudaBlocksWithout, ADeviceAreRefused) {
  if (cuda_devices() > 0) GTEST_SKIP() << "there is a CUDA device";
  for (const Method method : test::block_methods)
    EXPECT_EQ(test::refusal([&] { make_executor<double>(method, Backend::cuda); }).code,
              ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
