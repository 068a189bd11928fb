// tests/draw/read_picture.hpp -- reads pictures back: pixels of a PNG, elements of an SVG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include "echelon/draw.hpp"

namespace echelon::test {

struct Pixels {
  int width = 0, height = 0;
  std::vector<Color> pixel;
  Color at(int x, int y) const { return pixel[static_cast<std::size_t>(y) * width + x]; }
  int count(Color c) const;
};
// Throws std::runtime_error if this is no PNG of our kind, or if a checksum, size or filter is
// wrong.
Pixels read_png(const std::string& file);

struct Element {
  std::string name;
  std::map<std::string, std::string> attribute;
  std::string text;  // up to the next tag
};
// All elements in order of their beginning.  Throws std::runtime_error if elements are not properly
// nested and closed, or attributes are not quoted.  `open`: HTML elements without an end tag.
std::vector<Element> read_elements(const std::string& text,
                                   const std::vector<std::string>& open = {});

std::size_t count_elements(const std::string& svg, const std::string& name);
// Whether a text element of the SVG contains `letters`.
bool says(const Canvas& canvas, const std::string& letters);
// All rectangles of a colour.
std::vector<Canvas::Shape> rectangles(const Canvas& canvas, Color color);

}  // namespace echelon::test
