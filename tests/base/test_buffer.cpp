// tests/base/test_buffer.cpp -- alignment, size and moves of Buffer; names of errors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "echelon/buffer.hpp"
#include "echelon/error.hpp"

namespace echelon {
namespace {

TEST(Buffer, StartsOnACacheLine) {
  for (const std::size_t n : {1u, 7u, 1000u, 3000000u}) {
    Buffer<double> b(n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % 64, 0u) << n;
  }
}

TEST(Buffer, KeepsItsContentsWhenItGrows) {
  Buffer<int> b;
  for (int k = 0; k < 100000; ++k) b.push_back(k);
  for (int k = 0; k < 100000; ++k) ASSERT_EQ(b[k], k);
}

TEST(Buffer, RefusesMoreThanThereIs) {
  BufferAllocator<double> allocator;
  EXPECT_THROW((void)allocator.allocate(static_cast<std::size_t>(-1) / 4), std::bad_alloc);
}

TEST(Error, EveryCodeHasItsOwnName) {
  std::set<std::string> names;
  for (int code = 1; code <= 8; ++code) names.insert(name(static_cast<ErrorCode>(code)));
  EXPECT_EQ(names.size(), 8u);
  EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace echelon
