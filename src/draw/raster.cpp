// draw/raster.cpp -- renders a canvas to pixels with antialiasing.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The coverage of a pixel is the weight of a shape's colour in it.  For a rectangle it is
// the product of the overlaps in both directions.  Lines and dots are all points within a distance
// of a segment or a point; the coverage falls from 1 to 0 over the pixel at the edge.  The
// strokes of a letter are one shape: where they meet, the larger coverage counts.
#include "draw/raster.hpp"

#include <algorithm>
#include <cmath>

#include "draw/font.hpp"
#include "draw/ramp.hpp"

namespace echelon {
namespace {

using Shape = Canvas::Shape;

class Painter {
 public:
  Painter(Raster& raster, double magnified) : r_(raster), m_(magnified) {}

  void paint(const Shape& s) {
    switch (s.kind) {
      case Shape::Kind::rectangle:
        return rectangle(scaled(s.point[0]), scaled(s.point[1]), s.color);
      case Shape::Kind::stroke:
        for (std::size_t k = 1; k < s.point.size(); ++k)
          capsule(scaled(s.point[k - 1]), scaled(s.point[k]), s.width * m_ / 2, s.color);
        return;
      case Shape::Kind::dot:
        return capsule(scaled(s.point[0]), scaled(s.point[0]), s.width * m_, s.color);
      case Shape::Kind::text:
        return text(s);
      case Shape::Kind::hover:
        return;
    }
  }

 private:
  Point scaled(Point p) const { return {p.x * m_, p.y * m_}; }

  void blend(int x, int y, Color c, double share) {
    Color& p = r_.pixel[static_cast<std::size_t>(y) * r_.width + x];
    p = mixed(p, c, share);
  }

  // Calls share(x, y) for the pixels of a box that are inside the picture.
  template <class Share>
  void fill(Point low, Point high, Color c, const Share& share) {
    const auto inside = [](double v, int most) {
      return static_cast<int>(std::clamp<double>(v, 0, most));
    };
    const int x1 = inside(std::ceil(high.x), r_.width), y1 = inside(std::ceil(high.y), r_.height);
    for (int y = inside(std::floor(low.y), r_.height); y < y1; ++y)
      for (int x = inside(std::floor(low.x), r_.width); x < x1; ++x) {
        const double part = share(x, y);
        if (part > 0) blend(x, y, c, std::min(part, 1.0));
      }
  }

  void rectangle(Point a, Point b, Color c) {
    const Point low{std::min(a.x, b.x), std::min(a.y, b.y)};
    const Point high{std::max(a.x, b.x), std::max(a.y, b.y)};
    const auto overlap = [](double from, double to, int at) {
      return std::min<double>(to, at + 1) - std::max<double>(from, at);
    };
    fill(low, high, c,
         [&](int x, int y) { return overlap(low.x, high.x, x) * overlap(low.y, high.y, y); });
  }

  // The distance of a point from the segment from a to b.
  static double away(Point at, Point a, Point b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double px = at.x - a.x, py = at.y - a.y;
    const double along = length2 == 0 ? 0 : std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
    return std::hypot(px - along * dx, py - along * dy);
  }

  // Fills all points within `radius` of the segment.
  void capsule(Point a, Point b, double radius, Color c) {
    const double reach = radius + 0.5;
    const Point low{std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach};
    const Point high{std::max(a.x, b.x) + reach, std::max(a.y, b.y) + reach};
    const double thin = std::min(1.0, 2 * radius);  // thinner than a pixel: paler
    fill(low, high, c, [&](int x, int y) {
      return std::clamp(reach - away({x + 0.5, y + 0.5}, a, b), 0.0, 1.0) * thin;
    });
  }

  void text(const Shape& s) {
    const double width = text_width(s.letters);
    const double back = s.align == Align::left ? 0 : s.align == Align::middle ? width / 2 : width;
    const double base = std::round(s.point[0].y * m_);
    double left = (s.point[0].x - back) * m_;
    for (const char c : s.letters) {
      letter(c, {left, base}, s.color);
      left += Font::advance(c) * m_;
    }
  }

  void letter(char c, Point origin, Color color) {
    const double reach = Font::pen * m_ / 2 + 0.5;
    Point low{1e9, 1e9}, high{-1e9, -1e9};
    std::vector<std::vector<Point>> strokes = Font::strokes(c);
    for (std::vector<Point>& stroke : strokes)
      for (Point& p : stroke) {
        p = {origin.x + p.x * m_, origin.y + p.y * m_};
        low = {std::min(low.x, p.x - reach), std::min(low.y, p.y - reach)};
        high = {std::max(high.x, p.x + reach), std::max(high.y, p.y + reach)};
      }
    if (strokes.empty()) return;
    fill(low, high, color, [&](int x, int y) {
      double nearest = reach;
      for (const std::vector<Point>& stroke : strokes)
        for (std::size_t k = 0; k < stroke.size(); ++k)
          nearest =
              std::min(nearest, away({x + 0.5, y + 0.5}, stroke[k == 0 ? 0 : k - 1], stroke[k]));
      return std::min(reach - nearest, 1.0);
    });
  }

  Raster& r_;
  double m_;
};

}  // namespace

Raster rasterize(const Canvas& canvas, int magnified) {
  Raster raster{canvas.width() * magnified, canvas.height() * magnified, {}};
  raster.pixel.assign(static_cast<std::size_t>(raster.width) * raster.height, paper);
  Painter painter(raster, magnified);
  for (const Shape& s : canvas.shapes()) painter.paint(s);
  return raster;
}

}  // namespace echelon
