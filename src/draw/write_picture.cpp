// draw/write_picture.cpp -- writes pictures to files.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/output.hpp"
#include "echelon/draw.hpp"
#include "echelon/error.hpp"

namespace echelon {

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
