// tests/io/test_boeing.cpp -- Harwell-Boeing and Rutherford-Boeing files.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <complex>

#include "io/temp_files.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

using Complex = std::complex<double>;

//  4 . 1     by columns: (1: 4) (3: 2) | (2: 5) | (1: 1) (3: 6)
//  . 5 .
//  2 . 6
struct File {
  std::string title = "A small matrix                                                  KEY     \n";
  std::string counts = "             6             1             1             2             0\n";
  std::string type = "RUA                        3             3             5             0\n";
  std::string formats =
      "(16I5)          (16I5)          (4E10.2)            (4E10.2)            \n";
  std::string pointers = "    1    3    4    6\n";
  std::string indices = "    1    3    2    1    3\n";
  std::string values = "  4.00E+00  2.00E+00  5.00E+00  1.00E+00\n  6.00E+00\n";
  std::string rest = {};

  std::string text() const {
    return title + counts + type + formats + pointers + indices + values + rest;
  }
};

const char* const drawing = R"( 4 . 1
                                . 5 .
                                2 . 6 )";

TEST(Boeing, RealUnsymmetric) {
  expect_same(read_text<double>(File().text()), picture<double>(drawing));
  expect_same(read_text<std::complex<float>>(File().text()), picture<std::complex<float>>(drawing));
}

TEST(Boeing, TheHeaderIsRead) {
  const TempFolder folder;
  File f;
  FileHeader h = read_header(folder.write("a.rua", f.text()));
  EXPECT_EQ(h.format, "harwell-boeing");
  EXPECT_EQ(h.field, Field::real);
  EXPECT_EQ(h.symmetry, Symmetry::general);
  EXPECT_EQ(h.rows, 3);
  EXPECT_EQ(h.entries, 5);
  f.counts = "             4             1             1             2\n";
  f.type = "iua                        3             3             5             0\n";
  h = read_header(folder.write("a.rb", f.text()));
  EXPECT_EQ(h.format, "rutherford-boeing");
  EXPECT_EQ(h.field, Field::integer);
}

TEST(Boeing, RutherfordBoeing) {
  File f;
  f.counts = "             4             1             1             2\n";
  f.type = "iua                        3             3             5             0\n";
  f.formats = "(16I5)          (16I5)          (8I4)               \n";
  f.values = "   4   2   5   1   6\n";
  expect_same(read_text<double>(f.text()), picture<double>(drawing));
}

TEST(Boeing, PatternsAndRectangles) {
  File f;
  f.type = "PRA                        4             3             5             0\n";
  f.formats = "(16I5)          (16I5)\n";
  f.values = "";
  expect_same(read_text<double>(f.text()), picture<double>("x . x\n. x .\nx . x\n. . ."));
}

TEST(Boeing, SymmetricTypesAreUnfolded) {
  File f;
  f.indices = "    1    3    2    3\n";
  f.pointers = "    1    3    4    5\n";
  f.values = "  4.00E+00  2.00E+00  5.00E+00  6.00E+00\n";
  f.type = "RSA                        3             3             4             0\n";
  expect_same(read_text<double>(f.text()), picture<double>("4 . 2\n. 5 .\n2 . 6"));
  f.type = "CHA                        3             3             4             0\n";
  f.values = "  4.00E+00  0.00E+00  2.00E+00  7.00E+00\n  5.00E+00  0.00E+00  6.00E+00  0.00E+00\n";
  EXPECT_EQ(full(read_text<Complex>(f.text())),
            (std::vector<std::vector<Complex>>{{4, 0, {2, -7}}, {0, 5, 0}, {{2, 7}, 0, 6}}));
  f.type = "CSA                        3             3             4             0\n";
  EXPECT_EQ(full(read_text<Complex>(f.text()))[0][2], Complex(2, 7));
  f.type = "RZA                        3             3             4             0\n";
  f.values = "  0.00E+00  2.00E+00  0.00E+00  0.00E+00\n";
  EXPECT_EQ(full(read_text<double>(f.text())),
            (std::vector<std::vector<double>>{{0, 0, -2}, {0, 0, 0}, {2, 0, 0}}));
}

TEST(Boeing, FieldsMayTouchAndMayLackPointOrLetter) {
  File f;
  f.formats = "(4I1)           (8(I1))         (1P,3D9.2)\n";
  f.pointers = "1346\n";
  f.indices = "13213\n";
  f.values = " 4.00D+00-2.00D+00 5.00+000\n      1.0 6.00D+00\n";
  // 1.0 without exponent under 1P stands for 0.1.
  EXPECT_EQ(full(read_text<double>(f.text())),
            (std::vector<std::vector<double>>{{4, 0, 0.1}, {0, 5, 0}, {-2, 0, 6}}));
  f.formats = "(4I1)           (8(I1))         (5F5.1)\n";
  f.values = "   40   -5  5.0   15    6\n";
  EXPECT_EQ(full(read_text<double>(f.text())),
            (std::vector<std::vector<double>>{{4, 0, 1.5}, {0, 5, 0}, {-0.5, 0, 0.6}}));
}

TEST(Boeing, ColumnsNeedNotBeSortedAndDuplicatesAreAddedUp) {
  File f;
  f.indices = "    3    1    2    1    1\n";
  EXPECT_EQ(full(read_text<double>(f.text())),
            (std::vector<std::vector<double>>{{2, 0, 7}, {0, 5, 0}, {4, 0, 0}}));
}

