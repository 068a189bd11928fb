// tests/base/test_parallel.cpp -- pieces cover a range once; the lowest piece's error is thrown.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "base/parallel.hpp"

namespace echelon {
namespace {

TEST(ParallelPieces, CoverTheRangeOnce) {
  for (const Offset n : {0, 1, 2, 31, 1000}) {
    for (const Index threads : {1, 2, 3, 8}) {
      std::vector<int> seen(n, 0);
      parallel_pieces(n, 1, threads, [&](Offset begin, Offset end, Index) {
        for (Offset k = begin; k < end; ++k) ++seen[k];
      });
      EXPECT_EQ(seen, std::vector<int>(n, 1));
    }
  }
}

TEST(ParallelPieces, AreNotCutBelowTheGrain) {
  int pieces = 0;
  parallel_pieces(100, 100, 8, [&](Offset, Offset, Index) { ++pieces; });
  EXPECT_EQ(pieces, 1);
}

TEST(ParallelPieces, RethrowTheErrorOfTheLowestPiece) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    try {
      parallel_pieces(8, 1, 4, [&](Offset begin, Offset, Index part) {
        if (part >= 1) throw std::runtime_error("piece at " + std::to_string(begin));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "piece at 2");
    }
  }
}

}  // namespace
}  // namespace echelon
