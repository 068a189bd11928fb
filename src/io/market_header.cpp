// io/market_header.cpp -- parses the banner, the comments and the size line of Matrix Market.
// SPDX-License-Identifier: BSD-3-Clause
//
//   %%MatrixMarket matrix coordinate real symmetric
//   % comments, any number
//   3 3 4                                             rows, columns, entries (array: no entries)
//
// Reference.  Boisvert, Pozo and Remington, The Matrix Market exchange formats: initial
// design, NISTIR 5935 (1996).
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <utility>

#include "io/header.hpp"
#include "io/scan.hpp"

namespace echelon {
namespace {

constexpr std::string_view banner = "%%matrixmarket";

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The value of the word at p; moves p behind it.
template <class Value>
Value one_of(const Source& source, const char*& p, const char* what,
             std::initializer_list<std::pair<std::string_view, Value>> choices) {
  p = skip_blanks(p);
  const std::string_view token = token_at(p);
  const std::string word = lower_case(token);
  for (const auto& [text, value] : choices) {
    if (word != text) continue;
    p += token.size();
    return value;
  }
  std::string list;
  for (const auto& choice : choices) list += (list.empty() ? "" : ", ") + std::string(choice.first);
  refuse(source, p,
         std::string("the banner's ") + what + " must be one of " + list + "; found " + quoted(p));
}

void parse_banner(const Source& source, const char*& p, Header& h) {
  p += banner.size();
  one_of<bool>(source, p, "object", {{"matrix", true}});
  h.layout = one_of<Format>(source, p, "format",
                            {{"coordinate", Format::coordinate}, {"array", Format::array}});
  h.field = one_of<Field>(source, p, "field",
                          {{"real", Field::real},
                           {"complex", Field::complex},
                           {"integer", Field::integer},
                           {"pattern", Field::pattern}});
  h.symmetry = one_of<Symmetry>(source, p, "symmetry",
                                {{"general", Symmetry::general},
                                 {"symmetric", Symmetry::symmetric},
                                 {"skew-symmetric", Symmetry::skew},
                                 {"hermitian", Symmetry::hermitian}});
  p = skip_blanks(p);
  if (*p != '\n') refuse(source, p, "unexpected " + quoted(p) + " after the banner");
  if (h.layout == Format::array && h.field == Field::pattern)
    refuse(source, p, "an array has values: its field cannot be pattern");
}

// The stored numbers of an array of this size; negative if an Offset cannot hold them.
std::int64_t array_entries(std::int64_t rows, std::int64_t cols, Symmetry symmetry) {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(rows, cols, &all)) return -1;
  if (symmetry == Symmetry::general) return all;
  return symmetry == Symmetry::skew ? (all - rows) / 2 : (all - rows) / 2 + rows;
}

void parse_sizes(const Source& source, const char*& p, Header& h) {
  const bool coordinate = h.layout == Format::coordinate;
  Sizes sizes;
  h.sizes = p;
  bool good = scan_integer(p, sizes.rows);
  p = skip_blanks(p);
  good = good && scan_integer(p, sizes.cols);
  p = skip_blanks(p);
  if (coordinate) {
    good = good && scan_integer(p, sizes.entries);
    p = skip_blanks(p);
  } else {
    sizes.entries = array_entries(sizes.rows, sizes.cols, h.symmetry);
  }
  if (!good || *p != '\n')
    refuse(source, p,
           coordinate ? "expected three whole numbers: rows, columns and entries"
                      : "expected two whole numbers: rows and columns");
  take_sizes(source, sizes, h);
}

}  // namespace

bool starts_market(const Source& source) {
  const std::string_view text = source.text();
  return lower_case(text.substr(0, banner.size())) == banner;
}

Header parse_market_header(const Source& source) {
  Header h;
  const std::string_view text = source.text();
  const char* const end = text.data() + text.size();
  const char* p = text.data();
  parse_banner(source, p, h);
  h.format = h.layout == Format::array ? "matrix market array" : "matrix market coordinate";
  for (p = skip_blanks(p + 1); p < end && (*p == '%' || *p == '\n'); p = skip_blanks(p + 1))
    p = skip_line(p);
  if (p >= end) refuse(source, source.last(), "the file ends before its size line");
  parse_sizes(source, p, h);
  h.body = std::min(p + 1, end);
  return h;
}

}  // namespace echelon
