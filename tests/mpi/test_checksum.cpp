// tests/mpi/test_checksum.cpp -- contents that a checksum must distinguish.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "distributed/checksum.hpp"

namespace echelon {
namespace {

std::uint64_t sum(std::uint64_t pass, const std::vector<std::uint64_t>& words) {
  return checksum(pass, words.data(), words.size());
}

TEST(Checksums, DifferBetweenPassesForTheSameNumbers) {
  for (const std::size_t size : {1, 2, 3, 4, 5, 17, 100}) {
    const std::vector<std::uint64_t> zeros(size, 0);
    for (std::uint64_t pass = 1; pass < 100; ++pass) EXPECT_NE(sum(pass, zeros), sum(0, zeros));
    EXPECT_NE(sum(1, zeros), 0u);  // cleared memory is no message
  }
}

TEST(Checksums, SeeEveryWordAndItsPlace) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t k = 0; k < 37; ++k)
    words.push_back(std::bit_cast<std::uint64_t>(1.0 / (k + 1)));
  const std::uint64_t whole = sum(5, words);
  for (std::size_t k = 0; k < words.size(); ++k) {
    std::vector<std::uint64_t> other = words;
    other[k] = 0;  // still to come
    EXPECT_NE(sum(5, other), whole);
    for (int bit = 0; bit < 64; ++bit) {
      other = words;
      other[k] ^= std::uint64_t{1} << bit;
      EXPECT_NE(sum(5, other), whole);
    }
    for (std::size_t j = 0; j < k; ++j) {
      other = words;
      std::swap(other[j], other[k]);
      EXPECT_NE(sum(5, other), whole);
    }
  }
}

TEST(Checksums, TakeNanAsTheBitsItIs) {
  const auto nan = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(sum(3, {nan, nan}), sum(3, {nan, nan}));
  EXPECT_NE(sum(3, {nan, 0}), sum(3, {nan, nan}));
  EXPECT_NE(sum(3, {nan, 1}), sum(3, {nan | 1, 1}));
}

TEST(Checksums, SeeHowManyWordsThereAre) {
  EXPECT_NE(sum(2, {0, 0, 0}), sum(2, {0, 0}));
  EXPECT_NE(sum(2, {0}), sum(2, {}));
}

// A message of pass 8 over one of pass 6 in the same memory, partly arrived.
TEST(Checksums, SeeThatAMessageIsHalfThere) {
  std::vector<std::uint64_t> old(20), fresh(20);
  for (std::uint64_t k = 0; k < 20; ++k) {
    old[k] = k * 77;
    fresh[k] = k * 78 + 1;
  }
  for (std::size_t come = 0; come < 20; ++come) {
    std::vector<std::uint64_t> seen = old;
    std::copy_n(fresh.begin(), come, seen.begin());
    EXPECT_NE(sum(8, seen), sum(8, fresh));
    EXPECT_NE(sum(8, seen), sum(6, old));
  }
}

}  // namespace
}  // namespace echelon
