// tests/io/test_coordinate.cpp -- coordinate files of every field and symmetry, with pictures, and
// invalid lines.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "io/temp_files.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

using Complex = std::complex<double>;

std::string banner(const std::string& field, const std::string& symmetry) {
  return "%%MatrixMarket matrix coordinate " + field + " " + symmetry + "\n";
}
const std::string real_general = banner("real", "general");

template <class T>
class Coordinate : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Coordinate, Scalars);

TYPED_TEST(Coordinate, RealGeneral) {
  const auto a =
      read_text<TypeParam>(real_general + "3 4 5\n1 1 4\n3 1 1.5\n2 2 -5e0\n3 4 6\n1 4 0\n");
  expect_same(a, picture<TypeParam>(R"( 4   .  . 0
                                        .  -5  . .
                                        1.5 .  . 6 )"));
}

TYPED_TEST(Coordinate, RealSymmetric) {
  const auto a = read_text<TypeParam>(banner("real", "symmetric") +
                                      "3 3 4\n1 1 4\n2 1 1\n3 2 2\n"
                                      "3 3 6\n");
  expect_same(a, picture<TypeParam>(R"( 4 1 .
                                        1 . 2
                                        . 2 6 )"));
}

TYPED_TEST(Coordinate, IntegerSkewSymmetric) {
  const auto a =
      read_text<TypeParam>(banner("integer", "skew-symmetric") + "3 3 3\n2 1 7\n3 1 -2\n3 3 0\n");
  expect_same(a, picture<TypeParam>(R"(  . -7  2
                                         7  .  .
                                        -2  .  0 )"));
}

TYPED_TEST(Coordinate, PatternSymmetric) {
  const auto a = read_text<TypeParam>(banner("pattern", "symmetric") + "3 3 3\n1 1\n3 1\n2 2\n");
  expect_same(a, picture<TypeParam>(R"( x . x
                                        . x .
                                        x . . )"));
}

TYPED_TEST(Coordinate, RealHermitianIsSymmetric) {
  const auto a = read_text<TypeParam>(banner("real", "hermitian") + "2 2 2\n1 1 4\n2 1 1\n");
  expect_same(a, picture<TypeParam>("4 1\n1 ."));
}

// Every field with every symmetry: (2,1) and its mirror image.
TYPED_TEST(Coordinate, EveryFieldWithEverySymmetry) {
  for (const std::string field : {"real", "complex", "integer", "pattern"}) {
    if (field == "complex" && !is_complex<TypeParam>) continue;
    const std::string value = field == "pattern" ? "" : field == "complex" ? " 3 5" : " 3";
    const auto v = field == "pattern"   ? number<TypeParam>(1)
                   : field == "complex" ? number<TypeParam>(3, 5)
                                        : number<TypeParam>(3);
    for (const std::string symmetry : {"general", "symmetric", "skew-symmetric", "hermitian"}) {
      TypeParam mirror{};
      if (symmetry == "symmetric") mirror = v;
      if (symmetry == "skew-symmetric") mirror = -v;
      if (symmetry == "hermitian") mirror = number<TypeParam>(std::real(v), -std::imag(v));
      const auto a = read_text<TypeParam>(banner(field, symmetry) + "2 2 1\n2 1" + value + "\n");
      EXPECT_EQ(a.nonzeros(), symmetry == "general" ? 1 : 2);
      EXPECT_EQ(full(a)[1][0], v) << field << " " << symmetry;
      EXPECT_EQ(full(a)[0][1], mirror) << field << " " << symmetry;
    }
  }
}

TEST(CoordinateFiles, ComplexHermitian) {
  const auto a =
      read_text<Complex>(banner("complex", "hermitian") + "2 2 3\n1 1 4 0\n2 1 1 2\n2 2 5 0\n");
  EXPECT_EQ(full(a), (std::vector<std::vector<Complex>>{{4, {1, -2}}, {{1, 2}, 5}}));
}

TEST(CoordinateFiles, EmptyMatrices) {
  EXPECT_EQ(read_text<double>(real_general + "0 0 0\n").start.size(), 1u);
  const auto a = read_text<double>(real_general + "3 2 0");
  EXPECT_EQ(a.rows, 3);
  EXPECT_EQ(a.nonzeros(), 0);
  EXPECT_EQ(read_text<double>(banner("real", "symmetric") + "2 2 0\n").nonzeros(), 0);
}

TEST(CoordinateFiles, BlanksCommentsCarriageReturnsAndFortranDoNotMatter) {
  const auto plain = read_text<double>(real_general + "2 2 3\n1 1 1500\n2 1 -2\n2 2 0.5\n");
  expect_same(read_text<double>(real_general + "% c\r\n2 2 3\r\n1 1 1500\r\n2 1 -2\r\n2 2 .5"),
              plain);
  expect_same(read_text<double>(real_general + "\n2 2 3\n\n  1\t1   1.5D+03  \n% in between\n\n"
                                               "+2 1 -2.\n   \n2 2 5e-1\n\n\n % end\n"),
              plain);
}

TEST(CoordinateFiles, EntriesGivenTwiceAreAddedUpInTheirOrder) {
  const auto a =
      read_text<double>(real_general + "2 2 6\n2 2 1e16\n1 1 1\n2 2 1\n1 1 2\n2 2 -1e16\n1 1 4\n");
  EXPECT_EQ(a.nonzeros(), 2);
  EXPECT_EQ(full(a), (std::vector<std::vector<double>>{{7, 0}, {0, (1e16 + 1) - 1e16}}));
  const auto b = read_text<double>(banner("real", "symmetric") + "2 2 2\n2 1 1\n2 1 2\n");
  EXPECT_EQ(full(b), (std::vector<std::vector<double>>{{0, 3}, {3, 0}}));
}

TEST(CoordinateFiles, InfinityAndNanAreRead) {
  const auto a = read_text<double>(real_general + "2 2 3\n1 1 inf\n2 1 -Infinity\n2 2 NaN\n");
  EXPECT_EQ(a.value[0], INFINITY);
  EXPECT_EQ(a.value[1], -INFINITY);
  EXPECT_TRUE(std::isnan(a.value[2]));
}

TEST(CoordinateFiles, AComplexFileIsNotReadIntoARealMatrix) {
  const std::string bytes = banner("complex", "general") + "1 1 1\n1 1 1 0\n";
  const std::string text = "a.mtx: has complex numbers; read it with a complex type";
  EXPECT_EQ(refused<double>(bytes, ErrorCode::bad_argument), text);
  EXPECT_EQ(refused<float>(bytes, ErrorCode::bad_argument), text);
}

TEST(CoordinateFiles, RefusesTooFewAndTooManyEntries) {
  EXPECT_EQ(refused<double>(real_general + "2 2 3\n1 1 1\n2 2 2\n"),
            "a.mtx:4: the file ends after 2 of 3 entries");
  EXPECT_EQ(refused<double>(real_general + "2 2 3\n1 1 1\n\n2 2 2"),
            "a.mtx:5: the file ends after 2 of 3 entries");
  EXPECT_EQ(refused<double>(real_general + "2 2 1\n1 1 1\n% c\n\n2 2 2\n1 2 1\n"),
            "a.mtx:6: more entries than the 1 of the header");
  EXPECT_EQ(refused<double>(real_general + "2 2 1\n1 1 1\ngarbage\n"),
            "a.mtx:4: more entries than the 1 of the header");
  EXPECT_EQ(refused<double>(real_general + "3 3 1000000000000\n1 1 1\n"),
            "a.mtx:3: the file ends after 1 of 1000000000000 entries");
  EXPECT_EQ(refused<double>(real_general + "3 3 99999999999999999999\n1 1 1\n"),
            "a.mtx:3: the file ends after 1 of 1000000000000000000 entries");
}

TEST(CoordinateFiles, RefusesALineByItsNumber) {
  const auto line = [](const std::string& text) {
    return refused<double>(real_general + "3 4 3\n1 1 1\n" + text + "\n3 3 3\n");
  };
  EXPECT_EQ(line("0 1 1"), "a.mtx:4: row 0 is outside 1 to 3");
  EXPECT_EQ(line("4 1 1"), "a.mtx:4: row 4 is outside 1 to 3");
  EXPECT_EQ(line("-1 1 1"), "a.mtx:4: row -1 is outside 1 to 3");
  EXPECT_EQ(line("3 0 1"), "a.mtx:4: column 0 is outside 1 to 4");
  EXPECT_EQ(line("3 5 1"), "a.mtx:4: column 5 is outside 1 to 4");
  EXPECT_EQ(line("4294967297 1 1"), "a.mtx:4: row 4294967297 is outside 1 to 3");
  EXPECT_EQ(line("2 2"), "a.mtx:4: expected a number, found the end of the line");
  EXPECT_EQ(line("2"), "a.mtx:4: expected a column, found the end of the line");
  EXPECT_EQ(line("2 2 1 1"), "a.mtx:4: unexpected '1' after the entry");
  EXPECT_EQ(line("2 2 one"), "a.mtx:4: expected a number, found 'one'");
  EXPECT_EQ(line("2.0 2 1"), "a.mtx:4: expected a row, found '2.0'");
  EXPECT_EQ(line("2 2x 1"), "a.mtx:4: expected a column, found '2x'");
  EXPECT_EQ(line("2 2 1e999"), "a.mtx:4: '1e999' is too large for the scalar type");
  EXPECT_EQ(line(std::string("2 2 1\0", 6)), "a.mtx:4: expected a number, found '1?'");
  EXPECT_EQ(line("\xff\xfe\x01 garbage that goes on"),
            "a.mtx:4: expected a row, found '??"
            "?'");
  EXPECT_EQ(line(std::string(100, 'y')),
            "a.mtx:4: expected a row, found '" + std::string(24, 'y') + "...'");
}

TEST(CoordinateFiles, RefusesWhatItsFieldForbids) {
  EXPECT_EQ(refused<double>(banner("pattern", "general") + "1 1 1\n1 1 1\n"),
            "a.mtx:3: unexpected '1' after the entry");
  EXPECT_EQ(refused<double>(banner("integer", "general") + "1 1 1\n1 1 1.5\n"),
            "a.mtx:3: expected a whole number, found '1.5'");
  EXPECT_EQ(refused<Complex>(banner("complex", "general") + "1 1 1\n1 1 1\n"),
            "a.mtx:3: expected a number, found the end of the line");
  EXPECT_EQ(refused<float>(banner("real", "general") + "1 1 1\n1 1 1e200\n"),
            "a.mtx:3: '1e200' is too large for the scalar type");
}

TEST(CoordinateFiles, RefusesWhatItsSymmetryForbids) {
  EXPECT_EQ(
      refused<double>(banner("real", "symmetric") + "2 2 1\n1 2 1\n"),
      "a.mtx:3: entry (1, 2) is above the diagonal; a symmetric file stores the lower triangle "
      "only");
  EXPECT_EQ(refused<double>(banner("real", "skew-symmetric") + "2 2 2\n2 1 1\n2 2 3\n"),
            "a.mtx:4: entry (2, 2) is on the diagonal of a skew-symmetric matrix and not zero");
  EXPECT_EQ(refused<Complex>(banner("complex", "hermitian") + "2 2 1\n2 2 3 1\n"),
            "a.mtx:3: entry (2, 2) is on the diagonal of a Hermitian matrix and not real");
}

}  // namespace
}  // namespace echelon::test
