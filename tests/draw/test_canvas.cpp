// tests/draw/test_canvas.cpp -- shapes as SVG and as PNG: the same picture.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "echelon/error.hpp"
#include "read_picture.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

constexpr Color red{255, 0, 0}, blue{0, 0, 255};

TEST(Canvases, AreWhiteUntilSomethingIsDrawn) {
  const Pixels p = read_png(Canvas(5, 3).png(1));
  EXPECT_EQ(p.width, 5);
  EXPECT_EQ(p.height, 3);
  EXPECT_EQ(p.count(paper), 15);
  EXPECT_EQ(read_png(Canvas(5, 3).png()).pixel.size(), 60U);
}

TEST(Canvases, FillRectanglesByTheShareOfAPixel) {
  Canvas c(4, 4);
  c.rectangle(1, 1, 2.5, 1, red);
  const Pixels p = read_png(c.png(1));
  EXPECT_EQ(p.at(1, 1), red);
  EXPECT_EQ(p.at(2, 1), red);
  EXPECT_EQ(p.at(3, 1), (Color{255, 128, 128}));
  EXPECT_EQ(p.count(paper), 13);
  EXPECT_EQ(read_png(c.png(2)).count(red), 10);  // 5 by 2 pixels
}

TEST(Canvases, DrawWhatLiesOutsideOnlyAsFarAsItReachesIn) {
  Canvas c(4, 4);
  c.rectangle(-100, -100, 102, 200, red);
  c.line({-50, 2}, {-40, 2}, blue, 3);
  c.dot({500, 500}, 7, blue);
  c.text({-300, 2}, "far away");
  const Pixels p = read_png(c.png(1));
  EXPECT_EQ(p.count(red), 8);
  EXPECT_EQ(p.count(paper), 8);
}

TEST(Canvases, DrawLinesAndDotsAsWideAsTheyAre) {
  Canvas c(40, 40);
  c.line({5, 20}, {35, 20}, blue, 4);
  c.dot({20, 20}, 8, red);
  const Pixels p = read_png(c.png(1));
  EXPECT_EQ(p.at(8, 18), blue);
  EXPECT_EQ(p.at(8, 21), blue);
  EXPECT_EQ(p.at(8, 15), paper);
  EXPECT_EQ(p.at(20, 13), red);
  EXPECT_EQ(p.at(20, 10), paper);
  EXPECT_NEAR(p.count(red), 3.14159 * 64, 30);
}

TEST(Canvases, WriteTextWhereItIsAligned) {
  const auto ends = [](Align align) {
    Canvas c(100, 20);
    c.text({50, 15}, "HHH", align, red);
    const Pixels p = read_png(c.png(1));
    int first = 100, last = 0;
    for (int x = 0; x < 100; ++x)
      for (int y = 0; y < 20; ++y)
        if (!(p.at(x, y) == paper)) first = std::min(first, x), last = std::max(last, x);
    return std::pair(first, last);
  };
  const double width = text_width("HHH");
  const auto [first, last] = ends(Align::left);
  EXPECT_NEAR(first, 51, 1);
  EXPECT_NEAR(last, 50 + width - 1.5, 1.5);
  for (const auto& [align, back] : {std::pair(Align::middle, width / 2), {Align::right, width}}) {
    EXPECT_NEAR(ends(align).first, first - back, 1.1);
    EXPECT_NEAR(ends(align).second, last - back, 1.1);
  }
}

// All letters show ink between their origin and that of the next letter, and between the lines
// above and below; no two are alike.
TEST(Canvases, HaveALetterForEachCharacterOfAscii) {
  std::set<std::vector<std::uint8_t>> seen;
  for (char letter = '!'; letter <= '~'; ++letter) {
    const std::string text(1, letter);
    Canvas c(40, 26);
    c.text({10, 17}, text);
    const Pixels p = read_png(c.png(4));
    std::vector<std::uint8_t> reds;
    const double right = 4 * (10 + text_width(text)) + 3;  // half a pen may reach over
    int outside = 0;
    for (int y = 0; y < p.height; ++y)
      for (int x = 0; x < p.width; ++x) {
        reds.push_back(p.at(x, y).red);
        const bool inside = x >= 4 * 10 - 3 && x < right && y >= 4 * 8 && y < 4 * 20;
        outside += reds.back() != 255 && !inside ? 1 : 0;
      }
    EXPECT_EQ(outside, 0) << letter;
    EXPECT_LT(*std::min_element(reds.begin(), reds.end()), 0x30) << letter;
    EXPECT_TRUE(seen.insert(reds).second) << letter;
  }
}

