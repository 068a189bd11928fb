// echelon/tools/draw.hpp -- pictures as SVG, PNG or an HTML page: blocks with their critical path,
// levels, times over ranks, and timelines.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes after forecast.hpp.  The output is deterministic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/tools/forecast.hpp"

#pragma GCC visibility push(default)
namespace echelon {

struct Color {
  std::uint8_t red = 0, green = 0, blue = 0;
  friend bool operator==(const Color&, const Color&) = default;
};
constexpr Color ink{0x22, 0x22, 0x22}, paper{0xff, 0xff, 0xff}, pale{0xdd, 0xdd, 0xdd};

// Colours that colour-blind people can distinguish (Okabe and Ito 2008), repeated after the eighth.
Color color_of(Index k);

struct Point {
  double x = 0, y = 0;
};

enum class Align { left, middle, right };

// Shapes in pixels from the upper left corner; later shapes cover earlier ones.  Throws
// bad_argument for coordinates that are not finite and for a size out of range.
class Canvas {
 public:
  Canvas(int width, int height);

  // `note`: what is shown of the shape where the mouse rests on it, in SVG alone.
  // Neighbours of one colour and note are one shape there.
  void rectangle(double x, double y, double width, double height, Color color,
                 const std::string& note = "");
  void line(Point from, Point to, Color color, double width = 1);
  void polyline(const std::vector<Point>& points, Color color, double width = 1);
  void dot(Point center, double radius, Color color);
  // A disc that is not seen, with a note; a rectangle likewise.
  void hover(Point center, double radius, const std::string& note);
  void hover(Point corner, Point opposite, const std::string& note);
  // Baseline at `at`.  One font size; characters that are not ASCII appear as '?'.
  void text(Point at, std::string_view letters, Align align = Align::left, Color color = ink);
  // Draws all shapes of another canvas at an offset.
  void place(const Canvas& other, double x, double y);

  int width() const { return width_; }
  int height() const { return height_; }

  struct Shape {
    enum class Kind { rectangle, stroke, dot, text, hover } kind;
    Color color;
    std::vector<Point> point;  // rectangle: two opposite corners; a hover of one
    double width = 0;          // line width of a stroke; radius of a dot
    std::string letters;
    Align align = Align::left;
    std::string note = {};
  };
  const std::vector<Shape>& shapes() const { return shapes_; }

  std::string svg() const;                   // contents of a file
  std::string png(int magnified = 2) const;  // contents of a file; `magnified`: scale factor

 private:
  void add(Shape shape);

  int width_, height_;
  std::vector<Shape> shapes_;
};

// Of text on a canvas: letters are as wide as they need to be.
double text_width(std::string_view letters);
constexpr double letter_height = 13;

// The extension chooses the format: .svg or .png.  Throws bad_argument for any other, bad_file if
// writing fails.
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
  std::vector<Series> bars;   // stacked at the same x; linear axes only
  std::vector<Series> lines;  // colours continue after those of the bars
  int width = 720, height = 400;
};
Canvas draw_chart(const Chart& chart);

// Times over ranks, both axes logarithmic; each series has its own stroke.
Canvas draw_scaling(const std::string& title, const std::vector<Series>& seconds);

// --- Blocks.

struct SpyOptions {
  const CriticalPath* path = nullptr;  // drawn as a line; blocks added by refinement as dots
  const BlockMap* owners = nullptr;    // colours by rank instead of level, if drawn one by one
  int size = 640;                      // of the matrix, in pixels
};
// Above this number, blocks are not drawn one by one but counted in cells; paler cells are covered
// less.
constexpr Offset most_blocks_drawn = 4000;
// Figures 7, 9 and 11 of Ding et al. 2020.
Canvas draw_spy(const Supernodes& s, const SpyOptions& o = {});

// Blocks, bytes of values, and widths per level of the supernodes.
Canvas draw_levels(const Supernodes& s, std::size_t value_bytes = 8);

// One row per rank, one colour per activity; waiting is blank.  Activities within one pixel share
// its height in proportion to their time.
Canvas draw_timeline(const Timeline& timeline, const std::string& title = "");

// --- Pages.

// One self-contained HTML file: no scripts, no network.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title);
  void add_heading(const std::string& text);
  void add_text(const std::string& text);
  // The first row is the header.
  void add_table(const std::vector<std::vector<std::string>>& rows);
  void add_figure(const Canvas& canvas, const std::string& caption);

  std::string text() const;
  void write(const std::string& path) const;  // throws bad_file

 private:
  std::string title_, body_;
};

}  // namespace echelon
#pragma GCC visibility pop
