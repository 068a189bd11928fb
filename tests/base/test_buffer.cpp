// tests/base/test_buffer.cpp -- alignment, size, moves and bytes of the large array.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "echelon/buffer.hpp"

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

TEST(Buffer, IsCountedInBytes) {
  const Buffer<double> numbers(3);
  const std::vector<std::int16_t> halves(5);
  struct Plan {
    Buffer<char> letters = Buffer<char>(7);
    Offset bytes() const { return bytes_of(letters); }
  };
  EXPECT_EQ(bytes_of(numbers, halves, Plan()), 3 * 8 + 5 * 2 + 7);
}

}  // namespace
}  // namespace echelon
