// tests/draw/test_chart.cpp -- axes with round numbers, series at their places, stacked bars.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "draw/axis.hpp"
#include "echelon/error.hpp"
#include "read_picture.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

std::vector<std::string> texts(const AxisMap& axis, int wanted) {
  std::vector<std::string> all;
  for (const Tick& t : axis.ticks(wanted)) all.push_back(t.text);
  return all;
}
using Texts = std::vector<std::string>;

TEST(Axes, MarkRoundNumbers) {
  EXPECT_EQ(texts({Scale::linear, 0, 10, 0, 1}, 5), (Texts{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(texts({Scale::linear, 0, 0.7, 0, 1}, 5), (Texts{"0", "0.2", "0.4", "0.6"}));
  EXPECT_EQ(texts({Scale::linear, -3, 4, 0, 1}, 4), (Texts{"-2", "0", "2", "4"}));
  EXPECT_EQ(texts({Scale::linear, 1990, 2010, 0, 1}, 4),
            (Texts{"1990", "1995", "2000", "2005", "2010"}));
  EXPECT_EQ(texts({Scale::log2, 1, 16, 0, 1}, 8), (Texts{"1", "2", "4", "8", "16"}));
  EXPECT_EQ(texts({Scale::log2, 1, 4096, 0, 1}, 6),
            (Texts{"1", "4", "16", "64", "256", "1024", "4096"}));
  EXPECT_EQ(texts({Scale::log10, 1e-5, 1e-2, 0, 1}, 6), (Texts{"1e-05", "1e-04", "0.001", "0.01"}));
  EXPECT_EQ(texts({Scale::log10, 0.3, 6, 0, 1}, 6), (Texts{"0.5", "1", "2", "5"}));
}

TEST(Axes, HaveAPlaceForEachNumber) {
  const AxisMap linear(Scale::linear, 0, 10, 100, 200), log(Scale::log10, 0.1, 10, 100, 200);
  EXPECT_DOUBLE_EQ(linear.at(2.5), 125);
  EXPECT_DOUBLE_EQ(log.at(1), 150);
  const AxisMap one(Scale::linear, 4, 4, 0, 100);  // widened
  EXPECT_DOUBLE_EQ(one.at(4), 50);
  EXPECT_GE(one.ticks(5).size(), 2U);
  EXPECT_TRUE(is_on(Scale::linear, -1) && !is_on(Scale::log2, 0));
  EXPECT_FALSE(is_on(Scale::linear, std::nan("")));
}

TEST(Charts, DrawEachPointOnce) {
  Chart chart{"Times", {"ranks", Scale::log2}, {"seconds", Scale::log10}, {}, {}};
  chart.lines = {{"measured", {1, 2, 4, 8}, {8, 4, 2, 1}},
                 {"model", {1, 2, 4, 8}, {7, 0, std::nan(""), 1}, Stroke::dashed, false}};
  const Canvas c = draw_chart(chart);
  std::vector<Point> dots;
  for (const Canvas::Shape& s : c.shapes())
    if (s.kind == Canvas::Shape::Kind::dot) dots.push_back(s.point[0]);
  ASSERT_EQ(dots.size(), 5U);            // one in the legend
  for (std::size_t k = 2; k < 5; ++k) {  // repeated halving is a straight line
    EXPECT_NEAR(dots[k].x - dots[k - 1].x, dots[2].x - dots[1].x, 1e-9);
    EXPECT_NEAR(dots[k].y - dots[k - 1].y, dots[2].y - dots[1].y, 1e-9);
    EXPECT_GT(dots[k].y, dots[k - 1].y);
  }
  for (const char* text : {"Times", "ranks", "seconds", "measured", "model"})
    EXPECT_TRUE(says(c, text)) << text;
  EXPECT_NO_THROW(read_png(c.png(1)));
}

TEST(Charts, StackBars) {
  Chart chart{"", {"x"}, {"y"}, {}, {}};
  chart.bars = {{"a", {0, 1}, {1, 2}}, {"b", {0, 1}, {3, 1}}};
  const Canvas c = draw_chart(chart);
  const auto a = rectangles(c, color_of(0)), b = rectangles(c, color_of(1));
  ASSERT_EQ(a.size(), 3U);  // one in the legend
  ASSERT_EQ(b.size(), 3U);
  const auto height = [](const Canvas::Shape& s) { return s.point[1].y - s.point[0].y; };
  const double unit = height(a[1]);
  EXPECT_NEAR(height(a[2]), 2 * unit, 1e-9);
  EXPECT_NEAR(height(b[1]), 3 * unit, 1e-9);
  EXPECT_NEAR(b[1].point[1].y, a[1].point[0].y, 1e-9);
  EXPECT_NEAR(b[2].point[1].y, a[2].point[0].y, 1e-9);
}

TEST(Charts, OfNothingAreAxesAlone) {
  EXPECT_NO_THROW(draw_chart({}).svg());
  EXPECT_NO_THROW(draw_scaling("none", {{"empty", {}, {}}}).png());
}

TEST(Charts, RefuseSeriesThatDoNotFit) {
  Chart chart;
  chart.lines = {{"short", {1, 2}, {1}}};
  EXPECT_EQ(refusal([&] { draw_chart(chart); }).text, "chart '': series 'short' has 2 x and 1 y");
  chart.lines.clear();
  chart.bars = {{"a", {1}, {1}}, {"b", {2}, {1}}};
  EXPECT_EQ(refusal([&] { draw_chart(chart); }).code, ErrorCode::bad_argument);
  chart.bars.pop_back();
  chart.y.scale = Scale::log10;
  EXPECT_EQ(refusal([&] { draw_chart(chart); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(
      refusal([] {
        draw_chart({.title = "small", .x = {}, .y = {}, .bars = {}, .lines = {}, .width = 100});
      }).code,
      ErrorCode::bad_argument);
}

}  // namespace
}  // namespace echelon::test
