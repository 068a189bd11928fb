// tests/supernode/test_check_supernodes.cpp -- detects each broken invariant of supernodes.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>

#include "echelon/supernode.hpp"

namespace echelon {
namespace {

Supernodes sound() {
  Supernodes s;
  s.n = 6;
  s.first = {0, 2, 3, 6};
  s.row_start = {0, 2, 4, 4};
  s.row = {2, 5, 3, 4};
  return s;
}

std::string text_when(const std::function<void(Supernodes&)>& broken) {
  Supernodes s = sound();
  broken(s);
  try {
    check_supernodes(s);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_argument);
    return e.what();
  }
  return "nothing";
}

TEST(CheckSupernodes, SoundOnesAndNonePass) {
  EXPECT_EQ(text_when([](Supernodes&) {}), "nothing");
  EXPECT_NO_THROW(check_supernodes(Supernodes()));
}

TEST(CheckSupernodes, WhatIsWrongIsNamed) {
  const auto has = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos ? "" : text;
  };
  EXPECT_EQ(has(text_when([](auto& s) { s.n = 7; }), "end with 7"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.first[0] = 1; }), "begin with 0"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.first.clear(); }), "begin with 0"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.first[2] = 2; }), "supernode 1 runs from 2 to 2"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row.push_back(5); }), "do not fit"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row_start.pop_back(); }), "do not fit"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row_start[1] = 5; }), "supernode 1 has a negative"), "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row[0] = 1; }), "supernode 0 has row 1 where one from 2"),
            "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row[3] = 3; }), "supernode 1 has row 3 where one from 4"),
            "");
  EXPECT_EQ(has(text_when([](auto& s) { s.row[1] = 6; }), "row 6 where one from 3 to 5"), "");
}

}  // namespace
}  // namespace echelon
