// tests/supernode/test_strips.cpp -- strips of a panel by hand; they cover it exactly once.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <vector>

#include "echelon/supernode.hpp"

namespace echelon {
namespace {

// Width 10, 25 rows below: 35 in total.  The triangle lies in the first strip, whose column 8
// begins at row 8; the second has 3 rows, stored as 8.
TEST(Strips, ASmallPanelHasAStairAndARest) {
  EXPECT_EQ(strip_count(10, 25), 2);
  const Strip top = strip_of(10, 25, 0);
  EXPECT_EQ(top.begin, 0);
  EXPECT_EQ(top.rows, 32);
  EXPECT_EQ(top.full, 0);
  EXPECT_EQ(top.stair, 10);
  EXPECT_EQ(top.start, 0);
  EXPECT_EQ(top.size(), 8 * 32 + 2 * 24);
  EXPECT_EQ(top.top(7), 0);
  EXPECT_EQ(top.top(8), 8);
  EXPECT_EQ(top.column(9), 8 * 32 + 24);
  const Strip rest = strip_of(10, 25, 1);
  EXPECT_EQ(rest.begin, 32);
  EXPECT_EQ(rest.rows, 8);
  EXPECT_EQ(rest.full, 10);
  EXPECT_EQ(rest.stair, 0);
  EXPECT_EQ(rest.start, 8 * 32 + 2 * 24);
  EXPECT_EQ(rest.size(), 10 * 8);
  EXPECT_EQ(rest.column(3), rest.start + 3 * 8);
  EXPECT_EQ(panel_size(PanelLayout::strips, 10, 25), 8 * 32 + 2 * 24 + 10 * 8);
  EXPECT_EQ(panel_size(PanelLayout::plain, 10, 25), 350);
}

TEST(Strips, AnEmptyPanelHasNoneAndASingleUnknownOneGroup) {
  EXPECT_EQ(strip_count(0, 0), 0);
  EXPECT_EQ(panel_size(PanelLayout::strips, 0, 0), 0);
  EXPECT_EQ(panel_size(PanelLayout::strips, 1, 0), 8);
  EXPECT_EQ(panel_size(PanelLayout::plain, 1, 0), 1);
}

TEST(Strips, LargePanelsDoNotOverflow) {
  const Index w = 100000, h = 900000;
  const Offset least = Offset{w} * (w + 1) / 2 + Offset{w} * h;
  const Offset size = panel_size(PanelLayout::strips, w, h);
  EXPECT_GE(size, least);
  EXPECT_LT(size, least + Offset{w} * 16);
  EXPECT_EQ(panel_size(PanelLayout::plain, w, h), Offset{w} * (w + h));
}

// Counts how often each entry of the panel is stored, row by row; also checks the places.
std::vector<int> stored_times(Index w, Index h) {
  const Index rows = (w + h + 7) / 8 * 8;  // with padding
  std::vector<int> times(static_cast<std::size_t>(rows * w));
  Offset place = 0;
  for (Index k = 0; k < strip_count(w, h); ++k) {
    const Strip strip = strip_of(w, h, k);
    EXPECT_EQ(strip.start, place);
    EXPECT_EQ(strip.rows % PanelShape::group, 0);
    for (Index j = 0; j < strip.full + strip.stair; ++j) {
      EXPECT_EQ(strip.column(j), place);
      for (Index i = strip.top(j); i < strip.rows; ++i, ++place) ++times[(strip.begin + i) * w + j];
    }
    EXPECT_EQ(strip.start + strip.size(), place);
  }
  EXPECT_EQ(panel_size(PanelLayout::strips, w, h), place);
  return times;
}

TEST(Strips, TileTheTrapezoidOnceAndAddPaddingOnly) {
  for (const Index w : {1, 2, 7, 8, 9, 31, 32, 33, 40, 63, 64, 65, 100, 128, 130})
    for (const Index h : {0, 1, 2, 7, 8, 9, 23, 24, 31, 32, 33, 64, 95, 200}) {
      const std::vector<int> times = stored_times(w, h);
      Index wrong = 0;
      for (Index i = 0; i < static_cast<Index>(times.size()) / w; ++i)
        for (Index j = 0; j < w; ++j) {
          const bool in_panel = i < w + h && j <= i;
          const bool padding = i >= w + h || (j > i && j / 8 == i / 8);
          if (in_panel)
            wrong += times[i * w + j] != 1;
          else
            wrong += times[i * w + j] > (padding ? 1 : 0);
        }
      EXPECT_EQ(wrong, 0) << "width " << w << ", height " << h;
    }
}

}  // namespace
}  // namespace echelon
