// io/boeing_section.cpp -- reads a section of numbers in fields of fixed width.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A section of `count` numbers has ceil(count / per_line) lines, whatever the header says,
// and number k is in line k / per_line, so all threads can read at once.  As in Fortran, blanks
// inside a field and text after the fields are ignored.  A field of blanks only, which is zero in
// Fortran, is an error here: it is more likely a mistake.
#include "io/boeing_section.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "io/chunks.hpp"
#include "io/scan.hpp"

namespace echelon {
namespace {

// One field without its blanks, followed by newlines, as the scan functions need it.
struct FieldText {
  char text[most_columns + 16];
  std::size_t size = 0;

  // False if the field is blank.
  bool take(const char* begin, const char* end) {
    size = 0;
    for (; begin < end; ++begin)
      if (!is_blank(*begin)) text[size++] = *begin;
    std::memset(text + size, '\n', 9);
    return size > 0;
  }
};

Scan parse_field(const FieldText& field, const FortranFormat&, std::int64_t& v) {
  const char* p = field.text;
  return scan_integer(p, v) ? Scan::ok : Scan::not_a_number;
}

template <class R>
Scan parse_field(const FieldText& field, const FortranFormat& format, R& v) {
  const std::string_view text(field.text, field.size);
  // An exponent may have a sign without a letter, but not at the beginning.
  const bool exponent = text.find_first_of("EDed+-", 1) != std::string_view::npos;
  const bool point = text.find('.') != std::string_view::npos;
  const Offset shift = -(point ? 0 : format.decimals) - (exponent ? 0 : format.scale);
  const char* p = field.text;
  return shift == 0 ? scan_real(p, v) : scan_unusual_real(text, shift, v);
}

// The text of the section at `at`.
std::string_view find_section(const Source& source, const char*& at, Offset count,
                              const FortranFormat& format, const char* what) {
  const char* const begin = at;
  const char* const end = source.text().data() + source.text().size();
  const Offset lines = count / format.per_line() + (count % format.per_line() != 0 ? 1 : 0);
  Offset seen = 0;
  for (; seen < lines && at < end; ++seen) {
    const void* line_end = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    at = line_end == nullptr ? end : static_cast<const char*>(line_end) + 1;
  }
  if (seen < lines || count > at - begin)
    refuse(source, source.last(), "the file ends inside its " + std::to_string(count) + " " + what);
  return {begin, static_cast<std::size_t>(at - begin)};
}

template <class Number>
class LineReader {
 public:
  LineReader(const Source& source, const FortranFormat& format, Buffer<Number>& out)
      : source_(source), format_(format), out_(out) {}

  // Reads out[k..] from the line at p, up to the end of the line or of the section; returns the end
  // of the line.
  const char* read(const char* p, Offset k) const {
    const char* const line_end = skip_line(p);
    const Offset length = line_end - p;
    FieldText field;
    for (const auto& place : format_.place) {
      const char* const begin = p + std::min<Offset>(place.begin, length);
      const char* const end = p + std::min<Offset>(place.begin + place.width, length);
      const bool filled = field.take(begin, end);
      if (k < static_cast<Offset>(out_.size()))
        take_number(p, place, field, filled, out_[k++]);
      else if (filled)
        refuse(source_, p, "unexpected " + quoted(field.text) + " after the last number");
    }
    return line_end;
  }

 private:
  void take_number(const char* line, const FortranFormat::Place& place, const FieldText& field,
                   bool filled, Number& v) const {
    if (!filled)
      refuse(source_, line,
             "columns " + std::to_string(place.begin + 1) + " to " +
                 std::to_string(place.begin + place.width) +
                 " are blank where a number is expected");
    const Scan result = parse_field(field, format_, v);
    if (result == Scan::too_large)
      refuse(source_, line, quoted(field.text) + " is too large for the scalar type");
    if (result != Scan::ok) refuse(source_, line, "expected a number, found " + quoted(field.text));
  }

  const Source& source_;
  const FortranFormat& format_;
  Buffer<Number>& out_;
};

}  // namespace

template <class Number>
const char* Section<Number>::line_of(Offset k) const {
  const char* p = begin;
  for (Offset line = k / per_line; line > 0; --line) p = skip_line(p) + 1;
  return p;
}

template <class Number>
Section<Number> read_section(const Source& source, const char*& at, Offset count,
                             const FortranFormat& format, const char* what, Progress& progress) {
  const std::string_view text = find_section(source, at, count, format, what);
  Section<Number> section{Buffer<Number>(static_cast<std::size_t>(count)), text.data(),
                          format.per_line()};
  std::vector<Chunk> chunks = split_at_lines(text);
  number_lines(chunks);
  const LineReader<Number> reader(source, format, section.number);
  parallel_chunks(static_cast<Offset>(chunks.size()), progress, [&](Offset c) {
    Offset line = chunks[c].first;
    for (const char* p = chunks[c].begin; p < chunks[c].end; ++p, ++line)
      p = reader.read(p, line * format.per_line());
  });
  return section;
}

#define ECHELON_INSTANTIATE(N)                                                                \
  template struct Section<N>;                                                                 \
  template Section<N> read_section(const Source&, const char*&, Offset, const FortranFormat&, \
                                   const char*, Progress&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::int64_t)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
