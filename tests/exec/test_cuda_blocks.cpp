// tests/exec/test_cuda_blocks.cpp -- supernodal solves on a GPU against the oracle.  Skipped, and
// said so, where there is none.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/solver.hpp"
#include "exec/block_cases.hpp"
#include "exec/cuda/cuda_blocks.hpp"
#include "exec/cuda/device_array.cuh"
#include "support/reference_solve.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

constexpr double accepted = 8;

template <class T>
class CudaBlocksOn : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_devices() == 0) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  }
};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CudaBlocksOn, Scalars);

// op(M) x = b for `count` vectors, in the device's memory; the answers.
template <class T>
Buffer<T> solve(const CudaBlocks<T>& blocks, Op op, Index n, Index count, const Buffer<T>& b) {
  const DeviceArray<T> device(b);
  blocks.solve({.op = op,
                .b = Vectors<const T>(device.data(), n, count),
                .x = Vectors<T>(device.data(), n, count)});
  EXPECT_TRUE(blocks.all_finite());
  Buffer<T> x(b.size());
  check_cuda(cudaMemcpy(x.data(), device.data(), device.bytes(), cudaMemcpyDeviceToHost), "copy");
  return x;
}

TYPED_TEST(CudaBlocksOn, SolvesEveryCase) {
  using T = TypeParam;
  constexpr Index count = 3;
  for (const test::BlockCase& c : test::block_cases())
    for (const Method method :
         {Method::team, Method::merge, Method::invert_diag, Method::invert_off, Method::tree})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
        const auto a = test::case_matrix<T>(c.columns);
        const auto t = triangle(CsrView<T>(a), uplo, {.other = Other::ignore});
        const Analysis analysis(t, {.method = method, .supernode = {.chunk_entries = 256}});
        const CudaBlocks<T> blocks(analysis.plan().blocks, test::pack_triangle(analysis.plan(), t));
        const auto given = test::random_vector<T>(static_cast<std::size_t>(count) * t.n());
        const Buffer<T> b(given.begin(), given.end());
        for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
          const Buffer<T> x = solve(blocks, op, t.n(), count, b);
          EXPECT_EQ(solve(blocks, op, t.n(), count, b), x) << "other bits the second time";
          const auto turned = triangle(CsrView<T>(a), uplo, {.op = op, .other = Other::ignore});
          for (Index k = 0; k < count; ++k) {
            const auto from = static_cast<std::ptrdiff_t>(k) * t.n();
            EXPECT_LE(test::backward_error(
                          turned, std::vector<T>(b.begin() + from, b.begin() + from + t.n()),
                          std::vector<T>(x.begin() + from, x.begin() + from + t.n())),
                      accepted)
                << c.name << ' ' << name(method);
          }
        }
      }
}

TEST(CudaBlocksWithout, ADeviceAreRefused) {
  if (cuda_devices() > 0) GTEST_SKIP() << "there is a CUDA device";
  const auto a = test::case_matrix<double>(test::band(5, 2));
  const auto t = lower(a, {.other = Other::ignore});
  const Analysis analysis(t, {.method = Method::tree});
  const auto refused = test::refusal(
      [&] { CudaBlocks<double>(analysis.plan().blocks, test::pack_triangle(analysis.plan(), t)); });
  EXPECT_EQ(refused.code, ErrorCode::backend_missing);
}

}  // namespace
}  // namespace echelon
