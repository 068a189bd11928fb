// tests/cli/json_reader.hpp -- a strict JSON parser, to check that the program prints valid JSON.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace echelon::test {

struct JsonValue {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string string;
  std::vector<JsonValue> items;              // of an array
  std::map<std::string, JsonValue> members;  // of an object

  bool has(const std::string& key) const { return members.count(key) > 0; }
  // The member; throws std::out_of_range with the key's name if there is none.
  const JsonValue& operator[](const std::string& key) const;
};

// Reads exactly one document, with white space around it.  Otherwise, also for a duplicate key,
// throws std::runtime_error with the place.
JsonValue read_json(std::string_view text);

}  // namespace echelon::test
