// io/boeing_section.hpp -- the sections of a Harwell-Boeing body: so many numbers in fields of
// fixed width, so many to a line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "io/fortran_format.hpp"
#include "io/source.hpp"

namespace echelon {

template <class Number>
struct Section {
  Buffer<Number> number;
  const char* begin = nullptr;  // where it stands in the source
  Offset per_line = 1;

  // The line that holds number k, for a message.
  const char* line_of(Offset k) const;
};

// Reads the next `count` numbers from `at`, which then points behind their last line; `what`
// names them in messages.  Number is float, double or int64.  Throws bad_file; a section that
// the file is too short for is refused before memory is taken for it.
template <class Number>
Section<Number> read_section(const Source& source, const char*& at, Offset count,
                             const FortranFormat& format, const char* what, Progress& progress);

}  // namespace echelon
