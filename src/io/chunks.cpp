// io/chunks.cpp -- cuts text into chunks and counts their lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/chunks.hpp"

#include <algorithm>
#include <cstring>

#include "io/scan.hpp"

namespace echelon {
namespace {

Offset count_lines(const Chunk& c) {
  const Offset ends = std::count(c.begin, c.end, '\n');
  return ends + (c.begin < c.end && c.end[-1] != '\n' ? 1 : 0);
}

Offset count_entries(const Chunk& c) {
  Offset sum = 0;
  for (const char* p = c.begin; p < c.end; ++p) {
    p = skip_blanks(p);
    if (*p != '\n' && *p != '%') ++sum;
    p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(c.end - p) + 1));
  }
  return sum;
}

template <class Count>
Offset number(std::vector<Chunk>& chunks, const Count& count) {
  Progress silent;
  parallel_chunks(static_cast<Offset>(chunks.size()), silent,
                  [&](Offset k) { chunks[k].first = count(chunks[k]); });
  Offset sum = 0;
  for (Chunk& c : chunks) {
    const Offset own = c.first;
    c.first = sum;
    sum += own;
  }
  return sum;
}

}  // namespace

std::vector<Chunk> split_at_lines(std::string_view text, std::size_t bytes) {
  std::vector<Chunk> chunks;
  const char* const end = text.data() + text.size();
  for (const char* begin = text.data(); begin < end;) {
    const auto left = static_cast<std::size_t>(end - begin);
    const char* cut = end;
    if (left > bytes) {
      const void* line_end = std::memchr(begin + bytes, '\n', left - bytes);
      if (line_end != nullptr) cut = static_cast<const char*>(line_end) + 1;
    }
    chunks.push_back({begin, cut, 0});
    begin = cut;
  }
  return chunks;
}

Offset number_lines(std::vector<Chunk>& chunks) { return number(chunks, count_lines); }
Offset number_entries(std::vector<Chunk>& chunks) { return number(chunks, count_entries); }

}  // namespace echelon
