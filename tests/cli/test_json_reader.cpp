// tests/cli/test_json_reader.cpp -- the JSON parser of the other tests rejects invalid JSON.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "json_reader.hpp"

using echelon::test::JsonValue;
using echelon::test::read_json;

TEST(JsonReader, ReadsEveryKindOfValue) {
  const JsonValue v =
      read_json(R"( {"a": [1, -2.5e3, true, false, null], "b": {"c": "x\"\\\n\u0041"}} )");
  EXPECT_EQ(v["a"].items.size(), 5U);
  EXPECT_EQ(v["a"].items[1].number, -2500);
  EXPECT_TRUE(v["a"].items[2].boolean);
  EXPECT_FALSE(v["a"].items[3].boolean);
  EXPECT_EQ(v["a"].items[4].kind, JsonValue::Kind::null);
  EXPECT_EQ(v["b"]["c"].string, "x\"\\\nA");
}

TEST(JsonReader, RefusesWhatIsNoJson) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":1,}", "{a:1}", "1 2", "nan", "inf", "01", "+1",
                           "\"a", "\"\n\"", "{\"a\":1,\"a\":2}", "[1 2]", "{} {}", "tru", "-"})
    EXPECT_THROW(read_json(text), std::runtime_error) << text;
}
