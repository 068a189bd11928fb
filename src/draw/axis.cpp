// draw/axis.cpp -- maps numbers to pixels along one axis, and chooses the ticks.
// SPDX-License-Identifier: BSD-3-Clause
#include "draw/axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace echelon {

bool is_on(Scale scale, double value) {
  return std::isfinite(value) && (scale == Scale::linear || value > 0);
}

std::string number_text(double value) {
  char text[32];
  const auto format = value != 0 && (std::abs(value) >= 1e6 || std::abs(value) < 1e-3)
                          ? std::chars_format::scientific
                          : std::chars_format::fixed;
  // Rounds to six digits first, so that 0.1 + 0.2 is shown as 0.3.
  char rounded[32];
  const auto end =
      std::to_chars(rounded, rounded + sizeof(rounded), value, std::chars_format::scientific, 5)
          .ptr;
  double short_value = 0;
  std::from_chars(rounded, end, short_value);
  return {text, std::to_chars(text, text + sizeof(text), short_value, format).ptr};
}

TimeUnit unit_of(double seconds) {
  if (seconds < 1e-3) return {1e-6, "microseconds"};
  if (seconds < 1) return {1e-3, "milliseconds"};
  return {1, "seconds"};
}

AxisMap::AxisMap(Scale scale, double least, double most, double from_pixel, double to_pixel)
    : scale_(scale),
      from_(place(least)),
      to_(place(most)),
      from_pixel_(from_pixel),
      to_pixel_(to_pixel) {
  if (!(to_ > from_)) {
    const double around = scale == Scale::linear ? std::max(std::abs(from_) / 2, 0.5) : 0.5;
    from_ -= around;
    to_ += around;
  }
}

double AxisMap::place(double value) const {
  return scale_ == Scale::linear ? value
         : scale_ == Scale::log2 ? std::log2(value)
                                 : std::log10(value);
}

double AxisMap::at(double value) const {
  return from_pixel_ + (place(value) - from_) / (to_ - from_) * (to_pixel_ - from_pixel_);
}

std::vector<Tick> AxisMap::ticks(int wanted) const {
  if (scale_ == Scale::linear) return linear_ticks(wanted);
  return log_ticks(wanted, scale_ == Scale::log2 ? 2 : 10);
}

// Ticks at steps of 1, 2 or 5 times a power of ten.
std::vector<Tick> AxisMap::linear_ticks(int wanted) const {
  const double least_step = (to_ - from_) / wanted;
  const double power = std::pow(10, std::floor(std::log10(least_step)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= least_step * (1 - 1e-9)) step = factor * power;
  std::vector<Tick> ticks;
  const double slack = 1e-9 * step;
  const double first = std::ceil((from_ - slack) / step) + 0.0;  // + 0.0 removes -0
  const auto count = static_cast<int>(std::floor((to_ + slack) / step) - first) + 1;
  ticks.reserve(static_cast<std::size_t>(std::max(count, 0)));
  for (int k = 0; k < count; ++k)
    ticks.push_back({(first + k) * step, number_text((first + k) * step)});
  return ticks;
}

// Ticks at every k-th power of the base; with few powers of ten also at 2 and 5 times them.
std::vector<Tick> AxisMap::log_ticks(int wanted, double base) const {
  constexpr double slack = 1e-9;
  const double every = std::max(1.0, std::ceil((to_ - from_) / wanted));
  const bool between = base == 10 && to_ - from_ < 2;
  std::vector<Tick> ticks;
  const auto add = [&](double value) {
    const double at = place(value);
    if (at >= from_ - slack && at <= to_ + slack) ticks.push_back({value, number_text(value)});
  };
  const double first = std::floor(from_ / every);
  const auto count = static_cast<int>(std::floor((to_ + slack) / every) - first) + 1;
  for (int k = 0; k < count; ++k) {
    const double power = std::pow(base, (first + k) * every);
    add(power);
    if (!between) continue;
    add(2 * power);
    add(5 * power);
  }
  return ticks;
}

}  // namespace echelon
