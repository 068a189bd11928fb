// io/coordinate.cpp -- reads the lines "row column value" of a Matrix Market coordinate file.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/instantiate.hpp"
#include "io/data_lines.hpp"
#include "io/entries.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse_index(const Source& source, const char* p, const char* what,
                               std::int64_t v, Index bound) {
  refuse(source, p,
         std::string(what) + " " + std::to_string(v) + " is outside 1 to " + std::to_string(bound));
}

}  // namespace

void refuse_place(const Source& source, const char* where, std::int64_t row, std::int64_t col,
                  const char* why) {
  refuse(source, where, "entry (" + std::to_string(row) + ", " + std::to_string(col) + ") " + why);
}

template <Scalar T>
Coo<T> read_coordinate(const Source& source, const Header& h, Progress& progress) {
  Coo<T> a{h.rows, h.cols, {}, {}, {}};
  const auto make_room = [&] {
    a.row.resize(static_cast<std::size_t>(h.entries));
    a.col.resize(static_cast<std::size_t>(h.entries));
    a.value.resize(static_cast<std::size_t>(h.entries));
  };
  read_data_lines(source, h, progress, make_room, [&](const char*& p, Offset k) {
    const char* const begin = p;
    std::int64_t row = 0;
    std::int64_t col = 0;
    if (!scan_integer(p, row)) refuse_number(source, p, Scan::not_a_number, "expected a row");
    p = skip_blanks(p);
    if (!scan_integer(p, col)) refuse_number(source, p, Scan::not_a_number, "expected a column");
    if (row < 1 || row > h.rows) refuse_index(source, p, "row", row, h.rows);
    if (col < 1 || col > h.cols) refuse_index(source, p, "column", col, h.cols);
    T v(1);
    if (h.field != Field::pattern) scan_value(source, p, h.field, v);
    if (const char* why = why_misplaced(h.symmetry, row, col, v)) [[unlikely]]
      refuse_place(source, begin, row, col, why);
    a.row[k] = static_cast<Index>(row - 1);
    a.col[k] = static_cast<Index>(col - 1);
    a.value[k] = v;
  });
  return a;
}

#define ECHELON_INSTANTIATE(T) \
  template Coo<T> read_coordinate(const Source&, const Header&, Progress&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
