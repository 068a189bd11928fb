// io/header.hpp -- the parsed header of a file, and the place where its entries begin.
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
  const char* sizes = nullptr;  // the line with rows, cols and entries, for messages

  // Harwell-Boeing and Rutherford-Boeing only.
  FortranFormat pointer_format;
  FortranFormat index_format;
  FortranFormat value_format;
  Offset right_side_lines = 0;  // after the values
};

// Reads the header of any format.  Throws bad_file.
Header parse_header(const Source& source);

// The two families of formats; `starts_market` is true for Matrix Market.
bool starts_market(const Source& source);
Header parse_market_header(const Source& source);
Header parse_boeing_header(const Source& source);

// Checks for every format: a symmetric matrix is square; rows and columns fit Index, and the number
// of rows is in proportion to the size of the file.
struct Sizes {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t entries = 0;
};
void take_sizes(const Source& source, const Sizes& sizes, Header& h);

// The most rows, or numbers of a dense array, that a file may state: 64 per byte of the file plus a
// million, so that no small file is rejected by mistake.
Offset justified_numbers(const Source& source);

}  // namespace echelon
