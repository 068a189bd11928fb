// cli/json.cpp -- writes JSON: escapes, shortest numbers, lines.
// SPDX-License-Identifier: BSD-3-Clause
#include "json.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace echelon::cli {
namespace {

// The length of the UTF-8 character at the front of the text, 0 if it is invalid.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xC0) != 0x80) return 0;
  const auto second = static_cast<unsigned char>(text[1]);  // detects overlong forms and surrogates
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F)) return 0;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) return 0;
  return length;
}

std::string escape(char c) {
  if (c == '"' || c == '\\') return {'\\', c};
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  char text[8];
  std::snprintf(text, sizeof text, "\\u%04x", static_cast<unsigned>(c));
  return text;
}

// File names may hold any bytes; invalid UTF-8 becomes the replacement character.
std::string quote(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const auto lead = static_cast<unsigned char>(text[0]);
    if (length == 0)
      out += "\\ufffd";
    else if (lead < 0x20 || lead == '"' || lead == '\\')
      out += escape(text[0]);
    else
      out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out + '"';
}

}  // namespace

Json::Json(std::string_view text) : text_(quote(text)) {}

Json::Json(double number) {
  if (!std::isfinite(number)) return;
  char text[40];
  text_.assign(text, std::to_chars(text, text + sizeof text, number).ptr);
}

Json Json::object() {
  Json value;
  value.kind_ = Kind::object;
  return value;
}

Json Json::array() {
  Json value;
  value.kind_ = Kind::array;
  return value;
}

Json& Json::set(std::string_view key, Json value) {
  keys_.push_back(quote(key));
  items_.push_back(std::move(value));
  return *this;
}

Json& Json::add(const Json& object) {
  keys_.insert(keys_.end(), object.keys_.begin(), object.keys_.end());
  items_.insert(items_.end(), object.items_.begin(), object.items_.end());
  return *this;
}

Json& Json::push(Json value) {
  items_.push_back(std::move(value));
  return *this;
}

void Json::write(std::ostream& out, int depth) const {
  if (kind_ == Kind::scalar) {
    out << text_;
    return;
  }
  const bool lines = !items_.empty() && (depth == 0 || (depth == 1 && kind_ == Kind::array));
  const auto indent = 2 * static_cast<std::size_t>(depth);
  std::string margin(lines ? indent + 3 : 0, ' ');
  if (lines) margin.front() = '\n';
  out << (kind_ == Kind::object ? '{' : '[');
  for (std::size_t k = 0; k < items_.size(); ++k) {
    out << (k == 0 ? "" : lines ? "," : ", ") << margin;
    if (kind_ == Kind::object) out << keys_[k] << ": ";
    items_[k].write(out, depth + 1);
  }
  if (lines) out << '\n' << std::string(indent, ' ');
  out << (kind_ == Kind::object ? '}' : ']');
}

void print(const Json& document) {
  document.write(std::cout);
  std::cout << '\n';
}

}  // namespace echelon::cli
