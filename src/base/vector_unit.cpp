// base/vector_unit.cpp -- detects the vector units of the processor.
// SPDX-License-Identifier: BSD-3-Clause
#include "base/vector_unit.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "echelon/error.hpp"

namespace echelon {
namespace {

// The compiler flags of echelon_vector_units must not enable more than is tested here.
bool has(VectorUnit unit) noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  if (unit == VectorUnit::avx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
  if (unit == VectorUnit::avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
  return unit == VectorUnit::plain || unit == VectorUnit::neon;
}

// The units of this processor; a fixed-size array, so that the query cannot fail.
struct Units {
  std::array<VectorUnit, std::size(names_of<VectorUnit>)> unit{};
  std::size_t count = 0;
};

Units find_units() noexcept {
  Units units;
#define ECHELON_ADD(name) \
  if (has(VectorUnit::name)) units.unit[units.count++] = VectorUnit::name;
  ECHELON_FOR_EACH_UNIT(ECHELON_ADD)
#undef ECHELON_ADD
  return units;
}

bool find_streams() noexcept {
#ifdef __x86_64__
  __builtin_cpu_init();
  return !__builtin_cpu_is("amd");
#else
  return true;
#endif
}

}  // namespace

const bool four_streams = find_streams();

std::span<const VectorUnit> vector_units() noexcept {
  static const Units units = find_units();
  return {units.unit.data(), units.count};
}

VectorUnit find_vector_unit(VectorUnit asked) {
  const std::span<const VectorUnit> units = vector_units();
  if (asked == VectorUnit::automatic) return units.back();
  if (std::find(units.begin(), units.end(), asked) != units.end()) return asked;
  std::string list;
  for (const VectorUnit unit : units) list += (list.empty() ? "" : ", ") + std::string(name(unit));
  throw Error(ErrorCode::bad_argument,
              std::string("this machine has no vector unit ") + name(asked) + "; it has " + list);
}

}  // namespace echelon
