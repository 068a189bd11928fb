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
constexpr Color grey{0xbb, 0xbb, 0xbb}, orange{0xe6, 0x9f, 0x00};

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

TEST(SpyPlots, DrawBlocksAtTheScaleOfTheirRowsAndColumns) {
  // Widths 1, 3, 4; the first reaches a row of the last.
  Supernodes s;
  s.n = 8;
  s.first = {0, 1, 4, 8};
  s.row = {6};
  s.row_start = {0, 1, 1, 1};
  const auto blocks = rectangles(draw_spy(s, {.size = 800}), grey);
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
  EXPECT_TRUE(rectangles(c, grey).empty());
  EXPECT_TRUE(says(c, "3") && says(c, "10 blocks") && says(c, "critical path, 3 levels"));
  EXPECT_TRUE(says(c, "2 dependent blocks"));
}

TEST(SpyPlots, CountManyBlocksIntoCells) {
  const Supernodes s = dense(200, 3);  // 20,100 blocks
  const Canvas c = draw_spy(s, {.size = 300});
  EXPECT_LT(c.shapes().size(), 2000U);
  const Pixels p = read_png(c.png(1));
  const Color full = p.at(14 + 20, 14 + 280), empty = p.at(14 + 280, 14 + 20);
  EXPECT_LT(full.red, empty.red);
  EXPECT_NEAR(p.count(full), 300 * 300 / 2, 1500);  // the lower half
  EXPECT_TRUE(says(c, "20100 blocks"));
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
