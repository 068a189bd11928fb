// draw/canvas.cpp -- collects shapes in drawing order, and writes them as a file.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cmath>

#include "base/output.hpp"
#include "draw/font.hpp"
#include "echelon/error.hpp"
#include "echelon/tools/draw.hpp"

namespace echelon {

Color color_of(Index k) {
  static constexpr std::array<Color, 8> colors{{{0x00, 0x72, 0xb2},    // blue
                                                {0xe6, 0x9f, 0x00},    // orange
                                                {0x00, 0x9e, 0x73},    // green
                                                {0xcc, 0x79, 0xa7},    // purple
                                                {0xd5, 0x5e, 0x00},    // vermilion
                                                {0x56, 0xb4, 0xe9},    // sky
                                                {0xf0, 0xe4, 0x42},    // yellow
                                                {0x00, 0x00, 0x00}}};  // black
  return colors[static_cast<std::size_t>(k) % colors.size()];
}

Canvas::Canvas(int width, int height) : width_(width), height_(height) {
  constexpr int most = 16384;
  if (width < 1 || height < 1 || width > most || height > most)
    throw Error(ErrorCode::bad_argument, "a picture cannot have " + std::to_string(width) + " by " +
                                             std::to_string(height) + " pixels");
}

void Canvas::add(Shape shape) {
  bool finite = std::isfinite(shape.width);
  for (const Point& p : shape.point) finite = finite && std::isfinite(p.x) && std::isfinite(p.y);
  if (!finite) throw Error(ErrorCode::bad_argument, "a shape has a place that is not finite");
  shapes_.push_back(std::move(shape));
}

void Canvas::rectangle(double x, double y, double width, double height, Color color,
                       const std::string& note) {
  add({Shape::Kind::rectangle, color, {{x, y}, {x + width, y + height}}, 0, {}, Align::left, note});
}
void Canvas::line(Point from, Point to, Color color, double width) {
  polyline({from, to}, color, width);
}
void Canvas::polyline(const std::vector<Point>& points, Color color, double width) {
  if (points.size() >= 2) add({Shape::Kind::stroke, color, points, width, {}, Align::left});
}
void Canvas::dot(Point center, double radius, Color color) {
  add({Shape::Kind::dot, color, {center}, radius, {}, Align::left});
}
void Canvas::hover(Point center, double radius, const std::string& note) {
  add({Shape::Kind::hover, paper, {center}, radius, {}, Align::left, note});
}
void Canvas::hover(Point corner, Point opposite, const std::string& note) {
  add({Shape::Kind::hover, paper, {corner, opposite}, 0, {}, Align::left, note});
}

void Canvas::text(Point at, std::string_view letters, Align align, Color color) {
  std::string seen = drawable(letters);
  if (!seen.empty()) add({Shape::Kind::text, color, {at}, 0, std::move(seen), align});
}

void Canvas::place(const Canvas& other, double x, double y) {
  for (Shape shape : other.shapes_) {
    for (Point& p : shape.point) p = {p.x + x, p.y + y};
    add(std::move(shape));
  }
}

void write_picture(const Canvas& canvas, const std::string& path) {
  const bool svg = path.ends_with(".svg");
  if (!svg && !path.ends_with(".png"))
    throw Error(ErrorCode::bad_argument, path + ": a picture's name ends in .svg or .png");
  const std::string text = svg ? canvas.svg() : canvas.png();
  Output out(path);
  out.write(text);
  out.close();
}

}  // namespace echelon
