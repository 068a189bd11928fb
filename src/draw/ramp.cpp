// draw/ramp.cpp -- colours from dark to light, for numbers.
// SPDX-License-Identifier: BSD-3-Clause
#include "draw/ramp.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace echelon {

Color mixed(Color from, Color to, double share) {
  const auto mix = [&](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
  };
  return {mix(from.red, to.red), mix(from.green, to.green), mix(from.blue, to.blue)};
}

Color ramp_color(double share) {
  static constexpr std::array<Color, 9> samples{{{0x44, 0x01, 0x54},
                                                 {0x47, 0x2d, 0x7b},
                                                 {0x3b, 0x52, 0x8b},
                                                 {0x2c, 0x72, 0x8e},
                                                 {0x21, 0x91, 0x8c},
                                                 {0x28, 0xae, 0x80},
                                                 {0x5e, 0xc9, 0x62},
                                                 {0xad, 0xdc, 0x30},
                                                 {0xfd, 0xe7, 0x25}}};
  const double at = std::clamp(share, 0.0, 1.0) * (samples.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(at), samples.size() - 2);
  return mixed(samples[k], samples[k + 1], at - static_cast<double>(k));
}

}  // namespace echelon
