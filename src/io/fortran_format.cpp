// io/fortran_format.cpp -- parses a Fortran format.
// SPDX-License-Identifier: BSD-3-Clause
//
//   format = "(" [k "P" [","]] ( item {"," item} | [r] format ) ")"
//   item   = n "X"  |  [k "P"] [r] letter w ["." d ["E" e]]
#include "io/fortran_format.hpp"

#include <cctype>
#include <string>

namespace echelon {
namespace {

// The format without blanks, in capitals, and the position of the parser.
struct Reader {
  std::string text;
  std::size_t at = 0;

  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at;
    return true;
  }
  // A number of up to four digits, or `otherwise` if there is none.
  Index number(Index otherwise) {
    if (std::isdigit(static_cast<unsigned char>(peek())) == 0) return otherwise;
    Index v = 0;
    for (; std::isdigit(static_cast<unsigned char>(peek())) != 0; ++at)
      if (v < most_columns) v = 10 * v + (peek() - '0');
    return v;
  }
};

struct Builder {
  FortranFormat& format;
  Index column = 0;

  bool add(Index repeat, Index width) {
    if (width < 1 || repeat < 1 || repeat > most_columns || width > most_columns ||
        column + repeat * width > most_columns)
      return false;
    for (; repeat > 0; --repeat, column += width) format.place.push_back({column, width});
    return true;
  }
  bool skip(Index columns) {
    if (columns > most_columns - column) return false;
    column += columns;
    return true;
  }
};

bool is_real_letter(char c) { return c == 'E' || c == 'D' || c == 'F' || c == 'G'; }

// One item; false if it is not supported or mixes integer and real numbers.
bool parse_item(Reader& in, Builder& out) {
  const bool minus = in.take('-');
  Index count = in.number(minus ? -1 : 0);
  if (in.take('P')) {
    out.format.scale = minus ? -count : count;
    if (in.peek() == ',' || in.peek() == ')') return true;
    count = in.number(0);
  } else if (minus) {
    return false;
  }
  const Index repeat = count == 0 ? 1 : count;
  if (in.take('X')) return out.skip(repeat);

  const char letter = in.peek();
  const bool real = is_real_letter(letter);
  if (!real && letter != 'I') return false;
  if (!out.format.place.empty() && out.format.real != real) return false;
  ++in.at;
  out.format.real = real;
  const Index width = in.number(0);
  if (in.take('.')) {
    const Index decimals = in.number(-1);
    if (decimals < 0) return false;
    if (real) out.format.decimals = decimals;
    if (real && in.take('E') && in.number(-1) < 0) return false;
  }
  return out.add(repeat, width);
}

bool parse_items(Reader& in, Builder& out) {
  do {
    if (!parse_item(in, out)) return false;
  } while (in.take(','));
  return in.take(')');
}

// r(items): the fields of one group, r times.
bool parse_group(Reader& in, Builder& out) {
  const Index repeat = in.number(1);
  if (repeat < 1 || !in.take('(') || !parse_items(in, out) || out.column < 1) return false;
  if (repeat > most_columns / out.column) return false;
  const std::vector<FortranFormat::Place> round = out.format.place;
  for (Index r = 1; r < repeat; ++r)
    for (const auto& p : round) out.format.place.push_back({p.begin + r * out.column, p.width});
  return in.take(')');
}

bool group_follows(const Reader& in) {
  Reader ahead = in;
  ahead.number(1);
  return ahead.peek() == '(';
}

}  // namespace

bool parse_fortran_format(std::string_view text, FortranFormat& format) {
  format = {};
  Reader in;
  for (const char c : text)
    if (c != ' ') in.text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  Builder out{format};
  if (!in.take('(')) return false;
  const std::size_t begin = in.at;
  const bool minus = in.take('-');
  const Index scale = in.number(0);
  bool good = false;
  // A scale factor may precede a group: (1P,4(E20.12)).
  if (in.take('P') && (in.take(','), group_follows(in))) {
    format.scale = minus ? -scale : scale;
    good = parse_group(in, out);
  } else {
    in.at = begin;
    good = group_follows(in) ? parse_group(in, out) : parse_items(in, out);
  }
  return good && in.at == in.text.size() && !format.place.empty();
}

}  // namespace echelon
