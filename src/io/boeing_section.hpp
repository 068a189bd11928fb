// io/boeing_section.hpp -- a section of a Harwell-Boeing body: numbers in fields of fixed width, a
// fixed number per line.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "io/fortran_format.hpp"
#include "io/source.hpp"

namespace echelon {

template <class Number>
struct Section {
  Buffer<Number> number;
  const char* begin = nullptr;  // its place in the source
  Offset per_line = 1;

  // The line that holds number k, for a message.
  const char* line_of(Offset k) const;
};

// Reads the next `count` numbers from `at` and moves `at` behind their last line; `what` names them
// in messages.  Number is float, double or int64.  Throws bad_file; checks that the file is long
// enough before allocating memory.
template <class Number>
Section<Number> read_section(const Source& source, const char*& at, Offset count,
                             const FortranFormat& format, const char* what, Progress& progress);

}  // namespace echelon
