// echelon/draw.hpp -- pictures of what the other rooms have found: blocks and their critical path,
// levels, times over ranks, what ranks do when; as SVG, as PNG, or together on a page.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes after forecast.hpp.  The same input gives the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/forecast.hpp"

#pragma GCC visibility push(default)
namespace echelon {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};
constexpr Color ink{0x22, 0x22, 0x22}, paper{0xff, 0xff, 0xff}, pale{0xdd, 0xdd, 0xdd};

// Colours that colour-blind people can tell apart (Okabe and Ito 2008); from the ninth on they come
// again.
Color color_of(Index k);

struct Point {
  double x = 0, y = 0;
};

enum class Align { left, middle, right };

// Shapes in pixels, from the upper left corner; later ones lie upon earlier ones.  Throws
// bad_argument for places that are not finite and for a size that no picture has.
class Canvas {
 public:
  Canvas(int width, int height);

  void rectangle(double x, double y, double width, double height, Color color);
  void line(Point from, Point to, Color color, double width = 1);
  void polyline(const std::vector<Point>& points, Color color, double width = 1);
  void dot(Point center, double radius, Color color);
  // On a line at `at`.  One size; what is not ASCII is shown as '?'.
  void text(Point at, std::string_view letters, Align align = Align::left, Color color = ink);
  // All of another one, moved.
  void place(const Canvas& other, double x, double y);

  int width() const { return width_; }
  int height() const { return height_; }

  struct Shape {
    enum class Kind { rectangle, stroke, dot, text } kind;
    Color color;
    std::vector<Point> point;  // rectangle: a corner and the opposite one
    double width = 0;          // of a stroke; of a dot its radius
    std::string letters;
    Align align = Align::left;
  };
  const std::vector<Shape>& shapes() const { return shapes_; }

  std::string svg() const;                   // a file
  std::string png(int magnified = 2) const;  // a file, so many pixels for one

 private:
  void add(Shape shape);

  int width_, height_;
  std::vector<Shape> shapes_;
};

constexpr double letter_width = 6, letter_height = 13;

// By the end of the name: .svg or .png.  Throws bad_argument for another, bad_file when the disk
// refuses.
void write_picture(const Canvas& canvas, const std::string& path);

// --- Charts.

enum class Scale { linear, log2, log10 };

struct Axis {
  std::string label;
  Scale scale = Scale::linear;
};

enum class Stroke { solid, dashed, none };

// Points that are not finite, or not positive on a logarithmic axis, are left out.
struct Series {
  std::string label;
  std::vector<double> x, y;
  Stroke stroke = Stroke::solid;
  bool markers = true;
};

struct Chart {
  std::string title;
  Axis x, y;
  std::vector<Series> bars;   // one upon the other, at the same x; linear axes only
  std::vector<Series> lines;  // colours go on after those of the bars
  int width = 720, height = 400;
};
Canvas draw_chart(const Chart& chart);

// Times over ranks, both axes logarithmic: forecasts dashed or solid as they say.
Canvas draw_scaling(const std::string& title, const std::vector<Series>& seconds);

// --- Blocks.

struct SpyOptions {
  const CriticalPath* path = nullptr;  // a line through its levels; what was put in as orange dots
  const BlockMap* owners = nullptr;    // colours for ranks, where blocks are drawn one by one
  int size = 640;                      // of the matrix, in pixels
};
// Blocks of more than this many are not drawn one by one but counted into cells, the darker the
// more of a cell they cover.
constexpr Offset most_blocks_drawn = 4000;
// Figures 7, 9 and 11 of Ding et al. 2020.
Canvas draw_spy(const Supernodes& s, const SpyOptions& o = {});

// For each level of the supernodes: blocks, bytes of values, and widths.
Canvas draw_levels(const Supernodes& s, std::size_t value_bytes = 8);

// One lane a rank, a colour for what it does; waiting is blank.  Where several things happen within
// a pixel, each takes its share of the lane's height.
Canvas draw_timeline(const Timeline& timeline, const std::string& title = "");

// --- Pages.

// One HTML file that needs nothing besides itself: no scripts, no network.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title);
  void add_heading(const std::string& text);
  void add_text(const std::string& text);
  // The first row holds the titles.
  void add_table(const std::vector<std::vector<std::string>>& rows);
  void add_figure(const Canvas& canvas, const std::string& caption);

  std::string text() const;
  void write(const std::string& path) const;  // throws bad_file

 private:
  std::string title_, body_;
};

}  // namespace echelon
#pragma GCC visibility pop
