// tests/draw/test_spy.cpp -- blocks at their places, the path through them, and counts per level.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "dist/patterns.hpp"
#include "echelon/error.hpp"
#include "read_picture.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

using Kind = Canvas::Shape::Kind;
constexpr Color orange{0xe6, 0x9f, 0x00};

// A dense triangle of `count` supernodes, each `width` wide.
Supernodes dense(Index count, Index width) {
  Supernodes s;
  s.n = count * width;
  for (Index k = 0; k < count; ++k) {
    s.first.push_back((k + 1) * width);
    for (Index i = (k + 1) * width; i < s.n; ++i) s.row.push_back(i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

std::vector<Point> dots(const Canvas& c, Color color) {
  std::vector<Point> all;
  for (const Canvas::Shape& s : c.shapes())
    if (s.kind == Kind::dot && s.color == color) all.push_back(s.point[0]);
  return all;
}

// The blocks: rectangles with a note.
std::vector<Canvas::Shape> noted(const Canvas& c) {
  std::vector<Canvas::Shape> all;
  for (const Canvas::Shape& s : c.shapes())
    if (s.kind == Kind::rectangle && !s.note.empty()) all.push_back(s);
  return all;
}

int lightness(Color c) { return 2 * c.red + 7 * c.green + c.blue; }

TEST(SpyPlots, DrawBlocksAtTheScaleOfTheirRowsAndColumns) {
  // Widths 1, 3, 4; the first reaches a row of the last.
  Supernodes s;
  s.n = 8;
  s.first = {0, 1, 4, 8};
  s.row = {6};
  s.row_start = {0, 1, 1, 1};
  const auto blocks = noted(draw_spy(s, {.size = 800}));
  ASSERT_EQ(blocks.size(), 4U);
  const Point origin = blocks[0].point[0];
  EXPECT_NEAR(blocks[1].point[0].x, origin.x, 1e-9);  // block (2, 0)
  EXPECT_NEAR(blocks[1].point[0].y, origin.y + 400, 1e-9);
  EXPECT_NEAR(blocks[1].point[1].x - blocks[1].point[0].x, 100, 1.5);
  EXPECT_NEAR(blocks[1].point[1].y - blocks[1].point[0].y, 400, 1.5);
  EXPECT_NEAR(blocks[2].point[1].x - blocks[2].point[0].x, 300, 1.5);
}

// Figure 9: a dense triangle by 2 x 2 ranks.
TEST(SpyPlots, ShowThePathAndWhoHasWhat) {
  const Supernodes s = dense(4, 2);
  const BlockMap map = map_blocks(s, {2, 2}, Mapping::cyclic);
  CriticalPath path;  // along the diagonal; on the second level another rank has more work
  path.initial = {{0, 0}, {1, 0}, {1, 1}};
  path.block = {{0, 0}, {2, 0}, {3, 0}, {1, 1}};
  path.level_start = {0, 1, 3, 4};
  path.rank = {0, 2, 0};
  const Canvas c = draw_spy(s, {.path = &path, .owners = &map, .size = 400});
  EXPECT_EQ(dots(c, orange).size(), 3U);  // two, and one in the legend
  EXPECT_EQ(dots(c, orange)[0].y - dots(c, orange)[1].y, -100);
  std::vector<Point> line;
  for (const Canvas::Shape& shape : c.shapes())
    if (shape.kind == Kind::stroke && shape.point.size() == 3) line = shape.point;
  ASSERT_EQ(line.size(), 3U);
  EXPECT_EQ(line[1].y - line[0].y, 200);  // through the block that replaced (1, 0)
  const auto blocks = noted(c);
  ASSERT_EQ(blocks.size(), 10U);
  EXPECT_EQ(blocks[0].color, blocks[2].color);  // (0, 0) and (2, 0): rank 0
  EXPECT_FALSE(blocks[0].color == blocks[1].color);
  EXPECT_EQ(blocks[1].note, "supernode 0, level 0: rows 2 to 3, columns 0 to 1, rank 2");
  EXPECT_FALSE(says(c, "level of"));
  EXPECT_TRUE(says(c, "3") && says(c, "10 blocks") && says(c, "critical path, 3 levels"));
  EXPECT_TRUE(says(c, "2 dependent blocks"));
}

TEST(SpyPlots, ShowLevelsFromDarkToLight) {
  const Canvas c = draw_spy(dense(4, 1));  // a chain: supernode k is level k
  const auto blocks = noted(c);
  ASSERT_EQ(blocks.size(), 10U);
  for (std::size_t k = 1; k < 10; ++k) {
    const bool next = k == 4 || k == 7 || k == 9;  // a column begins
    EXPECT_EQ(lightness(blocks[k].color) > lightness(blocks[k - 1].color), next) << k;
    if (!next) {
      EXPECT_EQ(blocks[k].color, blocks[k - 1].color) << k;
    }
  }
  EXPECT_EQ(blocks[3].note,
            "supernode 0, level 0: columns 0, 1 rows on the diagonal and 3 below, in 3 blocks");
  EXPECT_EQ(blocks[9].note,
            "supernode 3, level 3: columns 3, 1 rows on the diagonal and 0 below, in 0 blocks");
  EXPECT_NE(c.svg().find("<title>" + blocks[9].note + "</title>"), std::string::npos);
  EXPECT_EQ(count_elements(c.svg(), "title"), 4U);  // one per column
  EXPECT_TRUE(says(c, "level of supernodes: 0") && says(c, "3"));
}

TEST(SpyPlots, CountManyBlocksIntoCells) {
  const Supernodes s = dense(200, 3);  // 20,100 blocks
  const Canvas c = draw_spy(s, {.size = 300});
  EXPECT_LT(c.shapes().size(), 4000U);
  const Pixels p = read_png(c.png(1));
  const Color first = p.at(14 + 20, 14 + 280), last = p.at(14 + 280, 14 + 290);
  const Color empty = p.at(14 + 280, 14 + 20);
  EXPECT_LT(lightness(first), lightness(last));
  int lower = 0;
  for (int y = 0; y < 300; ++y)
    for (int x = 0; x < 300; ++x) lower += p.at(14 + x, 14 + y) == empty ? 0 : 1;
  EXPECT_NEAR(lower, 300 * 300 / 2, 1500);
  EXPECT_TRUE(says(c, "20100 blocks"));
}

// 24 x 24 tiles of 8 supernodes, in the lower half.
TEST(SpyPlots, SayWhatLiesInEachTileOfManyBlocks) {
  const Canvas c = draw_spy(dense(192, 1), {.size = 240});
  std::vector<std::string> notes;
  for (const Canvas::Shape& s : c.shapes())
    if (s.kind == Kind::hover) notes.push_back(s.note);
  ASSERT_EQ(notes.size(), 24U * 25 / 2);
  EXPECT_EQ(notes[0], "rows 0 to 7, columns 0 to 7: 36 blocks, level 0 to 7");
  EXPECT_EQ(notes[1], "rows 8 to 15, columns 0 to 7: 64 blocks, level 0 to 7");
  EXPECT_EQ(count_elements(c.svg(), "title"), notes.size());
}

TEST(SpyPlots, OfNothingAreEmpty) {
  EXPECT_NO_THROW(draw_spy({}).svg());
  const BlockMap other = map_blocks(dense(3, 1), {1, 1}, Mapping::cyclic);
  EXPECT_EQ(refusal([&] { draw_spy(dense(4, 1), {.owners = &other}); }).code,
            ErrorCode::bad_argument);
}

TEST(LevelProfiles, CountBlocksOfEachLevel) {
  const Canvas c = draw_levels(dense(4, 2));  // four levels, with 3, 2, 1 and 0 blocks below
  const auto diagonal = rectangles(c, color_of(0)), below = rectangles(c, color_of(1));
  const auto height = [](const Canvas::Shape& s) { return s.point[1].y - s.point[0].y; };
  ASSERT_EQ(below.size(), 9U);     // one in the legend; then markers of the mean
  ASSERT_EQ(diagonal.size(), 9U);  // likewise, and bytes
  for (std::size_t k = 1; k <= 3; ++k)
    EXPECT_NEAR(height(below[k]), (4.0 - static_cast<double>(k)) * height(diagonal[1]), 1e-9);
  // Bytes: 2 (2 + 1) / 2 + 2 h entries for h = 6, 4, 2, 0.
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(height(diagonal[5 + k]) / height(diagonal[8]),
                (15.0 - 4.0 * static_cast<double>(k)) / 3, 1e-9);
}

TEST(LevelProfiles, PutManyLevelsTogether) {
  const Canvas c = draw_levels(dense(1000, 1));
  EXPECT_TRUE(says(c, "level (5 to a bar)"));
  EXPECT_EQ(rectangles(c, color_of(1)).size(), 201U);
  EXPECT_NO_THROW(draw_levels({}).svg());
}

TEST(SpyPlots, OfPatternsAtRandomAreWellFormed) {
  const Supernodes s = random_supernodes(60, 20, 3, 7);
  const Canvas spy = draw_spy(s);
  EXPECT_NO_THROW(read_elements(spy.svg()));
  EXPECT_EQ(spy.svg(), draw_spy(s).svg());
  EXPECT_EQ(spy.png(), draw_spy(s).png());
}

}  // namespace
}  // namespace echelon::test
