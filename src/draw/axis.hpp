// draw/axis.hpp -- maps numbers to pixels along one axis, and chooses the ticks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/tools/draw.hpp"

namespace echelon {

// The unit of an axis: that in which this time is 1 at least.
struct TimeUnit {
  double seconds;
  const char* name;
};
TimeUnit unit_of(double seconds);

// Whether the scale can show the value: a logarithmic scale shows positive values only.
bool is_on(Scale scale, double value);

struct Tick {
  double value;
  std::string text;
};

class AxisMap {
 public:
  // least <= most, both on the scale; equal limits are widened.
  AxisMap(Scale scale, double least, double most, double from_pixel, double to_pixel);

  double at(double value) const;
  // About `wanted` ticks, at round numbers.
  std::vector<Tick> ticks(int wanted) const;

 private:
  double place(double value) const;  // on the scale
  std::vector<Tick> linear_ticks(int wanted) const;
  std::vector<Tick> log_ticks(int wanted, double base) const;

  Scale scale_;
  double from_, to_;  // on the scale
  double from_pixel_, to_pixel_;
};

// At most six digits: 12.5, 3e-06.
std::string number_text(double value);

}  // namespace echelon
