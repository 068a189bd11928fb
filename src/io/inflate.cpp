// io/inflate.cpp -- unpacks gzip data in memory.
// SPDX-License-Identifier: BSD-3-Clause
//
// The output grows with the data.  Its first size is the one stated in the gzip file, but at most
// what deflate can compress (1032 to 1).
#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "io/source.hpp"

namespace echelon {
namespace {

constexpr std::size_t best_ratio = 1032;
constexpr std::size_t slice = std::size_t{8} << 20;  // unpacked between two progress reports

class Inflater {
 public:
  explicit Inflater(const std::string& name) : name_(name) {
    // 16: gzip, with its header and checksum.
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Unpacks at most one slice; true at the end of a member.
  bool step(std::string_view& packed, Buffer<char>& out, std::size_t& filled) {
    const std::size_t room = std::min(out.size() - filled, slice);
    const std::size_t given = std::min(packed.size(), slice);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(given);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    stream_.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    packed.remove_prefix(given - stream_.avail_in);
    filled += room - stream_.avail_out;
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    // Z_BUF_ERROR: needs more input or more output space; the caller provides both.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
      refuse_file(name_, std::string("damaged gzip data: ") +
                             (stream_.msg != nullptr ? stream_.msg : "no reason given"));
    return result == Z_STREAM_END;
  }
  void next_member() { inflateReset(&stream_); }

 private:
  const std::string& name_;
  z_stream stream_{};
};

std::size_t first_guess(std::string_view packed, std::size_t limit) {
  std::uint32_t stated = 0;
  if (packed.size() >= 4)
    for (std::size_t k = 1; k <= 4; ++k)
      stated = (stated << 8) | static_cast<unsigned char>(packed[packed.size() - k]);
  return std::min({std::size_t{stated} + 1, packed.size() * best_ratio, limit}) + source_padding;
}

// True if there is another member; zeros that pad a tape block are not a member.
bool more_members(const std::string& name, std::string_view packed) {
  if (packed.find_first_not_of('\0') == std::string_view::npos) return false;
  if (!packed.starts_with('\x1f')) refuse_file(name, "has other data after its gzip data");
  return true;
}

}  // namespace

Buffer<char> inflate_gzip(const std::string& name, std::string_view packed, Progress& progress,
                          std::size_t limit) {
  const auto whole = static_cast<double>(packed.size());
  Inflater inflater(name);
  Buffer<char> out(std::max(first_guess(packed, limit), source_padding + 256));
  std::size_t filled = 0;
  while (filled < limit) {
    if (filled == out.size()) out.resize(out.size() + out.size() / 2);
    const bool member_ended = inflater.step(packed, out, filled);
    progress.at(1 - static_cast<double>(packed.size()) / whole);
    if (member_ended) {
      if (!more_members(name, packed)) break;
      inflater.next_member();
    } else if (packed.empty() && filled < out.size()) {
      if (limit != no_limit) break;
      refuse_file(name, "the gzip data is incomplete");
    }
  }
  out.resize(std::min(filled, limit) + source_padding);
  std::fill_n(out.end() - static_cast<std::ptrdiff_t>(source_padding), source_padding, '\n');
  return out;
}

}  // namespace echelon
