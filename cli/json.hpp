// cli/json.hpp -- a JSON document to be printed: objects keep the order of their keys.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::cli {

// A value.  Scalars become text at once, so a document is a tree of texts.
class Json {
 public:
  Json() = default;  // null
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(double number);  // NaN and infinity have no JSON and become null
  template <std::integral Integer>
  Json(Integer number) : text_(std::to_string(number)) {}
  Json(bool truth) : text_(truth ? "true" : "false") {}

  static Json object();
  static Json array();
  Json& set(std::string_view key, Json value);  // of an object; a key is set once
  Json& add(const Json& object);                // to an object: the members of another
  Json& push(Json value);                       // of an array
  bool empty() const { return items_.empty(); }

  // Without a line end at the end.  The outer object and the arrays in it have a line for
  // each member, everything inside those is on that line.
  void write(std::ostream& out, int depth = 0) const;

 private:
  enum class Kind { scalar, object, array };
  Kind kind_ = Kind::scalar;
  std::string text_ = "null";
  std::vector<std::string> keys_;  // of an object, quoted
  std::vector<Json> items_;
};

// Empty text becomes null.
inline Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Prints the document and a line end on standard output.
void print(const Json& document);

}  // namespace echelon::cli
