// io/data_lines.cpp -- checks the number of entries, and throws the errors of a line.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/data_lines.hpp"

#include <string>

namespace echelon {
namespace {

std::vector<Chunk> split_body(const Source& source, const Header& h) {
  const std::string_view text = source.text();
  return split_at_lines(text.substr(static_cast<std::size_t>(h.body - text.data())));
}

// The place of entry k, which must exist.
const char* find_entry(const std::vector<Chunk>& chunks, Offset k) {
  std::size_t c = 0;
  while (c + 1 < chunks.size() && chunks[c + 1].first <= k) ++c;
  Offset at = chunks[c].first;
  for (const char* p = chunks[c].begin;; p = skip_line(p) + 1) {
    p = skip_blanks(p);
    if (*p != '\n' && *p != '%' && at++ == k) return p;
  }
}

}  // namespace

std::vector<Chunk> chunks_of_entries(const Source& source, const Header& h) {
  std::vector<Chunk> chunks = split_body(source, h);
  if (number_lines(chunks) == h.entries) return chunks;
  const Offset found = number_entries(chunks);
  if (found < h.entries) refuse_too_few(source, h, found);
  if (found > h.entries)
    refuse(source, find_entry(chunks, h.entries),
           "more entries than the " + std::to_string(h.entries) + " of the header");
  return chunks;
}

const char* place_of_entry(const Source& source, const Header& h, Offset k) {
  std::vector<Chunk> chunks = split_body(source, h);
  number_entries(chunks);
  return find_entry(chunks, k);
}

void refuse_number(const Source& source, const char* p, Scan result, const char* expected) {
  if (result == Scan::too_large) refuse(source, p, quoted(p) + " is too large for the scalar type");
  refuse(source, p, std::string(expected) + ", found " + quoted(p));
}

void refuse_rest_of_line(const Source& source, const char* p) {
  refuse(source, p, "unexpected " + quoted(p) + " after the entry");
}

void refuse_too_few(const Source& source, const Header& h, Offset found) {
  refuse(source, source.last(),
         "the file ends after " + std::to_string(found) + " of " + std::to_string(h.entries) +
             " entries");
}

}  // namespace echelon
