// tests/supernode/test_split_supernodes.cpp -- wide supernodes split into parts: by hand, and
// general properties.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "supernode/patterns.hpp"

namespace echelon {
namespace {

Supernodes one_of(Index width, Index height) {
  Supernodes s;
  s.n = width + height;
  s.first = {0, width, s.n};
  for (Index i = width; i < s.n; ++i) s.row.push_back(i);
  s.row_start = {0, height, height};
  return s;
}

TEST(SplitSupernodes, AreEvenAndWholeStripsWide) {
  const Supernodes s = split_supernodes(one_of(130, 3), 100);
  EXPECT_EQ(s.first, (Buffer<Index>{0, 96, 130, 133}));  // 65 each, but strips have 32 rows
  EXPECT_EQ(s.height(0), 34 + 3);
  EXPECT_EQ(s.rows(0).front(), 96);
  EXPECT_EQ(s.rows(0).back(), 132);
  EXPECT_EQ(s.height(1), 3);
  EXPECT_EQ(s.height(2), 0);
  check_supernodes(s);
}

TEST(SplitSupernodes, HaveTheEntriesOfTheWhole) {
  const Supernodes grid =
      find_supernodes(test::graph_of(test::from_columns(test::dissected_grid(13, 14))));
  for (const Supernodes& whole : {one_of(1, 1), one_of(33, 5), one_of(300, 7), grid})
    for (const Index max_panel_columns : {1, 32, 40, 64, 1000}) {
      const Supernodes parts = split_supernodes(whole, max_panel_columns);
      check_supernodes(parts);
      EXPECT_EQ(parts.n, whole.n);
      EXPECT_EQ(parts.entries(), whole.entries());
      for (Index t = 0; t < parts.count(); ++t)
        EXPECT_LE(parts.width(t), (max_panel_columns + 31) / 32 * 32);
      if (max_panel_columns == 1000) {
        EXPECT_EQ(test::plain(parts), test::plain(whole));
      }
    }
}

TEST(SplitSupernodes, AreCutWherePartsBegin) {
  const Supernodes parts = split_supernodes(one_of(7, 2), std::vector<Index>{0, 3, 4, 7, 9});
  EXPECT_EQ(parts.first, (Buffer<Index>{0, 3, 4, 7, 9}));
  EXPECT_EQ(test::plain(parts).rows, (test::Sets{{3, 4, 5, 6, 7, 8}, {4, 5, 6, 7, 8}, {7, 8}, {}}));
  check_supernodes(parts);
}

}  // namespace
}  // namespace echelon
