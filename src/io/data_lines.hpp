// io/data_lines.hpp -- the entries of a Matrix Market file, one a line, given to all threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Lines are counted first, at the speed of memory: entry k is then known to every
// thread by the chunk it stands in, and goes straight to its place.  Only if there are not as
// many lines as entries are blank lines and comments told apart.
#pragma once

#include <cmath>
#include <vector>

#include "io/chunks.hpp"
#include "io/header.hpp"
#include "io/scan.hpp"

namespace echelon {

// The chunks of a body that holds exactly the entries the header promises, each knowing the
// number of its first entry.  Throws bad_file if there are more or fewer.
std::vector<Chunk> chunks_of_entries(const Source& source, const Header& h);

// Where entry k of such a file stands, for a message.
const char* place_of_entry(const Source& source, const Header& h, Offset k);

// Says what is wrong at p, where a number of an entry was expected.
[[noreturn]] void refuse_number(const Source& source, const char* p, Scan result,
                                const char* expected);
[[noreturn]] void refuse_rest_of_line(const Source& source, const char* p);
[[noreturn]] void refuse_too_few(const Source& source, const Header& h, Offset found);

// Calls make_room() once it is known that the file is long enough for the entries it promises;
// then parse(p, k) for every entry k, p being the first character that is not blank.  parse
// moves p behind what it read.
template <class MakeRoom, class Parse>
void read_data_lines(const Source& source, const Header& h, Progress& progress,
                     const MakeRoom& make_room, const Parse& parse) {
  const std::vector<Chunk> chunks = chunks_of_entries(source, h);
  make_room();
  std::atomic<Offset> found{0};
  parallel_chunks(static_cast<Offset>(chunks.size()), progress, [&](Offset c) {
    Offset k = chunks[c].first;
    for (const char* p = chunks[c].begin; p < chunks[c].end; ++p) {
      p = skip_blanks(p);
      if (*p == '\n') continue;
      if (*p == '%') {
        p = skip_line(p);
        continue;
      }
      parse(p, k++);
      p = skip_blanks(p);
      if (*p != '\n') refuse_rest_of_line(source, p);
    }
    found += k - chunks[c].first;
  });
  // A blank line where each line was taken for an entry: one entry is missing.
  if (found != h.entries) refuse_too_few(source, h, found);
}

// Reads the numbers of one value, as the header's field says, at p.
template <class T>
inline void scan_value(const Source& source, const char*& p, Field field, T& v) {
  const auto next = [&](Real<T>& part) {
    p = skip_blanks(p);
    const Scan result = scan_real(p, part);
    if (result != Scan::ok) [[unlikely]]
      refuse_number(source, p, result, "expected a number");
  };
  Real<T> real{};
  const char* const begin = p;
  next(real);
  if (field == Field::integer && real != std::trunc(real))
    refuse_number(source, skip_blanks(begin), Scan::not_a_number, "expected a whole number");
  if constexpr (is_complex<T>) {
    Real<T> imaginary{};
    if (field == Field::complex) next(imaginary);
    v = {real, imaginary};
  } else {
    v = real;
  }
}

}  // namespace echelon
