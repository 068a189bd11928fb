// draw/font.hpp -- the letters of pictures as strokes of a round pen.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/tools/draw.hpp"

namespace echelon {

// All printable ASCII characters, proportional.  Lengths are in pixels of the canvas; y is downward
// from the baseline, on which the ink of the letters stands.
struct Font {
  static constexpr double pen = 1.1;  // diameter
  static constexpr char first = ' ', last = '~';

  // From the origin of the letter to that of the next.
  static double advance(char letter);
  // The centre lines; a stroke of one point is a dot.
  static std::vector<std::vector<Point>> strokes(char letter);
};

// What is drawn of a text: letters of the font, '?' for each other character of UTF-8.
std::string drawable(std::string_view letters);

}  // namespace echelon
