// io/boeing_header.cpp -- parses the header of Harwell-Boeing and Rutherford-Boeing files.
// SPDX-License-Identifier: BSD-3-Clause
//
//   title, key
//   lines of: all, pointers, indices, values [, right-hand sides]        Harwell-Boeing: five
//   type  rows columns entries [element values]                          RUA, csa, ...
//   (format of pointers) (of indices) [(of values)] [(of right-hand sides)]
//   [kind, number of right-hand sides, ...]                              if there are any
//
// Letters of the type: R real, C complex, I integer, P pattern; U unsymmetric, S symmetric, H
// Hermitian, Z skew-symmetric, R rectangular; A assembled.  The counts of lines are not used: the
// formats and the number of entries determine the end of each section.
//
// Reference.  Duff, Grimes and Lewis, The Rutherford-Boeing sparse matrix collection,
// RAL-TR-97-031 (1997), sections 1.2 and 2.1.
#include <array>
#include <cctype>

#include "io/header.hpp"
#include "io/scan.hpp"

namespace echelon {
namespace {

[[noreturn]] void refuse_unknown(const Source& source, const char* where, const std::string& why) {
  refuse(source, where,
         "neither Matrix Market (no %%MatrixMarket at the start of the file) nor "
         "Harwell-Boeing: " +
             why);
}

// Up to five whole numbers of a line; returns their count, or -1 if the line has anything else.
int scan_numbers(const char*& p, std::array<std::int64_t, 5>& v) {
  int count = 0;
  for (p = skip_blanks(p); *p != '\n'; p = skip_blanks(p)) {
    if (count == 5 || !scan_integer(p, v[count])) return -1;
    ++count;
  }
  return count;
}

const char* next_line(const Source& source, const char* p) {
  p = skip_line(p);
  if (p >= source.last()) refuse_unknown(source, source.last(), "the file ends inside its header");
  return p + 1;
}

// Line 2; returns how many counts it has.
int parse_line_counts(const Source& source, const char*& p, Header& h) {
  std::array<std::int64_t, 5> v{};
  const int count = scan_numbers(p, v);
  if (count < 4) refuse_unknown(source, p, "expected four or five counts of lines");
  if (v[4] < 0) refuse(source, p, "a count of lines is negative");
  h.right_side_lines = v[4];
  return count;
}

void parse_type(const Source& source, const char* p, Header& h) {
  std::string type;
  for (int k = 0; k < 3 && !ends_token(p[k]); ++k)
    type += static_cast<char>(std::toupper(static_cast<unsigned char>(p[k])));
  const auto find = [&](std::size_t k, std::string_view letters) {
    const auto at = type.size() == 3 ? letters.find(type[k]) : std::string_view::npos;
    if (at == std::string_view::npos)
      refuse_unknown(source, p, quoted(p) + " is not a matrix type such as RUA");
    return at;
  };
  constexpr std::array fields{Field::real, Field::complex, Field::integer, Field::pattern};
  constexpr std::array symmetries{Symmetry::general, Symmetry::general, Symmetry::symmetric,
                                  Symmetry::hermitian, Symmetry::skew};
  const auto field = find(0, "RCIPQ");
  const auto symmetry = find(1, "URSHZ");
  if (find(2, "AE") == 1)
    refuse(source, p, "type " + type + ": element matrices are not supported, only assembled ones");
  if (field == 4)
    refuse(source, p, "type " + type + ": values in an auxiliary file are not supported");
  h.field = fields[field];
  h.symmetry = symmetries[symmetry];
}

// Line 3.
void parse_type_and_sizes(const Source& source, const char*& p, Header& h) {
  h.sizes = p;
  parse_type(source, p, h);
  std::array<std::int64_t, 5> v{};
  p += 3;
  const int count = scan_numbers(p, v);
  if (count != 3 && count != 4)
    refuse(source, p, "expected the numbers of rows, columns and entries after the type");
  take_sizes(source, {v[0], v[1], v[2]}, h);
}

// The next (...) of line 4, with its inner parentheses; empty if there is none.
std::string_view next_format(const char*& p) {
  while (*p != '(' && *p != '\n') ++p;
  const char* const begin = p;
  for (int depth = 0; *p != '\n'; ++p) {
    depth += *p == '(' ? 1 : *p == ')' ? -1 : 0;
    if (depth == 0) {
      ++p;
      break;
    }
  }
  return {begin, static_cast<std::size_t>(p - begin)};
}

void parse_format(const Source& source, const char*& p, bool real, FortranFormat& format) {
  const std::string_view text = next_format(p);
  const std::string word(text.substr(0, 40));
  if (text.empty()) refuse(source, p, "a Fortran format is missing");
  if (!parse_fortran_format(text, format))
    refuse(source, p, "the Fortran format " + word + " is not supported");
  if (format.real && !real)
    refuse(source, p, "the Fortran format " + word + " is not for integers");
}

}  // namespace

Header parse_boeing_header(const Source& source) {
  Header h;
  h.layout = Format::boeing;
  const char* p = next_line(source, source.text().data());
  const int counts = parse_line_counts(source, p, h);
  p = next_line(source, p);
  const bool capital = std::isupper(static_cast<unsigned char>(*p)) != 0;
  parse_type_and_sizes(source, p, h);
  h.format = counts == 4 && !capital ? "rutherford-boeing" : "harwell-boeing";

  p = next_line(source, p);
  parse_format(source, p, false, h.pointer_format);
  parse_format(source, p, false, h.index_format);
  if (h.field != Field::pattern) parse_format(source, p, true, h.value_format);
  p = next_line(source, p);
  if (h.right_side_lines > 0) p = next_line(source, p);
  h.body = p;
  return h;
}

}  // namespace echelon
