// tests/exec/test_cuda_sequences.cpp -- random sequences of calls on a GPU: vectors in host and
// device memory, several streams, solutions checked after all calls.
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "sequence/run_sequence.hpp"
#include "support/device.hpp"

namespace echelon::test {
namespace {

void require(cudaError_t error) {
  if (error != cudaSuccess) throw Error(ErrorCode::backend_failed, cudaGetErrorString(error));
}

// The default stream, two streams that synchronize with it, and one that does not.
class CudaSequences : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (IsSkipped()) return;
    for (const unsigned flags : {cudaStreamDefault, cudaStreamDefault, cudaStreamNonBlocking}) {
      cudaStream_t stream = nullptr;
      require(cudaStreamCreateWithFlags(&stream, flags));
      device_streams.streams.push_back(stream);
    }
    device_streams.synchronize = [] { require(cudaDeviceSynchronize()); };
  }
  void TearDown() override {
    for (void* const stream : device_streams.streams)
      if (stream != nullptr) cudaStreamDestroy(static_cast<cudaStream_t>(stream));
    device_streams = {};
  }
};

TEST_F(CudaSequences, OfSolvers) {
  expect_right({"solver on cuda", [](Draw& draw) { return draw_solver(draw, Backend::cuda); },
                make_solver_subject, 5000});
}

TEST_F(CudaSequences, OfDirectSolvers) {
  expect_right({"direct on cuda", [](Draw& draw) { return draw_direct(draw, Backend::cuda); },
                make_direct_subject, 3500});
}

TEST_F(CudaSequences, OfSmoothers) {
  expect_right({"smoother on cuda", [](Draw& draw) { return draw_smoother(draw, Backend::cuda); },
                make_smoother_subject, 1500});
}

// The sequence that failed on a GPU: passes of 8, 8 and 1, then 8 again.
TEST_F(CudaSequences, BandsForgetTheVectorsOfTheLastPass) {
  expect_right(make_solver_subject,
               {.shape = Shape::grid,
                .n = 400,
                .method = Method::superstep,
                .backend = Backend::cuda,
                .bands = 6,
                .levels = 4},
               {{.count = 17}, {.count = 17, .seed = 1}, {.count = 17, .seed = 2}});
}

// A row of subnormal numbers, which atomic additions of float flush to zero.
TEST_F(CudaSequences, ColumnsOfSinglePrecisionMayLoseSubnormalNumbers) {
  for (const Method method : {Method::level_column, Method::element_column})
    for (const Precision precision : {Precision::float32, Precision::complex64})
      expect_right(make_solver_subject,
                   {.precision = precision, .n = 3, .method = method, .backend = Backend::cuda},
                   {{.action = Action::update, .seed = 3}, {}});
}

}  // namespace
}  // namespace echelon::test