TEST(Canvases, MeasureTextAsTheyDrawIt) {
  EXPECT_EQ(text_width(""), 0);
  EXPECT_LT(text_width("ill"), text_width("mmm") / 2);
  EXPECT_DOUBLE_EQ(text_width("abc"), text_width("a") + text_width("b") + text_width("c"));
  EXPECT_DOUBLE_EQ(text_width("\xc3\xa4\n"), text_width("??"));
  EXPECT_DOUBLE_EQ(text_width("0123456789"), 10 * text_width("0"));  // numbers align
}

// A stroke that is crossed by another of its letter is not darker there.
TEST(Canvases, DrawTheStrokesOfALetterAsOneShape) {
  Canvas c(40, 30);
  constexpr Color grey{0x80, 0x80, 0x80};
  c.text({10, 20}, "+x#", Align::left, grey);
  for (const Color seen : read_png(c.png(2)).pixel) EXPECT_GE(seen.red, 0x80);
  EXPECT_GT(read_png(c.png(2)).count(grey), 20);
}

TEST(Canvases, AreWellFormedSvgWhateverTheTextSays) {
  Canvas c(100, 50);
  c.rectangle(1, 2, 3.25, 4, red);
  c.rectangle(9, 9, 1, 1, red);
  c.rectangle(20, 9, 1, 1, blue);
  c.polyline({{0, 0}, {1, 1}, {2, 0}}, blue, 1.5);
  c.dot({3, 3}, 2, red);
  c.text({50, 20}, "a < b && \"c\" > d", Align::middle);
  c.text({50, 30}, "\xc3\xa4\n\x01");
  const std::string svg = c.svg();
  const std::vector<Element> all = read_elements(svg);
  ASSERT_EQ(all[0].name, "svg");
  EXPECT_EQ(all[0].attribute.at("xmlns"), "http://www.w3.org/2000/svg");
  EXPECT_EQ(all[0].attribute.at("width"), "100");
  EXPECT_EQ(count_elements(svg, "path"), 3U);  // background; two red ones; a blue one
  EXPECT_EQ(all[2].attribute.at("d"), "M1 2h3.25v4h-3.25zM9 9h1v1h-1z");
  EXPECT_EQ(all[4].attribute.at("points"), "0,0 1,1 2,0");
  EXPECT_EQ(all[6].text, "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
  EXPECT_NEAR(std::stod(all[6].attribute.at("textLength")), text_width("a < b && \"c\" > d"), 0.01);
  EXPECT_EQ(all[7].text, "???");
}

TEST(Canvases, ArePlacedUponEachOther) {
  Canvas small(2, 2), large(6, 6);
  small.rectangle(0, 0, 2, 2, red);
  large.rectangle(0, 0, 6, 6, blue);
  large.place(small, 3, 1);
  const Pixels p = read_png(large.png(1));
  EXPECT_EQ(p.count(red), 4);
  EXPECT_EQ(p.at(4, 2), red);
  EXPECT_EQ(p.at(2, 2), blue);
}

TEST(Canvases, RefuseWhatCannotBeDrawn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([] { Canvas(0, 5); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([] { Canvas(5, 1 << 20); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { Canvas(5, 5).dot({nan, 1}, 1, red); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] {
              Canvas(5, 5).line({0, 0}, {1, 1}, red, nan);
            }).code,
            ErrorCode::bad_argument);
  EXPECT_EQ(refusal([] { Canvas(16384, 16384).png(8); }).code, ErrorCode::bad_argument);
}

TEST(Pictures, AreNotWrittenWhereTheyCannotBe) {
  const Canvas c(5, 5);
  EXPECT_EQ(refusal([&] { write_picture(c, "picture.jpeg"); }).code, ErrorCode::bad_argument);
  EXPECT_EQ(refusal([&] { write_picture(c, "/no/such/folder/a.svg"); }).code, ErrorCode::bad_file);
  EXPECT_EQ(refusal([&] { write_picture(c, "/no/such/folder/a.png"); }).code, ErrorCode::bad_file);
}

// No two of the first eight colours are close in both lightness and hue.
TEST(Colors, DifferFromEachOther) {
  for (Index a = 0; a < 8; ++a)
    for (Index b = 0; b < a; ++b) {
      const Color p = color_of(a), q = color_of(b);
      const int apart =
          std::abs(p.red - q.red) + std::abs(p.green - q.green) + std::abs(p.blue - q.blue);
      EXPECT_GT(apart, 60) << a << " and " << b;
    }
  EXPECT_EQ(color_of(8), color_of(0));
}

}  // namespace
}  // namespace echelon::test
