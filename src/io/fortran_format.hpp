// io/fortran_format.hpp -- Fortran formats such as (16I5) or (1P,4D20.12): the columns of a line
// that hold numbers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

#include "echelon/types.hpp"

namespace echelon {

inline constexpr Index most_columns = 4096;  // per line

struct FortranFormat {
  struct Place {
    Index begin;  // first column, from 0
    Index width;
  };
  bool real = false;         // E, D, F or G; else I
  Index decimals = 0;        // digits after the point in a number written without one
  Index scale = 0;           // kP: a number without exponent is divided by 10^k
  std::vector<Place> place;  // of the numbers in a line

  Offset per_line() const { return static_cast<Offset>(place.size()); }
};

// Supports r Iw, r Ew.d (also D, F, G; Ew.dEe), kP, nX, and one group r(...) around all items.
// Returns false for anything else, and for longer lines.
bool parse_fortran_format(std::string_view text, FortranFormat& format);

}  // namespace echelon
