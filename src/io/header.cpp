// io/header.cpp -- detects the format of a file and checks the sizes in its header.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/header.hpp"

#include <limits>

namespace echelon {

const char* name(Field field) noexcept {
  switch (field) {
    case Field::real:
      return "real";
    case Field::complex:
      return "complex";
    case Field::integer:
      return "integer";
    case Field::pattern:
      return "pattern";
  }
  return "unknown";
}

const char* name(Symmetry symmetry) noexcept {
  switch (symmetry) {
    case Symmetry::general:
      return "general";
    case Symmetry::symmetric:
      return "symmetric";
    case Symmetry::skew:
      return "skew-symmetric";
    case Symmetry::hermitian:
      return "hermitian";
  }
  return "unknown";
}

Offset justified_numbers(const Source& source) {
  return 64 * static_cast<Offset>(source.text().size()) + 1'000'000;
}

void take_sizes(const Source& source, const Sizes& sizes, Header& h) {
  constexpr std::int64_t most = std::numeric_limits<Index>::max();
  const auto [rows, cols, entries] = sizes;
  if (rows > most || cols > most)
    refuse(source, h.sizes,
           std::to_string(rows) + " by " + std::to_string(cols) + " is more than the " +
               std::to_string(most) + " rows and columns that 32-bit indices allow");
  if (rows < 0 || cols < 0 || entries < 0)
    refuse(source, h.sizes,
           "a size is negative: " + std::to_string(rows) + " rows, " + std::to_string(cols) +
               " columns, " + std::to_string(entries) + " entries");
  if (h.symmetry != Symmetry::general && rows != cols)
    refuse(source, h.sizes,
           std::string("a ") + name(h.symmetry) + " matrix must be square, not " +
               std::to_string(rows) + " by " + std::to_string(cols));
  if (source.complete && rows > justified_numbers(source))
    refuse(source, h.sizes,
           std::to_string(rows) + " rows are too many for a file of " +
               std::to_string(source.text().size()) +
               " bytes: more than 64 per byte plus a million");
  h.rows = static_cast<Index>(rows);
  h.cols = static_cast<Index>(cols);
  h.entries = entries;
}

Header parse_header(const Source& source) {
  if (source.text().empty()) refuse_file(source.name, "is empty");
  Header h = starts_market(source) ? parse_market_header(source) : parse_boeing_header(source);
  h.gzip = source.gzip;
  return h;
}

}  // namespace echelon
