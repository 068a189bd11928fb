// tests/analysis/test_pack_pattern.cpp -- packing keeps every list, in the requested order.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <numeric>

#include "echelon/analysis.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

TEST(PackPattern, EachListIsThatOfItsUnknown) {
  const auto a = test::random_matrix<double>({.n = 300, .per_row = 5});
  for (const Index threads : {1, 2, 8}) {
    const auto t = lower(a, {.outside = OutsideEntries::ignore});
    const auto g = find_dependency_graph(t, Order::rows);
    Buffer<Index> order(300);
    for (Index k = 0; k < 300; ++k) order[k] = (k * 7 + 3) % 300;
    const auto packed =
        pack_pattern(find_dependency_graph(t, Order::rows), Buffer<Index>(order), threads);
    EXPECT_EQ(packed.order, order);
    EXPECT_EQ(packed.nonzeros(), g.nonzeros);
    for (Index k = 0; k < 300; ++k) {
      const auto list = g.list(order[k]);
      EXPECT_TRUE(std::equal(list.begin(), list.end(), packed.index.begin() + packed.start[k],
                             packed.index.begin() + packed.start[k + 1]));
    }
  }
}

TEST(PackPattern, CountsTheBytesOfDiagonalsGivenTwice) {
  Csr<double> a;
  a.rows = a.cols = 3;
  a.start = {0, 2, 4, 7};
  a.index = {0, 0, 1, 1, 0, 2, 2};
  a.value.assign(7, 1.0);
  auto packed = pack_pattern(find_dependency_graph(lower(a), Order::rows), {0, 1, 2});
  ASSERT_EQ(packed.extra.size(), 3u);
  const Offset all = packed.bytes();
  packed.extra.clear();
  EXPECT_EQ(all - packed.bytes(), static_cast<Offset>(3 * sizeof(ExtraDiagonal)));
}

TEST(PackPattern, NothingPacksToNothing) {
  const Csr<double> a;
  const auto packed = pack_pattern(find_dependency_graph(lower(a), Order::rows), {});
  EXPECT_EQ(packed.n, 0);
  EXPECT_EQ(packed.nonzeros(), 0);
}

}  // namespace
}  // namespace echelon
