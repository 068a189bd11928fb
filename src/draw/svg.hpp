// draw/svg.hpp -- writes a canvas as SVG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/draw.hpp"

namespace echelon {

// A file needs the XML namespace; a picture inside an HTML page does not.
enum class SvgPlace { file, page };
std::string write_svg(const Canvas& canvas, SvgPlace place);

// Escapes the characters that are special in XML and HTML.
std::string escaped(std::string_view text);

}  // namespace echelon
