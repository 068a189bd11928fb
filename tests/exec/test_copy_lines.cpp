// tests/exec/test_copy_lines.cpp -- lines of memory as CUDA copies: the same bytes for any pitch
// limit, with the fewest copies.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "exec/cuda/runtime/copy_lines.hpp"

namespace echelon {
namespace {

struct Counts {
  int one = 0, several = 0;
  bool operator==(const Counts&) const = default;
};

// Copies on the host, as a device would.
Counts copy(const Vectors<const double>& from, const Vectors<double>& to, std::size_t most) {
  Counts counts;
  const MemoryLines given(from), wanted(to);
  const auto* const source = reinterpret_cast<const char*>(from.data);
  auto* const target = reinterpret_cast<char*>(to.data);
  copy_lines(
      given, wanted,
      [&](std::size_t at, std::size_t into, std::size_t bytes) {
        std::memcpy(target + into, source + at, bytes);
        ++counts.one;
      },
      [&](std::size_t bytes, std::size_t lines) {
        EXPECT_LE(std::max(given.apart, wanted.apart), most);
        for (std::size_t k = 0; k < lines; ++k)
          std::memcpy(target + k * wanted.apart, source + k * given.apart, bytes);
        ++counts.several;
      },
      most);
  return counts;
}

TEST(CopyLines, CopyEveryEntryAndNothingElse) {
  std::vector<double> source(200);
  std::iota(source.begin(), source.end(), 1.0);
  for (const Layout layout : {Layout::column_major, Layout::row_major})
    for (const Index count : {1, 3})
      for (const Offset extra_from : {0, 2})
        for (const Offset extra_to : {0, 5})
          for (const std::size_t most : {std::size_t{8}, std::size_t{56}, most_apart}) {
            const Index n = 7, line = layout == Layout::column_major ? n : count;
            const Vectors<const double> from(source.data(), n, count, line + extra_from, layout);
            std::vector<double> target(200, -1.0);
            const Vectors<double> to(target.data(), n, count, line + extra_to, layout);
            copy(from, to, most);
            std::vector<double> expected(200, -1.0);
            for (Index k = 0; k < count; ++k)
              for (Index i = 0; i < n; ++i)
                expected[i * to.step() + k * to.stride()] =
                    source[i * from.step() + k * from.stride()];
            ASSERT_EQ(target, expected);
          }
}

TEST(CopyLines, TakeOneCopyWhereThatDoes) {
  std::vector<double> a(100), b(100);
  const Vectors<const double> close(a.data(), 5, 4), wide(a.data(), 5, 4, 8),
      one(a.data(), 5, 1, 9);
  const Vectors<double> to(b.data(), 5, 4), to_wide(b.data(), 5, 4, 9), to_one(b.data(), 5);
  EXPECT_EQ(copy(close, to, 1), (Counts{1, 0})) << "no gaps: a distance does not matter";
  EXPECT_EQ(copy(one, to_one, 1), (Counts{1, 0}));
  EXPECT_EQ(copy(wide, to, 72), (Counts{0, 1}));
  EXPECT_EQ(copy(wide, to_wide, 72), (Counts{0, 1}));
  EXPECT_EQ(copy(wide, to_wide, 71), (Counts{4, 0})) << "one of the distances is too large";
}

// Too large to allocate in a test: three lines of 2^31 - 1 numbers.
TEST(CopyLines, CountInMoreThanThirtyTwoBits) {
  const Index n = 2147483647;
  const Vectors<const double> from(nullptr, n, 3, Offset{1} << 31);
  const Vectors<double> to(nullptr, n, 3);
  std::vector<std::size_t> at, into;
  copy_lines(
      MemoryLines(from), MemoryLines(to),
      [&](std::size_t a, std::size_t b, std::size_t bytes) {
        at.push_back(a);
        into.push_back(b);
        EXPECT_EQ(bytes, (std::size_t{1} << 34) - 8);
      },
      [&](std::size_t, std::size_t) { ADD_FAILURE() << "no device takes that distance"; });
  EXPECT_EQ(at, (std::vector<std::size_t>{0, std::size_t{1} << 34, std::size_t{1} << 35}));
  EXPECT_EQ(into,
            (std::vector<std::size_t>{0, (std::size_t{1} << 34) - 8, (std::size_t{1} << 35) - 16}));
  const Vectors<double> close(nullptr, n, 3);
  copy_lines(
      MemoryLines(close), MemoryLines(close),
      [&](std::size_t, std::size_t, std::size_t bytes) {
        EXPECT_EQ(bytes, 3 * ((std::size_t{1} << 34) - 8));
      },
      [&](std::size_t, std::size_t) { ADD_FAILURE() << "there are no gaps"; });
}

}  // namespace
}  // namespace echelon
