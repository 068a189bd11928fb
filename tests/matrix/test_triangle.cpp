// tests/matrix/test_triangle.cpp -- reading a triangle: lists, shape, entries inside, for all
// storage forms.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "echelon/matrix.hpp"
#include "support/pictures.hpp"

namespace echelon {
namespace {

const char* const square = R"( 4 1 .
                               2 5 .
                               . 3 6 )";

TEST(Triangle, StoredByRowsAndPlainGivesRows) {
  const auto a = test::picture<double>(square);
  const auto t = lower(a);
  EXPECT_EQ(t.lists(), Order::rows);
  EXPECT_EQ(t.shape(), Uplo::lower);
  EXPECT_TRUE(t.inside(1, 0));
  EXPECT_FALSE(t.inside(0, 1));
  EXPECT_FALSE(t.inside(1, 1));
}

TEST(Triangle, TransposingTurnsRowsIntoColumnsAndLowerIntoUpper) {
  const auto a = test::picture<double>(square);
  const auto t = lower(a, {.op = Op::transpose});
  EXPECT_EQ(t.lists(), Order::columns);
  EXPECT_EQ(t.shape(), Uplo::upper);
}

TEST(Triangle, StoredByColumnsGivesColumnsAndTheirTransposeRows) {
  const auto a = to_csc(CsrView<double>(test::picture<double>(square)));
  EXPECT_EQ(lower(a).lists(), Order::columns);
  EXPECT_EQ(lower(a, {.op = Op::transpose}).lists(), Order::rows);
  EXPECT_TRUE(lower(a).inside(0, 1));  // column 0, row 1
  EXPECT_FALSE(lower(a).inside(1, 0));
}

TEST(Triangle, OnlyComplexNumbersAreConjugated) {
  const auto a = test::picture<double>(square);
  const auto z = test::picture<std::complex<double>>(square);
  EXPECT_FALSE(lower(a, {.op = Op::conjugate}).conjugated());
  EXPECT_TRUE(lower(z, {.op = Op::conjugate}).conjugated());
  EXPECT_FALSE(lower(z, {.op = Op::transpose}).conjugated());
}

TEST(Vectors, StepAndStrideFollowTheLayout) {
  double data[12];
  const Vectors<double> columns(data, 4, 3), rows(data, 4, 3, 0, Layout::row_major);
  EXPECT_EQ(columns.step(), 1);
  EXPECT_EQ(columns.stride(), 4);
  EXPECT_EQ(rows.step(), 3);
  EXPECT_EQ(rows.stride(), 1);
}

// The error of check_pattern for a 2x2 matrix with these arrays.
std::string complaint(std::vector<Offset> start, std::vector<Index> index) {
  try {
    check_pattern({Order::rows, 2, 2, start, index});
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::bad_argument);
    return e.what();
  }
  return "";
}

TEST(CheckPattern, AcceptsUnsortedAndEmptyRows) {
  EXPECT_EQ(complaint({0, 2, 2}, {1, 0}), "");
  EXPECT_EQ(complaint({0, 0, 0}, {}), "");
}

TEST(CheckPattern, NamesTheRowThatIsWrong) {
  EXPECT_EQ(
      complaint({0, 1, 2}, {0, 2}),
      "row 1 has index 2, outside 0 to 1; do the indices count from 1? csr_arrays takes base = 1");
  EXPECT_EQ(complaint({0, 1, 2}, {0, 3}), "row 1 has index 3, outside 0 to 1");
  EXPECT_EQ(complaint({1, 2, 3}, {1, 2}),
            "start[0] is 1, not 0; do the indices count from 1? csr_arrays takes base = 1");
  EXPECT_EQ(complaint({0, 1, 2}, {-1, 0}), "row 0 has index -1, outside 0 to 1");
  EXPECT_EQ(complaint({0, 2, 1}, {0, 1}), "row 1 ends at 1, before it begins at 2");
  EXPECT_EQ(complaint({2, 2, 2}, {0, 1}), "start[0] is 2, not 0");
  EXPECT_EQ(complaint({0, 1, 3}, {0, 1}), "start ends at 3 but there are 2 indices");
  EXPECT_EQ(complaint({0, 2}, {0, 1}),
            "start has 2 entries for 2 lists; it must have one more than there are lists");
}

}  // namespace
// Arrays of 32 and 64 bits, 0- and 1-based; values are not copied.
template <class Start, class Number>
void expect_adapted(Index base) {
  const std::vector<Start> start{static_cast<Start>(base), static_cast<Start>(base + 1),
                                 static_cast<Start>(base + 3)};
  const std::vector<Number> index{static_cast<Number>(base), static_cast<Number>(base),
                                  static_cast<Number>(base + 1)};
  const std::vector<double> value{2, 3, 4};
  const auto a = csr_arrays(2, 2, start.data(), index.data(), value.data(), base);
  check_pattern(a.view().pattern());
  EXPECT_EQ(a.view().value.data(), value.data());
  EXPECT_EQ((std::vector<Offset>(a.view().start.begin(), a.view().start.end())),
            (std::vector<Offset>{0, 1, 3}));
  EXPECT_EQ((std::vector<Index>(a.view().index.begin(), a.view().index.end())),
            (std::vector<Index>{0, 0, 1}));
}

TEST(Arrays, AreTakenAsOtherLibrariesHaveThem) {
  for (const Index base : {0, 1}) {
    expect_adapted<std::int32_t, std::int32_t>(base);
    expect_adapted<std::int64_t, std::int32_t>(base);
    expect_adapted<std::int64_t, std::int64_t>(base);
    expect_adapted<std::uint64_t, std::uint32_t>(base);
  }
}

TEST(Arrays, OfOurOwnTypesAreNotCopied) {
  const std::vector<Offset> start{0, 1};
  const std::vector<Index> index{0};
  const double value = 1;
  const auto a = csc_arrays(1, 1, start.data(), index.data(), &value);
  EXPECT_EQ(a.view().start.data(), start.data());
  EXPECT_EQ(a.view().index.data(), index.data());
}

TEST(Arrays, RefuseWhatDoesNotFit) {
  const std::vector<std::int64_t> start{0, 1}, index{std::int64_t{1} << 31};
  const double value = 1;
  EXPECT_THROW(csr_arrays(1, 1, start.data(), index.data(), &value), Error);
}

}  // namespace echelon
