// draw/raster.hpp -- a canvas as pixels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/tools/draw.hpp"

namespace echelon {

struct Raster {
  int width = 0, height = 0;
  std::vector<Color> pixel;  // row after row
};

// So many pixels a side for one of the canvas.
Raster rasterize(const Canvas& canvas, int magnified);

}  // namespace echelon
