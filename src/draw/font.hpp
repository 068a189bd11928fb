// draw/font.hpp -- the letters of pictures that are made of pixels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace echelon {

// All letters of ASCII that can be seen, each in a cell of the same size.
struct Font {
  static constexpr int width = 6, height = 13;
  static constexpr int ascent = 11;  // rows above the line the letters stand on
  static constexpr char first = ' ';
  static constexpr int count = 95;

  static bool inked(char letter, int x, int y);
};

}  // namespace echelon
