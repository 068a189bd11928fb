// tests/factor/test_upper_rows.cpp -- the rows of U from blocks and columns.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "factor/upper_rows.hpp"

namespace echelon {
namespace {

// Two panels of two columns: the parts of their diagonal blocks on and above the diagonal belong to
// U, and so does the 2x2 block of columns between them.  The values of L are 9.
//
//   1 2 | 5 .        columns: 2 has rows 1 and 0, 3 has a stored zero in row 0 and row 1
//     3 | 6 7
//       | 4 0
//       |   8
struct TwoPanels {
  Panels<double> panels;
  Buffer<double> value{1, 9, 9, 2, 3, 9, 4, 9, 0, 8};
  std::vector<int> start{0, 0, 0, 2, 4}, row{1, 0, 0, 1};
  std::vector<double> entry{6, 5, 0, 7};

  TwoPanels() {
    panels.first = {0, 2, 4};
    panels.row_start = {0, 3, 5};
    panels.row = {0, 1, 3, 2, 3};
    panels.value_start = {0, 6};
    panels.value = value;
    panels.unit_diagonal = true;
  }
};

TEST(UpperRows, AreGatheredSortedAndWithoutZeros) {
  const TwoPanels u;
  for (const Index threads : {1, 2}) {
    const Csc<double> n = gather_upper_rows<double>(u.panels, {u.start, u.row, u.entry}, threads);
    EXPECT_EQ(n.start, (Buffer<Offset>{0, 3, 6, 7, 8}));
    EXPECT_EQ(n.index, (Buffer<Index>{0, 1, 2, 1, 2, 3, 2, 3}));
    EXPECT_EQ(n.value, (Buffer<double>{1, 2, 5, 3, 6, 7, 4, 8}));
  }
}

TEST(UpperRows, ARowInsideThePanelIsRefused) {
  TwoPanels u;
  u.row[3] = 2;
  const auto [code, text] = test::refusal([&] {
    gather_upper_rows<double>(u.panels, {u.start, u.row, u.entry}, 1);
  });
  EXPECT_EQ(code, ErrorCode::bad_argument);
  EXPECT_EQ(text, "column 3 of U has an entry in row 2, which is not above its supernode");
}

// Single columns as panels: then all of U except its diagonal is in columns.
TEST(UpperRows, OfManyColumnsAreTheSameForEveryNumberOfThreads) {
  const Index n = 3000, reach = 60;
  Panels<double> panels;
  Buffer<double> diagonal(n);
  panels.first = {0};
  panels.row_start = {0};
  std::vector<int> start{0, 0}, row;
  std::vector<double> entry;
  for (Index j = 0; j < n; ++j) {
    diagonal[j] = j + 1;
    panels.first.push_back(j + 1);
    panels.row_start.push_back(j + 1);
    panels.row.push_back(j);
    panels.value_start.push_back(j);
    for (Index i = std::max(0, j - reach); i < j; ++i) {
      row.push_back(i);
      entry.push_back((i + j) % 5);  // some are zero
    }
    if (j > 0) start.push_back(static_cast<int>(row.size()));
  }
  panels.value = diagonal;
  const auto one = gather_upper_rows<double>(panels, {start, row, entry}, 1);
  for (Index i = 0; i < n; ++i) {
    const auto list = one.pattern().list(i);
    EXPECT_TRUE(list[0] == i && std::is_sorted(list.begin(), list.end()));
    EXPECT_EQ(one.value[one.start[i]], i + 1);
    for (Offset p = one.start[i] + 1; p < one.start[i + 1]; ++p)
      EXPECT_EQ(one.value[p], (i + one.index[p]) % 5);
  }
  for (const Index threads : {2, 3, 7}) {
    const auto many = gather_upper_rows<double>(panels, {start, row, entry}, threads);
    EXPECT_TRUE(many.start == one.start && many.index == one.index && many.value == one.value);
  }
}

}  // namespace
}  // namespace echelon
