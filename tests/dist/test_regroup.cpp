// tests/dist/test_regroup.cpp -- the supernodes for another partition of the columns.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "dist/patterns.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

//  0 | x            first: 0-1 reach 3 and 5, 2 reaches 3, 3-4 reach 5
//  1 | x x
//  2 | . . x
//  3 | x x x x
//  4 | . . . x x
//  5 | x x . x x x
Supernodes six() {
  Supernodes s;
  s.n = 6;
  s.first = {0, 2, 3, 5, 6};
  s.row = {3, 5, 3, 5};
  s.row_start = {0, 2, 3, 4, 4};
  return s;
}

TEST(Regrouping, IntoTheSamePartsChangesNothing) {
  const Supernodes s = six(), same = regroup(s, s.first);
  EXPECT_EQ(same.first, s.first);
  EXPECT_EQ(same.row, s.row);
  EXPECT_EQ(same.row_start, s.row_start);
}

TEST(Regrouping, TakesTheUnionOfRows) {
  const Buffer<Index> first = {0, 3, 6};
  const Supernodes s = regroup(six(), first);
  EXPECT_EQ(s.row, (Buffer<Index>{3, 5}));
  EXPECT_EQ(s.row_start, (Buffer<Offset>{0, 2, 2}));
}

TEST(Regrouping, CutsTriangles) {
  const Buffer<Index> first = {0, 1, 4, 6};
  const Supernodes s = regroup(six(), first);
  check_supernodes(s);
  EXPECT_EQ(s.row, (Buffer<Index>{1, 3, 5, 4, 5}));
  EXPECT_EQ(s.row_start, (Buffer<Offset>{0, 3, 5, 5}));
}

TEST(Regrouping, RefusesWhatIsNoPartition) {
  for (const Buffer<Index>& first :
       {Buffer<Index>{}, Buffer<Index>{0, 5}, Buffer<Index>{0, 4, 2, 6}, Buffer<Index>{1, 6}})
    EXPECT_EQ(test::refusal([&] { regroup(six(), first); }).code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace echelon
