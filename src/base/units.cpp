// base/units.cpp -- times and sizes as a person reads them.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/units.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace echelon {
namespace {

struct Unit {
  double size;
  const char* name;
};

// Three digits, never an exponent.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  char text[320];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  return text;
}

// In the largest unit of which there is one at least, once rounded to three digits.
template <std::size_t n>
std::string in_units(double value, const std::array<Unit, n>& units) {
  std::size_t k = 0;
  while (k + 1 < n && value < 0.9995 * units[k].size) ++k;
  return three_digits(value / units[k].size) + " " + units[k].name;
}

std::string minutes_text(double seconds) {
  const auto whole = static_cast<long long>(std::llround(seconds));
  const auto part = [](long long count, const char* unit) { return std::to_string(count) + unit; };
  if (whole >= 3600) return part(whole / 3600, " h ") + part(whole % 3600 / 60, " min");
  return part(whole / 60, " min ") + part(whole % 60, " s");
}

}  // namespace

std::string time_text(double seconds) {
  static constexpr std::array<Unit, 4> units{{{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  if (std::isnan(seconds)) return "unknown";
  if (std::isinf(seconds)) return seconds > 0 ? "forever" : "unknown";
  if (seconds < 0) return "-" + time_text(-seconds);
  if (seconds == 0) return "0 s";
  constexpr double most = 1e15;  // beyond which seconds are no whole number
  if (seconds >= 99.95 && seconds < most) return minutes_text(seconds);
  return in_units(seconds, units);
}

std::string size_text(double bytes) {
  static constexpr std::array<Unit, 4> units{{{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
  if (std::isnan(bytes)) return "unknown";
  if (std::abs(bytes) < 999.5) return std::to_string(std::llround(bytes)) + " B";
  return bytes < 0 ? "-" + size_text(-bytes) : in_units(bytes, units);
}

}  // namespace echelon
