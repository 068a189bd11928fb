// draw/png.cpp -- writes a canvas as a PNG file: eight bits per colour, compressed by zlib.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  W3C, Portable Network Graphics (2nd edition), 2003: chunks (5), filters (9).
#include <zlib.h>

#include "draw/raster.hpp"
#include "echelon/error.hpp"

namespace echelon {
namespace {

void add_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

const Bytef* bytes(const std::string& text) { return reinterpret_cast<const Bytef*>(text.data()); }

// Length, name, content, and a checksum of name and content.
void add_chunk(std::string& out, const char* name, const std::string& content) {
  const std::string checked = name + content;
  add_number(out, static_cast<std::uint32_t>(content.size()));
  out += checked;
  add_number(
      out, static_cast<std::uint32_t>(crc32(0, bytes(checked), static_cast<uInt>(checked.size()))));
}

// Each row, preceded by its filter type: 1, differences to the pixel on the left.
std::string filtered(const Raster& r) {
  std::string out;
  out.reserve((static_cast<std::size_t>(r.width) * 3 + 1) * r.height);
  const auto add = [&](int value) { out += static_cast<char>(value & 0xff); };
  for (int y = 0; y < r.height; ++y) {
    add(1);
    Color left;
    for (int x = 0; x < r.width; ++x) {
      const Color c = r.pixel[static_cast<std::size_t>(y) * r.width + x];
      add(c.red - left.red);
      add(c.green - left.green);
      add(c.blue - left.blue);
      left = c;
    }
  }
  return out;
}

std::string deflated(const std::string& text) {
  uLongf size = compressBound(text.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, bytes(text), text.size(), 9) != Z_OK)
    throw Error(ErrorCode::out_of_memory, "zlib has no memory for a picture");
  out.resize(size);
  return out;
}

}  // namespace

std::string Canvas::png(int magnified) const {
  constexpr double most = 1 << 28;  // pixels
  if (magnified < 1 || magnified > 8 || 1.0 * width_ * height_ * magnified * magnified > most)
    throw Error(ErrorCode::bad_argument, "a picture cannot be magnified " +
                                             std::to_string(magnified) +
                                             " times: 1 to 8, and at most 2^28 pixels");
  const Raster raster = rasterize(*this, magnified);
  std::string head;
  add_number(head, static_cast<std::uint32_t>(raster.width));
  add_number(head, static_cast<std::uint32_t>(raster.height));
  head += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits per channel, RGB, not interlaced
  std::string out = "\x89PNG\r\n\x1a\n";
  add_chunk(out, "IHDR", head);
  add_chunk(out, "IDAT", deflated(filtered(raster)));
  add_chunk(out, "IEND", "");
  return out;
}

}  // namespace echelon
