// io/header.hpp -- what the header of a file says, and where its entries begin.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/io.hpp"
#include "io/fortran_format.hpp"
#include "io/source.hpp"

namespace echelon {

enum class Format { coordinate, array, boeing };

struct Header : FileHeader {
  Format layout = Format::coordinate;
  const char* body = nullptr;   // where the entries begin
  const char* sizes = nullptr;  // the line that states rows, cols and entries, for messages

  // Harwell-Boeing and Rutherford-Boeing only.
  FortranFormat pointer_format;
  FortranFormat index_format;
  FortranFormat value_format;
  Offset right_side_lines = 0;  // behind the values
};

// Reads the header of any format.  Throws bad_file.
Header parse_header(const Source& source);

// The two families; `starts_market` tells them apart.
bool starts_market(const Source& source);
Header parse_market_header(const Source& source);
Header parse_boeing_header(const Source& source);

// Checks that hold for every format: a mirrored matrix is square; rows and columns fit Index,
// and rows are not out of all proportion to the file.
struct Sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
};
void take_sizes(const Source& source, const Sizes& sizes, Header& h);

// How many rows, or numbers of a dense array, a file may ask for: 64 for each byte of it, and
// a million, so that no small file is refused by mistake.
Offset justified_numbers(const Source& source);

}  // namespace echelon
