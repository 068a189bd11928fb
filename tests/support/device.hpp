// tests/support/device.hpp -- tests that need a GPU: skipped, and said so, where there is none.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include "echelon/device.hpp"
#include "support/refusal.hpp"

namespace echelon::test {

inline bool has_device() {
  return refusal([] { find_device(); }).code == ErrorCode{};
}

class OnDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_device()) GTEST_SKIP() << "no CUDA device: nothing on the GPU was tested";
  }
};

}  // namespace echelon::test
