// draw/font.hpp -- the bitmap font of PNG pictures.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace echelon {

// All printable ASCII characters, each in a cell of the same size.
struct Font {
  static constexpr int width = 6, height = 13;
  static constexpr int ascent = 11;  // rows above the baseline
  static constexpr char first = ' ';
  static constexpr int count = 95;

  static bool inked(char letter, int x, int y);
};

}  // namespace echelon
