// tests/support/device.hpp -- base of the tests that need a GPU; skipped without one.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "echelon/device.hpp"
#include "echelon/supernode.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

inline bool has_device() {
  return refusal([] { find_device(); }).code == ErrorCode{};
}

// KiB of shared memory per thread block from ECHELON_TEST_SHARED_MEMORY, to emulate smaller GPUs;
// 0: all of it.
inline Index shared_memory_of_tests() {
  const char* const kib = std::getenv("ECHELON_TEST_SHARED_MEMORY");
  return kib == nullptr ? 0 : static_cast<Index>(std::atoi(kib));
}
// The options of every test that needs a GPU.
inline CudaOptions cuda_options(CudaOptions o = {}) {
  o.shared_memory = shared_memory_of_tests();
  return o;
}

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_device()) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  }
};

}  // namespace echelon::test
