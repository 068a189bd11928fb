// tests/cli/json_reader.cpp -- a strict JSON parser: recursive descent over RFC 8259.
// SPDX-License-Identifier: BSD-3-Clause
#include "json_reader.hpp"

#include <cctype>
#include <charconv>
#include <stdexcept>

namespace echelon::test {
namespace {

using Kind = JsonValue::Kind;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue value = read_value();
    skip_space();
    if (at_ != text_.size()) refuse("more than one document");
    return value;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void refuse(const std::string& what) const {
    throw std::runtime_error("JSON at byte " + std::to_string(at_) + ": " + what);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void expect(char c) {
    skip_space();
    if (peek() != c) refuse(std::string("expected ") + c);
    ++at_;
  }

  JsonValue read_value() {
    skip_space();
    JsonValue value;
    if (peek() == '{') return read_object();
    if (peek() == '[') return read_array();
    if (peek() == '"') {
      value.kind = Kind::string;
      value.string = read_string();
    } else if (take("true") || take("false")) {
      value.kind = Kind::boolean;
      value.boolean = text_[at_ - 2] == 'u';
    } else if (!take("null")) {
      value.kind = Kind::number;
      value.number = read_number();
    }
    return value;
  }

  JsonValue read_object() {
    JsonValue value;
    value.kind = Kind::object;
    expect('{');
    skip_space();
    if (take("}")) return value;
    do {
      skip_space();
      const std::string key = read_string();
      expect(':');
      if (!value.members.emplace(key, read_value()).second) refuse("key " + key + " twice");
      skip_space();
    } while (take(","));
    expect('}');
    return value;
  }

  JsonValue read_array() {
    JsonValue value;
    value.kind = Kind::array;
    expect('[');
    skip_space();
    if (take("]")) return value;
    do {
      value.items.push_back(read_value());
      skip_space();
    } while (take(","));
    expect(']');
    return value;
  }

  std::string read_string() {
    expect('"');
    std::string out;
    while (peek() != '"') {
      if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20) refuse("open string");
      out += peek() == '\\' ? read_escape() : std::string(1, text_[at_++]);
    }
    ++at_;
    return out;
  }

  std::string read_escape() {
    constexpr std::string_view plain = "\"\\/bfnrt";
    constexpr std::string_view meaning = "\"\\/\b\f\n\r\t";
    const char c = text_.substr(at_ + 1).empty() ? '\0' : text_[at_ + 1];
    at_ += 2;
    if (const std::size_t k = plain.find(c); k != plain.npos) return {meaning[k]};
    if (c != 'u' || at_ + 4 > text_.size()) refuse("escape");
    unsigned code = 0;
    const auto [end, error] = std::from_chars(&text_[at_], &text_[at_] + 4, code, 16);
    if (error != std::errc() || end != &text_[at_] + 4) refuse("escape");
    at_ += 4;
    return code < 0x80 ? std::string(1, static_cast<char>(code)) : "?";  // enough for the tests
  }

  double read_number() {
    const std::size_t begin = at_;
    if (peek() == '-') ++at_;
    if (std::isdigit(static_cast<unsigned char>(peek())) == 0) refuse("no value");
    if (peek() == '0' && at_ + 1 < text_.size() &&
        std::isdigit(static_cast<unsigned char>(text_[at_ + 1])) != 0)
      refuse("leading zero");
    double value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + begin, text_.data() + text_.size(), value);
    if (error != std::errc()) refuse("number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
};

}  // namespace

const JsonValue& JsonValue::operator[](const std::string& key) const {
  const auto found = members.find(key);
  if (found == members.end()) throw std::out_of_range("no key " + key);
  return found->second;
}

JsonValue read_json(std::string_view text) { return Reader(text).document(); }

}  // namespace echelon::test
