// tests/io/test_market_header.cpp -- banners, comments and size lines of Matrix Market.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "io/temp_files.hpp"

namespace echelon::test {
namespace {

const std::string banner = "%%MatrixMarket matrix coordinate real general\n";

FileHeader header_of(const std::string& bytes) {
  const TempFolder folder;
  return read_header(folder.write("a.mtx", bytes));
}

TEST(MarketHeader, SaysWhatTheFileHolds) {
  const FileHeader h = header_of("%%MatrixMarket matrix coordinate complex hermitian\n3 3 4\n");
  EXPECT_EQ(h.format, "matrix market coordinate");
  EXPECT_EQ(h.field, Field::complex);
  EXPECT_EQ(h.symmetry, Symmetry::hermitian);
  EXPECT_FALSE(h.gzip);
  EXPECT_EQ(h.rows, 3);
  EXPECT_EQ(h.cols, 3);
  EXPECT_EQ(h.entries, 4);
}

TEST(MarketHeader, AnArrayStoresWhatItsSymmetryLeaves) {
  const std::string array = "%%MatrixMarket matrix array real ";
  EXPECT_EQ(header_of(array + "general\n3 4\n").entries, 12);
  EXPECT_EQ(header_of(array + "symmetric\n4 4\n").entries, 10);
  EXPECT_EQ(header_of(array + "skew-symmetric\n4 4\n").entries, 6);
  EXPECT_EQ(header_of(array + "general\n3 4\n").format, "matrix market array");
}

TEST(MarketHeader, CaseBlanksCommentsAndCarriageReturnsDoNotMatter) {
  const FileHeader h = header_of(
      "%%MATRIXMARKET  Matrix\tCOORDINATE Pattern Skew-Symmetric  \r\n"
      "% one\r\n%\r\n\r\n   \n  % two\n  5 \t +5 2 \r\n");
  EXPECT_EQ(h.field, Field::pattern);
  EXPECT_EQ(h.symmetry, Symmetry::skew);
  EXPECT_EQ(h.rows, 5);
  EXPECT_EQ(h.entries, 2);
}

TEST(MarketHeader, IsReadFromTheBeginningOfAFileOnly) {
  const TempFolder folder;
  const std::string rest(1 << 18, 'x');
  EXPECT_EQ(read_header(folder.write("a", banner + "3 4 5\n" + rest)).cols, 4);
  EXPECT_EQ(read_header(folder.write("b", gzip(banner + "3 4 5\n" + rest))).cols, 4);
  EXPECT_TRUE(read_header(folder.path() / "b").gzip);
}

TEST(MarketHeader, MayComeAfterVeryLongComments) {
  std::string comments;
  while (comments.size() < 200000) comments += "% a comment among many\n";
  EXPECT_EQ(header_of(banner + comments + "3 4 5\n1 1 1\n").cols, 4);
  EXPECT_EQ(header_of(gzip(banner + comments + "3 4 5\n1 1 1\n")).cols, 4);
}

TEST(MarketHeader, NamesOfFieldsAndSymmetries) {
  EXPECT_STREQ(name(Field::integer), "integer");
  EXPECT_STREQ(name(Symmetry::skew), "skew-symmetric");
}

TEST(MarketHeader, RefusesAWrongBannerByItsWord) {
  EXPECT_EQ(refused<double>("%%MatrixMarket vector coordinate real general\n"),
            "a.mtx:1: the banner's object must be one of matrix; found 'vector'");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix sparse real general\n"),
            "a.mtx:1: the banner's format must be one of coordinate, array; found 'sparse'");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix coordinate\n"),
            "a.mtx:1: the banner's field must be one of real, complex, integer, pattern; found the "
            "end of the line");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix coordinate real"),
            "a.mtx:1: the banner's symmetry must be one of general, symmetric, skew-symmetric, "
            "hermitian; found the end of the line");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix coordinate real general too\n"),
            "a.mtx:1: unexpected 'too' after the banner");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix array pattern general\n1 1\n"),
            "a.mtx:1: an array has values: its field cannot be pattern");
}

TEST(MarketHeader, RefusesAWrongSizeLine) {
  EXPECT_EQ(refused<double>(banner), "a.mtx:1: the file ends before its size line");
  EXPECT_EQ(refused<double>(banner + "% only\n% comments\n"),
            "a.mtx:3: the file ends before its size line");
  const std::string three = "expected three whole numbers: rows, columns and entries";
  EXPECT_EQ(refused<double>(banner + "3 3\n1 1 1\n"), "a.mtx:2: " + three);
  EXPECT_EQ(refused<double>(banner + "3 3 1 1\n1 1 1\n"), "a.mtx:2: " + three);
  EXPECT_EQ(refused<double>(banner + "\n3 x 1\n1 1 1\n"), "a.mtx:3: " + three);
  EXPECT_EQ(refused<double>(banner + "3 3.0 1\n1 1 1\n"), "a.mtx:2: " + three);
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix array real general\n1 1 1\n"),
            "a.mtx:2: expected two whole numbers: rows and columns");
  EXPECT_EQ(refused<double>(banner + "-3 3 0\n"),
            "a.mtx:2: a size is negative: -3 rows, 3 columns, 0 entries");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix coordinate real symmetric\n3 4 0\n"),
            "a.mtx:2: a symmetric matrix must be square, not 3 by 4");
}

TEST(MarketHeader, RefusesSizesBeyondNumberingOrReason) {
  EXPECT_EQ(refused<double>(banner + "2147483648 3 1\n1 1 1\n"),
            "a.mtx:2: 2147483648 by 3 is more than the 2147483647 rows and columns that 32-bit "
            "indices allow");
  EXPECT_EQ(refused<double>(banner + "2000000000 3 1\n1 1 1\n"),
            "a.mtx:2: 2000000000 rows are too many for a file of 67 bytes: more than 64 per byte "
            "plus a million");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix array real general\n"
                            "999999999999999999999 999999999999999999\n"),
            "a.mtx:2: 1000000000000000000 by 999999999999999999 is more than the 2147483647 rows "
            "and columns that 32-bit indices allow");
  EXPECT_EQ(refused<double>("%%MatrixMarket matrix array real general\n1000 2000000000\n1\n"),
            "a.mtx:3: the file ends after 1 of 2000000000000 entries");
  // Many columns take no memory.
  EXPECT_EQ(read_text<double>(banner + "3 2147483647 1\n1 2147483647 1\n").cols, 2147483647);
}

}  // namespace
}  // namespace echelon::test
