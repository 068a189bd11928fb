// draw/raster.cpp -- renders a canvas to pixels with antialiasing.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The coverage of a pixel is the weight of a shape's colour in it.  For a rectangle it is
// the product of the overlaps in both directions.  Lines and dots are all points within a distance
// of a segment or a point; the coverage falls from 1 to 0 over the pixel at the edge.  Letters are
// whole pixels.
#include "draw/raster.hpp"

#include <algorithm>
#include <cmath>

#include "draw/font.hpp"

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
    }
  }

 private:
  Point scaled(Point p) const { return {p.x * m_, p.y * m_}; }

  void blend(int x, int y, Color c, double share) {
    Color& p = r_.pixel[static_cast<std::size_t>(y) * r_.width + x];
    const auto mix = [&](std::uint8_t from, std::uint8_t to) {
      return static_cast<std::uint8_t>(std::lround(from + (to - from) * share));
    };
    p = {mix(p.red, c.red), mix(p.green, c.green), mix(p.blue, c.blue)};
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

  // Fills all points within `radius` of the segment.
  void capsule(Point a, Point b, double radius, Color c) {
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const double reach = radius + 0.5;
    const Point low{std::min(a.x, b.x) - reach, std::min(a.y, b.y) - reach};
    const Point high{std::max(a.x, b.x) + reach, std::max(a.y, b.y) + reach};
    const double thin = std::min(1.0, 2 * radius);  // thinner than a pixel: paler
    fill(low, high, c, [&](int x, int y) {
      const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
      const double along = length2 == 0 ? 0 : std::clamp((px * dx + py * dy) / length2, 0.0, 1.0);
      const double away = std::hypot(px - along * dx, py - along * dy);
      return std::clamp(reach - away, 0.0, 1.0) * thin;
    });
  }

  void text(const Shape& s) {
    const double width = Font::width * static_cast<double>(s.letters.size());
    const double back = s.align == Align::left ? 0 : s.align == Align::middle ? width / 2 : width;
    const double top = std::round((s.point[0].y - Font::ascent) * m_);
    double left = std::round((s.point[0].x - back) * m_);
    for (const char letter : s.letters) {
      for (int y = 0; y < Font::height; ++y)
        for (int x = 0; x < Font::width; ++x)
          if (Font::inked(letter, x, y))
            rectangle({left + x * m_, top + y * m_}, {left + (x + 1) * m_, top + (y + 1) * m_},
                      s.color);
      left += Font::width * m_;
    }
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
