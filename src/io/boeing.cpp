// io/boeing.cpp -- reads the body of a Harwell-Boeing or Rutherford-Boeing file: column pointers,
// row indices and values; skips right-hand sides.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/instantiate.hpp"
#include "io/boeing_section.hpp"
#include "io/entries.hpp"
#include "io/scan.hpp"

namespace echelon {
namespace {

using Numbers = Section<std::int64_t>;

void check_pointers(const Source& source, const Header& h, const Numbers& pointer) {
  std::int64_t least = 1;
  for (Offset j = 0; j <= h.cols; ++j) {
    const std::int64_t v = pointer.number[j];
    const std::int64_t most = j == 0 ? 1 : h.entries + 1;
    if (j == h.cols) least = most;
    if (v < least || v > most)
      refuse(source, pointer.line_of(j),
             "column pointer " + std::to_string(j + 1) + " is " + std::to_string(v) + ", outside " +
                 std::to_string(least) + " to " + std::to_string(most));
    least = v;
  }
}

// Rows and columns of the entries; the values are read later.
template <class T>
void take_places(const Source& source, const Header& h, const Numbers& pointer,
                 const Numbers& index, Coo<T>& a) {
  a.row.resize(index.number.size());
  a.col.resize(index.number.size());
  for (Index j = 0; j < h.cols; ++j) {
    for (Offset k = pointer.number[j] - 1; k < pointer.number[j + 1] - 1; ++k) {
      const std::int64_t row = index.number[k];
      if (row < 1 || row > h.rows)
        refuse(source, index.line_of(k),
               "row " + std::to_string(row) + " is outside 1 to " + std::to_string(h.rows));
      a.row[k] = static_cast<Index>(row - 1);
      a.col[k] = j;
    }
  }
}

template <class T>
Buffer<T> read_values(const Source& source, const Header& h, const char*& at, Progress& progress) {
  if (h.field == Field::pattern) return Buffer<T>(static_cast<std::size_t>(h.entries), T(1));
  const bool pairs = h.field == Field::complex;
  auto section = read_section<Real<T>>(source, at, pairs ? 2 * h.entries : h.entries,
                                       h.value_format, "values", progress);
  if constexpr (is_complex<T>) {
    Buffer<T> value(static_cast<std::size_t>(h.entries));
    for (Offset k = 0; k < h.entries; ++k)
      value[k] = pairs ? T(section.number[2 * k], section.number[2 * k + 1]) : T(section.number[k]);
    return value;
  } else {
    return std::move(section.number);
  }
}

// Only the right-hand sides may follow.
void check_end(const Source& source, const Header& h, const char* at) {
  const char* const end = source.text().data() + source.text().size();
  for (Offset line = 0; at < end; ++line, at = skip_line(at) + 1) {
    at = skip_blanks(at);
    if (*at != '\n' && line >= h.right_side_lines)
      refuse(source, at, "unexpected " + quoted(at) + " after the last section");
  }
}

}  // namespace

template <Scalar T>
Coo<T> read_boeing(const Source& source, const Header& h, Progress& progress) {
  Coo<T> a{h.rows, h.cols, {}, {}, {}};
  const char* at = h.body;
  Progress silent;  // no reports: the values are most of the file
  const auto pointer = read_section<std::int64_t>(source, at, Offset{h.cols} + 1, h.pointer_format,
                                                  "column pointers", silent);
  check_pointers(source, h, pointer);
  const auto index =
      read_section<std::int64_t>(source, at, h.entries, h.index_format, "row indices", silent);
  take_places(source, h, pointer, index, a);
  a.value = read_values<T>(source, h, at, progress);
  check_end(source, h, at);
  for (Offset k = 0; h.symmetry != Symmetry::general && k < h.entries; ++k)
    if (const char* why = why_misplaced(h.symmetry, a.row[k], a.col[k], a.value[k]))
      refuse_place(source, index.line_of(k), a.row[k] + 1, a.col[k] + 1, why);
  return a;
}

#define ECHELON_INSTANTIATE(T) template Coo<T> read_boeing(const Source&, const Header&, Progress&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
