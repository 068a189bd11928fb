// io/source.hpp -- a file's text in memory, and the refusal that names a place in it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why not map the file: a mapped file that another program shortens kills the process, and
// a copy out of the page cache takes a tenth of the time of parsing it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "echelon/buffer.hpp"
#include "echelon/error.hpp"
#include "io/progress.hpp"

namespace echelon {

// Line ends behind the text: scans stop there, and may load eight bytes at once.
inline constexpr std::size_t source_padding = 64;

struct Source {
  std::string name;      // the path as the caller gave it
  bool gzip = false;     // was packed
  bool complete = true;  // false: only the beginning was asked for, and there is more
  Buffer<char> storage;  // the text, then source_padding line ends

  std::string_view text() const { return {storage.data(), storage.size() - source_padding}; }
  // In the last line, for what is missed at the end.
  const char* last() const { return text().data() + (text().empty() ? 0 : text().size() - 1); }
};

inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

// Reads and unpacks a file, or its first `limit` bytes of text cut back to a line end.
// Throws bad_file.
Source load_source(const std::filesystem::path& path, Progress& progress,
                   std::size_t limit = no_limit);

// Unpacks gzip, one member after the other, and appends the padding.  With a limit, stops
// there, and sees no fault in packed bytes that end early.  Throws bad_file.
Buffer<char> inflate_gzip(const std::string& name, std::string_view packed, Progress& progress,
                          std::size_t limit);

// Throws bad_file with "name:line: what", the line being that of `where`.
[[noreturn]] void refuse(const Source& source, const char* where, const std::string& what);

// "name: what", where no line is to be named.
[[noreturn]] void refuse_file(const std::string& name, const std::string& what);

// The word at `where` in quotes, cut short and printable, for a message.
std::string quoted(const char* where);

}  // namespace echelon