TEST(Boeing, RightHandSidesAndSequenceNumbersArePassedOver) {
  File f;
  f.counts = "             8             1             1             2             2\n";
  f.formats += "F                          1             0\n";
  f.rest = "  1.00E+00  1.00E+00  1.00E+00\n anything\n\n";
  f.pointers = "    1    3    4    6" + std::string(60, ' ') + "CARD0001\r\n";
  expect_same(read_text<double>(f.text()), picture<double>(drawing));
}

TEST(Boeing, RefusesWhatIsNoMatrixFile) {
  const std::string neither =
      "neither Matrix Market (no %%MatrixMarket at the start of the file) nor Harwell-Boeing: ";
  EXPECT_EQ(refused<double>("hello\nworld\nhow\nare\nyou\n"),
            "a.mtx:2: " + neither + "expected four or five counts of lines");
  EXPECT_EQ(refused<double>("hello"), "a.mtx:1: " + neither + "the file ends inside its header");
  EXPECT_EQ(refused<double>("% MatrixMarket\n1 1 1\n"),
            "a.mtx:2: " + neither + "expected four or five counts of lines");
  EXPECT_EQ(refused<double>("1 1 1 1\n1 1 1 1\n1 1 1 1\n1 1 1 1\n1 1 1 1\n"),
            "a.mtx:3: " + neither + "'1' is not a matrix type such as RUA");
}

TEST(Boeing, RefusesTypesByName) {
  File f;
  f.type = "RUE                        3             3             5             0\n";
  EXPECT_EQ(refused<double>(f.text()),
            "a.mtx:3: type RUE: element matrices are not supported, only assembled ones");
  f.type = "qua                        3             3             5             0\n";
  EXPECT_EQ(refused<double>(f.text()),
            "a.mtx:3: type QUA: values in an auxiliary file are not supported");
  f.type = "CUA                        3             3             5             0\n";
  EXPECT_EQ(refused<double>(f.text(), ErrorCode::bad_argument),
            "a.mtx: has complex numbers; read it with a complex type");
  f.type = "RSA                        3             4             5             0\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:3: a symmetric matrix must be square, not 3 by 4");
  f.type = "RUA                        3             4\n";
  EXPECT_EQ(refused<double>(f.text()),
            "a.mtx:3: expected the numbers of rows, columns and entries after the type");
}

TEST(Boeing, RefusesFormats) {
  File f;
  f.formats = "(16A5)          (16I5)          (4E10.2)\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:4: the Fortran format (16A5) is not supported");
  f.formats = "(16I5)          (16E5.1)        (4E10.2)\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:4: the Fortran format (16E5.1) is not for integers");
  f.formats = "(16I5)          (16I5)\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:4: a Fortran format is missing");
}

TEST(Boeing, RefusesPointersByTheirLine) {
  File f;
  f.formats = "(2I5)           (16I5)          (4E10.2)\n";
  const auto with = [&](const std::string& pointers) {
    f.pointers = pointers;
    return refused<double>(f.text());
  };
  EXPECT_EQ(with("    0    3\n    4    6\n"), "a.mtx:5: column pointer 1 is 0, outside 1 to 1");
  EXPECT_EQ(with("    1    3\n    2    6\n"), "a.mtx:6: column pointer 3 is 2, outside 3 to 6");
  EXPECT_EQ(with("    1    9\n    4    6\n"), "a.mtx:5: column pointer 2 is 9, outside 1 to 6");
  EXPECT_EQ(with("    1    3\n    4    5\n"), "a.mtx:6: column pointer 4 is 5, outside 6 to 6");
  EXPECT_EQ(with("    1    3\n    x    6\n"), "a.mtx:6: expected a number, found 'x'");
  EXPECT_EQ(with("    1    3\n    4\n"),
            "a.mtx:6: columns 6 to 10 are blank where a number is expected");
}

TEST(Boeing, RefusesIndicesAndValuesByTheirLine) {
  File f;
  f.indices = "    1    3    2    1    4\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:6: row 4 is outside 1 to 3");
  f.indices = "    1    3    2    1    3    3\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:6: unexpected '3' after the last number");
  f = File();
  f.formats = "(16I5)          (16I5)          (4E11.2)\n";
  f.values = "   4.00E+00   2.00E+00   5.00E+00   1.00E+00\n  6.00E+999\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:8: '6.00E+999' is too large for the scalar type");
  f.type = "RSA                        3             3             5             0\n";
  f.values = "   4.00E+00   2.00E+00   5.00E+00   1.00E+00\n   6.00E+00\n";
  EXPECT_EQ(
      refused<double>(f.text()),
      "a.mtx:6: entry (1, 3) is above the diagonal; a symmetric file stores the lower triangle "
      "only");
}

TEST(Boeing, RefusesTooLittleAndTooMuch) {
  File f;
  f.values = "  4.00E+00  2.00E+00  5.00E+00  1.00E+00\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:7: the file ends inside its 5 values");
  f.values = "";
  f.indices = "";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:5: the file ends inside its 5 row indices");
  f.type = "RUA                        3     999999999 999999999999             0\n";
  EXPECT_EQ(refused<double>(f.text()),
            "a.mtx:5: the file ends inside its 1000000000 column pointers");
  f = File();
  f.rest = "\n  more\n";
  EXPECT_EQ(refused<double>(f.text()), "a.mtx:10: unexpected 'more' after the last section");
}

}  // namespace
}  // namespace echelon::test
