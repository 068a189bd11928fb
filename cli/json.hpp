// cli/json.hpp -- a JSON document for printing; objects keep the order of their keys.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::cli {

// A value.  Scalars are converted to text at once, so a document is a tree of texts.
class Json {
 public:
  Json() = default;  // null
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(double number);  // NaN and infinity become null
  template <std::integral Integer>
  Json(Integer number) : text_(std::to_string(number)) {}
  Json(bool truth) : text_(truth ? "true" : "false") {}

  static Json object();
  static Json array();
  Json& set(std::string_view key, Json value);  // object: set each key once
  Json& add(const Json& object);                // object: copies the members of another
  Json& push(Json value);                       // array
  bool empty() const { return items_.empty(); }

  // Without a newline at the end.  Members of the outermost object and of its arrays are on one
  // line each.
  void write(std::ostream& out, int depth = 0) const;

 private:
  enum class Kind { scalar, object, array };
  Kind kind_ = Kind::scalar;
  std::string text_ = "null";
  std::vector<std::string> keys_;  // of an object, quoted
  std::vector<Json> items_;
};

// Null for an empty text.
inline Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

// Prints the document and a newline to standard output.
void print(const Json& document);

}  // namespace echelon::cli
