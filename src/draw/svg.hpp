// draw/svg.hpp -- a canvas as SVG.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/tools/draw.hpp"

namespace echelon {

// Inside a page the name of the language is understood; a file has to give it.
enum class SvgPlace { file, page };
std::string write_svg(const Canvas& canvas, SvgPlace place);

// With what has a meaning in XML and HTML written out.
std::string escaped(std::string_view text);

}  // namespace echelon
