// draw/ramp.hpp -- colours from dark to light, for numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/tools/draw.hpp"

namespace echelon {

// Viridis (Smith and van der Walt 2015): dark at 0, light at 1; in between lightness grows evenly.
Color ramp_color(double share);

// `share` of the way from one colour to another.
Color mixed(Color from, Color to, double share);

}  // namespace echelon
