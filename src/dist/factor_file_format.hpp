// dist/factor_file_format.hpp -- the binary format of factor files: header, sections, checksum.
// SPDX-License-Identifier: BSD-3-Clause
//
// Format.  A header, then sections without gaps: section k is bytes [start[k], start[k+1]), and the
// last one ends with the file.  Numbers have the writing machine's representation.  The panels of a
// triangle are consecutive.  The panel of a supernode with w columns and h rows below is w + h rows
// of w numbers: first its own rows, with zeros above the diagonal and ones on a unit diagonal, then
// the rows below.
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
  first,  // the same for both triangles
  lower_row_start,
  lower_row,
  upper_row_start,
  upper_row,
  checksum,  // of the header and all sections before
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

// Bytes of a panel that are transposed at a time.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// A checksum over words of eight bytes.  Each step is invertible, so a single changed word always
// changes the sum.  Each add() pads its last word with zeros: all pieces of a section except the
// last are whole words.
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

// Offset of the panel of each supernode, in numbers.  At most n^2, which fits since n is below
// 2^31.
inline Buffer<Offset> panel_starts(const Supernodes& s) {
  Buffer<Offset> start(1, 0);
  for (Index t = 0; t < s.count(); ++t)
    start.push_back(start.back() + Offset{s.width(t)} * (s.width(t) + s.height(t)));
  return start;
}

}  // namespace echelon
