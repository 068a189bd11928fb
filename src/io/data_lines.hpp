// io/data_lines.hpp -- reads the entries of a Matrix Market file, one per line, on all threads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Lines are counted first, at memory speed.  Then every chunk has the number of its first
// entry, and each entry is written directly to its final position.  Blank lines and comments are
// detected only if the number of lines differs from the number of entries.
#pragma once

#include <cmath>
#include <vector>

#include "io/chunks.hpp"
#include "io/header.hpp"
#include "io/scan.hpp"

namespace echelon {

// The chunks of a body with exactly the entries that the header states; `first` is the number of a
// chunk's first entry.  Throws bad_file if there are more or fewer.
std::vector<Chunk> chunks_of_entries(const Source& source, const Header& h);

// The place of entry k, for a message.
const char* place_of_entry(const Source& source, const Header& h, Offset k);

// Throws bad_file for the text at p, where a number was expected.
[[noreturn]] void refuse_number(const Source& source, const char* p, Scan result,
                                const char* expected);
[[noreturn]] void refuse_rest_of_line(const Source& source, const char* p);
[[noreturn]] void refuse_too_few(const Source& source, const Header& h, Offset found);

// Calls make_room() after checking that the file is long enough for its entries; then parse(p, k)
// for every entry k, where p is the first character that is not blank. parse moves p behind the
// text it read.
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
  // Each line was counted as an entry, but one is blank: an entry is missing.
  if (found != h.entries) refuse_too_few(source, h, found);
}

// Reads the numbers of one value at p, according to the field of the header.
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
