// tests/io/test_fortran_format.cpp -- the text columns of a Fortran format.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "io/fortran_format.hpp"

namespace echelon {
namespace {

// The kind, then the places as "begin+width ...".
std::string places(std::string_view text) {
  FortranFormat f;
  if (!parse_fortran_format(text, f)) return "refused";
  std::string out = f.real ? "real" : "integer";
  for (const auto& p : f.place)
    out.append(" ").append(std::to_string(p.begin)).append("+").append(std::to_string(p.width));
  return out;
}

FortranFormat parsed(std::string_view text) {
  FortranFormat f;
  EXPECT_TRUE(parse_fortran_format(text, f)) << text;
  return f;
}

TEST(FortranFormat, IntegersAndReals) {
  EXPECT_EQ(places("(3I5)"), "integer 0+5 5+5 10+5");
  EXPECT_EQ(places("(I8)"), "integer 0+8");
  EXPECT_EQ(places("(2I8.3)"), "integer 0+8 8+8");
  EXPECT_EQ(places(" ( 2 e20.12 ) "), "real 0+20 20+20");
  EXPECT_EQ(places("(2F7.1)"), "real 0+7 7+7");
  EXPECT_EQ(places("(1P,2D16.8)"), "real 0+16 16+16");
  EXPECT_EQ(places("(1P2G16.8E3)"), "real 0+16 16+16");
}

TEST(FortranFormat, GroupsAndBlanks) {
  EXPECT_EQ(places("(2(I9))"), "integer 0+9 9+9");
  EXPECT_EQ(places("(2(1X,I8))"), "integer 1+8 10+8");
  EXPECT_EQ(places("(1P,2(E20.12))"), "real 0+20 20+20");
  EXPECT_EQ(places("((2E9.1))"), "real 0+9 9+9");
  EXPECT_EQ(places("(2X,I3,2I4)"), "integer 2+3 5+4 9+4");
}

TEST(FortranFormat, DecimalsAndScale) {
  EXPECT_EQ(parsed("(4E20.12)").decimals, 12);
  EXPECT_EQ(parsed("(4E20.12)").scale, 0);
  EXPECT_EQ(parsed("(1P,5D16.8)").scale, 1);
  EXPECT_EQ(parsed("(-2P5D16.8)").scale, -2);
  EXPECT_EQ(parsed("(1P,4(E20.12))").scale, 1);
  EXPECT_EQ(parsed("(16I5)").per_line(), 16);
}

TEST(FortranFormat, WhatIsNotUnderstoodIsRefused) {
  for (const char* text : {"",
                           "(",
                           ")",
                           "()",
                           "(16I5",
                           "16I5)",
                           "(16I5))",
                           "(I)",
                           "(I0)",
                           "(0I0)",
                           "(A5)",
                           "(5I5,/)",
                           "(4I5,3E20.12)",
                           "(E20.)",
                           "(3X)",
                           "(1P)",
                           "(2I5,3(I4))",
                           "(99999999999I5)",
                           "(5000I1)",
                           "(I5000)",
                           "(64(65I1))",
                           "(2(3(I5)))",
                           "(-5I3)",
                           "(I5,)"})
    EXPECT_EQ(places(text), "refused") << text;
}

}  // namespace
}  // namespace echelon
