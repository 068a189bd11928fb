// tests/draw/read_picture.cpp -- reads pictures back: pixels of a PNG, elements of an SVG.
// SPDX-License-Identifier: BSD-3-Clause
#include "read_picture.hpp"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>

namespace echelon::test {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

std::uint32_t number(const std::string& text, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t k = at; k < at + 4; ++k)
    value = value << 8 | static_cast<unsigned char>(text.at(k));
  return value;
}

// Chunks by name; our files have one of each.
std::map<std::string, std::string> read_chunks(const std::string& file) {
  if (file.substr(0, 8) != "\x89PNG\r\n\x1a\n") fail("no PNG");
  std::map<std::string, std::string> chunks;
  for (std::size_t at = 8; at < file.size();) {
    const std::size_t size = number(file, at);
    const std::string checked = file.substr(at + 4, size + 4);
    const auto sum =
        crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
    if (sum != number(file, at + 8 + size)) fail("wrong checksum");
    chunks[checked.substr(0, 4)] = checked.substr(4);
    at += size + 12;
  }
  if (chunks.count("IEND") == 0) fail("no end");
  return chunks;
}

}  // namespace

Pixels read_png(const std::string& file) {
  const auto chunks = read_chunks(file);
  const std::string& head = chunks.at("IHDR");
  if (head.substr(8) != std::string("\x08\x02\x00\x00\x00", 5)) fail("not as ours are");
  Pixels p{static_cast<int>(number(head, 0)), static_cast<int>(number(head, 4)), {}};
  const std::size_t row = static_cast<std::size_t>(p.width) * 3 + 1;
  std::string bytes(row * p.height, '\0');
  uLongf size = bytes.size();
  const std::string& packed = chunks.at("IDAT");
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(packed.data()), packed.size()) != Z_OK ||
      size != bytes.size())
    fail("does not inflate to its size");
  for (int y = 0; y < p.height; ++y) {
    if (bytes[y * row] != 1) fail("another filter");
    std::uint8_t left[3] = {0, 0, 0};
    for (int x = 0; x < p.width; ++x) {
      for (int c = 0; c < 3; ++c)
        left[c] = static_cast<std::uint8_t>(
            left[c] + static_cast<std::uint8_t>(bytes[y * row + 1 + 3 * x + c]));
      p.pixel.push_back({left[0], left[1], left[2]});
    }
  }
  return p;
}

int Pixels::count(Color c) const {
  return static_cast<int>(std::count(pixel.begin(), pixel.end(), c));
}

namespace {

// <name a="1" b="2"/>, without the text around it.
Element read_tag(std::string tag) {
  Element e;
  std::size_t at = tag.find_first_of(" \n");
  e.name = tag.substr(0, at);
  while (at < tag.size()) {
    at = tag.find_first_not_of(" \n", at);
    if (at >= tag.size()) break;
    const std::size_t equal = tag.find("=\"", at);
    const std::size_t end = equal == std::string::npos ? equal : tag.find('"', equal + 2);
    if (end == std::string::npos) fail("attribute without quotes: " + tag);
    if (!e.attribute.emplace(tag.substr(at, equal - at), tag.substr(equal + 2, end - equal - 2))
             .second)
      fail("attribute twice: " + tag);
    at = end + 1;
  }
  return e;
}

}  // namespace

std::vector<Element> read_elements(const std::string& text, const std::vector<std::string>& open) {
  std::vector<Element> all;
  std::vector<std::string> inside;
  std::size_t at = text.find('<');
  while (at < text.size()) {
    const std::size_t end = text.find('>', at), next = std::min(text.find('<', end), text.size());
    if (end == std::string::npos) fail("a tag does not end");
    std::string tag = text.substr(at + 1, end - at - 1);
    at = next;
    if (tag[0] == '!') continue;
    if (tag[0] == '/') {
      if (inside.empty() || inside.back() != tag.substr(1)) fail("wrong end: " + tag);
      inside.pop_back();
      continue;
    }
    const bool closed = tag.back() == '/';
    if (closed) tag.pop_back();
    Element e = read_tag(tag);
    e.text = text.substr(end + 1, next - end - 1);
    if (!closed && std::find(open.begin(), open.end(), e.name) == open.end())
      inside.push_back(e.name);
    all.push_back(std::move(e));
  }
  if (!inside.empty()) fail("no end of " + inside.back());
  return all;
}

std::size_t count_elements(const std::string& svg, const std::string& name) {
  std::size_t count = 0;
  for (const Element& e : read_elements(svg)) count += e.name == name;
  return count;
}

bool says(const Canvas& canvas, const std::string& letters) {
  for (const Element& e : read_elements(canvas.svg()))
    if (e.name == "text" && e.text.find(letters) != std::string::npos) return true;
  return false;
}

std::vector<Canvas::Shape> rectangles(const Canvas& canvas, Color color) {
  std::vector<Canvas::Shape> found;
  for (const Canvas::Shape& s : canvas.shapes())
    if (s.kind == Canvas::Shape::Kind::rectangle && s.color == color) found.push_back(s);
  return found;
}

}  // namespace echelon::test
