// dist/factor_file_format.hpp -- what lies where in a file of factors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Format.  A header, then sections without gaps: section k is bytes [start[k], start[k+1]), and the
// last one ends with the file.  Numbers are as the writing machine has them in memory.  The panels
// of a triangle lie in turn; that of a supernode of w columns with h rows below is w + h rows of w
// numbers: its own, zeros above the diagonal and a unit diagonal as ones, then those below.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "echelon/factor_file.hpp"

namespace echelon {

enum class FactorSection : std::size_t {
  package,
  kind,
  ordering,
  diagonal,
  row_order,
  col_order,
  row_scale,
  col_scale,
  first,  // of both triangles
  lower_row_start,
  lower_row,
  upper_row_start,
  upper_row,
  checksum,  // of all before it
  lower_panels,
  upper_panels,
};
inline constexpr std::size_t section_count = 16;
inline constexpr auto structure_count = static_cast<std::size_t>(FactorSection::checksum);

struct FactorHeader {
  std::array<char, 8> magic{'E', 'C', 'H', 'E', 'L', 'O', 'N', 'F'};
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t version = 1;
  ScalarKind scalar{};
  std::uint32_t symmetric = 0;
  Index n = 0;
  std::uint32_t sections = section_count;
  std::array<std::uint64_t, section_count + 1> start{};

  std::uint64_t begin(FactorSection s) const { return start[static_cast<std::size_t>(s)]; }
  std::uint64_t size(FactorSection s) const {
    return start[static_cast<std::size_t>(s) + 1] - begin(s);
  }
};
static_assert(sizeof(FactorHeader) == 32 + 8 * (section_count + 1), "no byte of it is padding");

// How much of a panel is turned from columns to rows, or back, at a time.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// A sum over bytes, eight at a time.  Each step can be undone, so that one changed word always
// changes the sum.  What is added at a time is filled up with zeros: pieces of a section are whole
// words but for the last.
class Checksum {
 public:
  void add(std::string_view bytes) {
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) mix(bytes.data(), 8);
    if (!bytes.empty()) mix(bytes.data(), bytes.size());
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix(const char* from, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, count);
    value_ = (value_ ^ word) * 0x9e3779b97f4a7c15;
    value_ ^= value_ >> 29;
  }

  std::uint64_t value_ = 0;
};

// Where the panel of each supernode begins, in numbers.  n is below 2^31: they are at most n^2.
inline Buffer<Offset> panel_starts(const Supernodes& s) {
  Buffer<Offset> start(1, 0);
  for (Index t = 0; t < s.count(); ++t)
    start.push_back(start.back() + Offset{s.width(t)} * (s.width(t) + s.height(t)));
  return start;
}

}  // namespace echelon
