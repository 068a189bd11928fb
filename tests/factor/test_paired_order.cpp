// tests/factor/test_paired_order.cpp -- zeros on the diagonal follow a partner.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense_factors.hpp"
#include "factor/ordering.hpp"
#include "factor/paired_order.hpp"

namespace echelon {
namespace {

std::vector<Index> paired(const Csr<double>& a, Ordering wanted = Ordering::natural) {
  Ordering used = Ordering::automatic;
  return find_paired_order(MatrixView<double>(a), {.order = wanted}, used);
}

TEST(PairedOrders, PutAZeroAfterItsPartner) {
  const auto a = test::picture<double>(R"( . 2 . .
                                           2 4 . 1
                                           . . . 3
                                           . 1 3 5 )");
  EXPECT_EQ(paired(a), (std::vector<Index>{1, 0, 3, 2}));
}

TEST(PairedOrders, GiveALargerPartnerFirstAndThenWhatIsLeft) {
  // Both zeros have both neighbours; row 0 takes the larger one, row 1 the other.
  const auto a = test::picture<double>(R"( . . 1 7
                                           . . 2 8
                                           1 2 9 .
                                           7 8 . 9 )");
  EXPECT_EQ(paired(a), (std::vector<Index>{3, 0, 2, 1}));
  // Row 1 has one neighbour only, which row 0 has to give back.
  const auto given_back = test::picture<double>(R"( . . 1 7
                                                    . . . 8
                                                    1 . 9 .
                                                    7 8 . 9 )");
  EXPECT_EQ(paired(given_back), (std::vector<Index>{2, 0, 3, 1}));
}

TEST(PairedOrders, DoNotExistWithoutPartners) {
  EXPECT_TRUE(paired(test::picture<double>(". 1\n 1 .")).empty());
  EXPECT_TRUE(paired(test::picture<double>(". . 1\n . . 1\n 1 1 4")).empty());
}

TEST(PairedOrders, WithoutZerosAreOrdinaryOrders) {
  if (!test::has_ordering(Ordering::amd)) GTEST_SKIP() << "without AMD";
  const Csr<double> a = test::random_hermitian<double>(50, 3);
  EXPECT_EQ(paired(a, Ordering::amd), find_order(find_adjacency(a.pattern()), Ordering::amd));
}

}  // namespace
}  // namespace echelon
