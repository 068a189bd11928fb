// tests/exec/cuda/tiles/test_cuda_wide.cpp -- method tree for blocks of right-hand sides on a GPU:
// as accurate as the oracle for any number, layout and direction; skipped without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "exec/cuda/runtime/device_array.cuh"
#include "exec/cuda/runtime/streams.cuh"
#include "support/device.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;
constexpr Index counts[] = {1, 2, 3, 5, 8, 16, 17, 31, 64, 100, 256, 300};

Options wide_options(Index right_sides = 1) {
  Options o{.method = Method::tree, .backend = Backend::cuda, .cuda = test::cuda_options()};
  o.cuda.right_sides = right_sides;
  return o;
}

// Vectors on the device, in a layout with room between the lines.
struct Block {
  Block(Index rows, Index vectors, Layout order, unsigned seed)
      : n(rows),
        count(vectors),
        layout(order),
        gap((order == Layout::row_major ? vectors : rows) + 3),
        host(test::random_vector<double>(
            static_cast<std::size_t>(gap * (order == Layout::row_major ? rows : vectors)), seed)),
        device(host.size()) {
    device.load(host);
  }
  Vectors<double> vectors() const { return {device.data(), n, count, gap, layout}; }
  Vectors<const double> given() const { return {device.data(), n, count, gap, layout}; }
  std::vector<double> column(Index k) const {
    const Vectors<const double> v{host.data(), n, count, gap, layout};
    std::vector<double> one;
    for (Index i = 0; i < n; ++i) one.push_back(v.data[i * v.step() + k * v.stride()]);
    return one;
  }
  void fetch() {
    check_cuda(cudaMemcpy(host.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
  }
  Index n, count;
  Layout layout;
  Offset gap;
  std::vector<double> host;
  DeviceArray<double> device;
};

class CudaWide : public test::OnDevice {
 protected:
  static Csr<double> matrix(Index side) {
    return test::case_matrix<double>(side > 0 ? test::dissected_grid(side, side + 1)
                                              : test::band(700, 700));
  }
  static Triangle<double> part(const Csr<double>& a, Op op) {
    return triangle(CsrView<double>(a), Uplo::lower, {.op = op, .outside = OutsideEntries::ignore});
  }
};

TEST_F(CudaWide, SolvesForAnyNumberInAnyLayout) {
  for (const Index side : {0, 13, 40}) {
    const auto a = matrix(side);
    const Solver<double> solver(part(a, Op::none), wide_options());
    for (const Index count : counts)
      for (const Layout layout : {Layout::column_major, Layout::row_major})
        for (const Op op : {Op::none, Op::transpose}) {
          SCOPED_TRACE(std::to_string(side) + ", " + std::to_string(count) + " right-hand sides");
          const Block b(a.rows, count, layout, 1);
          Block x(a.rows, count, layout, 2), y(a.rows, count, layout, 1);
          solver.solve(b.given(), x.vectors(), {.alpha = 2, .op = op});
          solver.solve(y.given(), y.vectors(), {.alpha = 2, .op = op});  // in place
          check_cuda(cudaDeviceSynchronize(), "two solves");
          x.fetch();
          y.fetch();
          for (Index k = 0; k < count; ++k) {
            auto right = b.column(k);
            for (double& v : right) v *= 2;
            ASSERT_LE(test::backward_error(part(a, op), right, x.column(k)), accepted) << k;
            ASSERT_EQ(x.column(k), y.column(k)) << "vector " << k << ": other bits in place";
          }
        }
  }
}

TEST_F(CudaWide, IsAsGoodInSinglePrecisionAsOneVectorAtATime) {
  const auto a = matrix(40);
  Options o = wide_options();
  o.numeric.low_precision = true;
  const Solver<double> solver(part(a, Op::none), o);
  const Block b(a.rows, 64, Layout::column_major, 1);
  Block x(a.rows, 64, Layout::column_major, 2), one(a.rows, 64, Layout::column_major, 2);
  solver.solve(b.given(), x.vectors());
  for (Index k = 0; k < 64; ++k) solver.solve(b.given().slice(k, 1), one.vectors().slice(k, 1));
  check_cuda(cudaDeviceSynchronize(), "the solves");
  x.fetch();
  one.fetch();
  for (Index k = 0; k < 64; ++k) {
    const auto right = b.column(k);
    EXPECT_LE(test::backward_error(part(a, Op::none), right, x.column(k)),
              2 * test::backward_error(part(a, Op::none), right, one.column(k)));
  }
}

TEST_F(CudaWide, ReplaysAGraphWithTheSameBits) {
  const auto a = matrix(40);
  const Solver<double> solver(part(a, Op::none), wide_options(64));
  const Block b(a.rows, 100, Layout::column_major, 1);
  Block x(a.rows, 100, Layout::column_major, 2);
  const CudaStream stream;
  check_cuda(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal), "begin capture");
  solver.solve(b.given(), x.vectors(), {.stream = stream.get()});
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamEndCapture(stream.get(), &graph), "end capture");
  cudaGraphExec_t ready = nullptr;
  check_cuda(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
  std::vector<double> first;
  for (int repeat = 0; repeat < 20; ++repeat) {
    check_cuda(cudaGraphLaunch(ready, stream.get()), "launch");
    check_cuda(cudaStreamSynchronize(stream.get()), "a graph");
    x.fetch();
    if (repeat == 0) first = x.host;
    ASSERT_EQ(x.host, first);
  }
  for (Index k = 0; k < 100; ++k)
    EXPECT_LE(test::backward_error(part(a, Op::none), b.column(k), x.column(k)), accepted);
  check_cuda(cudaGraphExecDestroy(ready), "destroy");
  check_cuda(cudaGraphDestroy(graph), "destroy");
}

// Panels kept as triangles are solved by the narrow passes.
TEST_F(CudaWide, LeavesTrianglesToTheNarrowPasses) {
  const auto a = matrix(13);
  Options o = wide_options();
  o.numeric.largest_growth = 0;
  const Solver<double> solver(part(a, Op::none), o);
  const Block b(a.rows, 40, Layout::column_major, 1);
  Block x(a.rows, 40, Layout::column_major, 2);
  solver.solve(b.given(), x.vectors());
  check_cuda(cudaDeviceSynchronize(), "a solve");
  x.fetch();
  for (Index k = 0; k < 40; ++k)
    EXPECT_LE(test::backward_error(part(a, Op::none), b.column(k), x.column(k)), accepted);
}

}  // namespace
}  // namespace echelon
