// io/source.hpp -- the text of a file in memory, and errors that name a line of it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why the file is not mapped: if another program shortens a mapped file, the process is killed.
// Copying from the page cache takes a tenth of the time of parsing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "echelon/buffer.hpp"
#include "echelon/error.hpp"
#include "io/progress.hpp"

namespace echelon {

// Newlines after the text: scans stop there, and may load eight bytes at once.
inline constexpr std::size_t source_padding = 64;

struct Source {
  std::string name;      // the path as the caller gave it
  bool gzip = false;     // the file was compressed
  bool complete = true;  // false: only the beginning was requested, and there is more
  Buffer<char> storage;  // the text, then source_padding newlines

  std::string_view text() const { return {storage.data(), storage.size() - source_padding}; }
  // A place in the last line, for errors at the end of the file.
  const char* last() const { return text().data() + (text().empty() ? 0 : text().size() - 1); }
};

inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

// Reads and unpacks a file, or its first `limit` bytes of text up to a newline.  Throws bad_file.
Source load_source(const std::filesystem::path& path, Progress& progress,
                   std::size_t limit = no_limit);

// Unpacks gzip, all members, and appends the padding.  With a limit, stops there and accepts packed
// data that ends early.  Throws bad_file.
Buffer<char> inflate_gzip(const std::string& name, std::string_view packed, Progress& progress,
                          std::size_t limit);

// Throws bad_file with "name:line: what", where line is that of `where`.
[[noreturn]] void refuse(const Source& source, const char* where, const std::string& what);

// Throws bad_file with "name: what", without a line.
[[noreturn]] void refuse_file(const std::string& name, const std::string& what);

// The word at `where` in quotes, shortened and printable, for a message.
std::string quoted(const char* where);

}  // namespace echelon
