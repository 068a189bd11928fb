// io/source.cpp -- reads files into memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "io/source.hpp"

#include <algorithm>
#include <cstring>

#include "base/open_file.hpp"
#include "io/chunks.hpp"
#include "io/scan.hpp"

namespace echelon {
namespace {

// Bytes per system call; several threads read at once.
constexpr std::size_t read_bytes = std::size_t{4} << 20;

Buffer<char> read_bytes_of(const OpenFile& file, std::size_t size, Progress& progress) {
  Buffer<char> bytes(size + source_padding);
  const std::size_t calls = (size + read_bytes - 1) / read_bytes;
  parallel_chunks(static_cast<Offset>(calls), progress, [&](Offset k) {
    const std::size_t begin = static_cast<std::size_t>(k) * read_bytes;
    file.read(bytes.data() + begin, begin, std::min(size - begin, read_bytes));
  });
  std::fill_n(bytes.data() + size, source_padding, '\n');
  return bytes;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

// The text must not end inside a line: half a number is a different number.
void cut_to_lines(Source& source) {
  const auto last = source.text().rfind('\n');
  const std::size_t kept = last == std::string_view::npos ? 0 : last + 1;
  source.storage.resize(kept + source_padding);
  std::fill_n(source.storage.data() + kept, source_padding, '\n');
}

}  // namespace

Source load_source(const std::filesystem::path& path, Progress& progress, std::size_t limit) {
  Source source;
  source.name = path.string();
  const OpenFile file(source.name);
  const std::size_t size = file.size();
  progress.begin_stage(0, 0.1);
  source.storage = read_bytes_of(file, std::min(size, limit), progress);
  source.complete = size <= limit;
  source.gzip = is_gzip(source.text());
  if (source.gzip) {
    const Buffer<char> packed = std::move(source.storage);
    progress.begin_stage(0.1, 0.5);
    source.storage =
        inflate_gzip(source.name, {packed.data(), packed.size() - source_padding}, progress, limit);
    source.complete = source.complete && source.text().size() < limit;
  }
  if (!source.complete) cut_to_lines(source);
  return source;
}

void refuse(const Source& source, const char* where, const std::string& what) {
  const char* const begin = source.text().data();
  const auto line = 1 + std::count(begin, where, '\n');
  refuse_file(source.name + ":" + std::to_string(line), what);
}

void refuse_file(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::bad_file, name + ": " + what);
}

std::string quoted(const char* where) {
  constexpr std::size_t most = 24;
  const std::string_view token = token_at(where);
  if (token.empty()) return "the end of the line";
  std::string text(token.substr(0, most));
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return "'" + text + (token.size() > most ? "...'" : "'");
}

}  // namespace echelon
