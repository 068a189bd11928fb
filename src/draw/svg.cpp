// draw/svg.cpp -- writes a canvas as SVG, with one path per run of rectangles that look alike.
// SPDX-License-Identifier: BSD-3-Clause
#include "draw/svg.hpp"

#include <charconv>
#include <cmath>

namespace echelon {
namespace {

using Shape = Canvas::Shape;
using Kind = Shape::Kind;

// Hundredths of a pixel, in the shortest notation.
std::string& operator<<(std::string& out, double value) {
  char text[48];
  const double rounded = std::round(value * 100) / 100 + 0.0;  // + 0.0 removes -0
  const auto end = std::to_chars(text, text + sizeof(text), rounded, std::chars_format::fixed).ptr;
  return out.append(text, end);
}
std::string& operator<<(std::string& out, int value) { return out << static_cast<double>(value); }
std::string& operator<<(std::string& out, const char* text) { return out += text; }
std::string& operator<<(std::string& out, Color c) {
  constexpr char digits[] = "0123456789abcdef";
  out += '#';
  for (const int part : {c.red, c.green, c.blue}) {
    out += digits[part / 16];
    out += digits[part % 16];
  }
  return out;
}

void add_rectangle(std::string& out, const Shape& s) {
  const double width = s.point[1].x - s.point[0].x, height = s.point[1].y - s.point[0].y;
  out << "M" << s.point[0].x << " " << s.point[0].y << "h" << width << "v" << height << "h"
      << -width << "z";
}

void add_stroke(std::string& out, const Shape& s) {
  out << "<polyline fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke=\""
      << s.color << "\" stroke-width=\"" << s.width << "\" points=\"";
  for (const Point& p : s.point) out << p.x << "," << p.y << " ";
  out.back() = '"';
  out << "/>\n";
}

void add_dot(std::string& out, const Shape& s) {
  out << "<circle cx=\"" << s.point[0].x << "\" cy=\"" << s.point[0].y << "\" r=\"" << s.width
      << "\" fill=\"" << s.color << "\"/>\n";
}

void add_hover(std::string& out, const Shape& s) {
  if (s.point.size() == 2) {
    out << "<path fill-opacity=\"0\" d=\"";
    add_rectangle(out, s);
    out << "\"><title>" << escaped(s.note).c_str() << "</title></path>\n";
    return;
  }
  out << "<circle cx=\"" << s.point[0].x << "\" cy=\"" << s.point[0].y << "\" r=\"" << s.width
      << "\" fill-opacity=\"0\"><title>" << escaped(s.note).c_str() << "</title></circle>\n";
}

// As wide as in the PNG, whatever the font of the reader.
void add_text(std::string& out, const Shape& s) {
  const double width = text_width(s.letters);
  const double back = s.align == Align::left ? 0 : s.align == Align::middle ? width / 2 : width;
  out << "<text x=\"" << s.point[0].x - back << "\" y=\"" << s.point[0].y << "\" fill=\"" << s.color
      << "\" textLength=\"" << width << "\" lengthAdjust=\"spacingAndGlyphs\">"
      << escaped(s.letters).c_str() << "</text>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  return out;
}

std::string write_svg(const Canvas& canvas, SvgPlace place) {
  std::string out = "<svg ";
  if (place == SvgPlace::file) out << "xmlns=\"http://www.w3.org/2000/svg\" ";
  out << "width=\"" << canvas.width() << "\" height=\"" << canvas.height() << "\" viewBox=\"0 0 "
      << canvas.width() << " " << canvas.height()
      << "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" "
         "xml:space=\"preserve\">\n<path fill=\""
      << paper << "\" d=\"M0 0h" << canvas.width() << "v" << canvas.height() << "h"
      << -canvas.width() << "z\"/>\n";
  const std::vector<Shape>& shapes = canvas.shapes();
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape& s = shapes[k];
    if (s.kind == Kind::stroke) add_stroke(out, s);
    if (s.kind == Kind::dot) add_dot(out, s);
    if (s.kind == Kind::text) add_text(out, s);
    if (s.kind == Kind::hover) add_hover(out, s);
    if (s.kind != Kind::rectangle) continue;
    const auto goes_on = [&](std::size_t other) {
      return other < shapes.size() && shapes[other].kind == Kind::rectangle &&
             shapes[other].color == s.color && shapes[other].note == s.note;
    };
    if (k == 0 || !goes_on(k - 1)) out << "<path fill=\"" << s.color << "\" d=\"";
    add_rectangle(out, s);
    if (goes_on(k + 1)) continue;
    if (s.note.empty())
      out << "\"/>\n";
    else
      out << "\"><title>" << escaped(s.note).c_str() << "</title></path>\n";
  }
  return out += "</svg>\n";
}

std::string Canvas::svg() const { return write_svg(*this, SvgPlace::file); }

}  // namespace echelon
