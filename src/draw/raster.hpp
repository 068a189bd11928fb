// draw/raster.hpp -- renders a canvas to pixels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/draw.hpp"

namespace echelon {

struct Raster {
  int width = 0, height = 0;
  std::vector<Color> pixel;  // row-major
};

// `magnified` pixels per canvas pixel, in each direction.
Raster rasterize(const Canvas& canvas, int magnified);

}  // namespace echelon
