// tests/dist/test_check_rank_factors.cpp -- rejects factors whose parts do not fit together.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "echelon/dist.hpp"
#include "echelon/generate.hpp"
#include "support/refusal.hpp"

namespace echelon::test {
namespace {

using F = RankFactors<double>;

class RankFactorChecks : public testing::Test {
 protected:
  RankFactorChecks() : a_(generate<double>("laplace2d:3x4:5")) {
    whole_ = factors_of(lower(a_, {.outside = OutsideEntries::ignore}),
                        upper(a_, {.outside = OutsideEntries::ignore}));
    good_ = distribute_factors(whole_, 4);
  }
  Refusal after(const std::function<void(F&)>& change) const {
    F f = good_;
    change(f);
    return refusal([&] { check_rank_factors(f); });
  }

  Csr<double> a_;
  Factors<double> whole_;
  F good_;
};

TEST_F(RankFactorChecks, AcceptWhatShareOutMakes) {
  EXPECT_EQ(after([](F&) {}), Refusal());
  EXPECT_EQ(after([](F& f) {
              f.row_order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
              f.diagonal.assign(12, 2.0);
              f.col_scale.assign(12, 0.5);
            }),
            Refusal());
}

TEST_F(RankFactorChecks, NameATriangleThatDoesNotFit) {
  const auto bad = ErrorCode::bad_argument;
  EXPECT_EQ(after([](F& f) { f.n = 13; }),
            Refusal(bad, "the lower triangle has 12 rows, the factors 13"));
  EXPECT_EQ(after([](F& f) { f.upper = {}; }),
            Refusal(bad, "the upper triangle has 0 rows, the factors 12"));
  EXPECT_EQ(after([](F& f) { f.upper.row.back() = 12; }).code, bad);
  EXPECT_EQ(after([](F& f) { f.upper.row.pop_back(); }).code, bad);
  EXPECT_EQ(after([](F& f) { f.lower.first[1] = 0; }).code, bad);
  EXPECT_EQ(after([](F& f) {
              f.upper = regroup(f.upper, std::vector<Index>{0, 12});
            }),
            Refusal(bad, "the two triangles have different supernodes"));
  EXPECT_EQ(after([](F& f) { f.symmetric = true; }),
            Refusal(bad, "symmetric factors have an upper triangle of their own"));
  EXPECT_EQ(after([](F& f) { f.upper_rows = {}; }),
            Refusal(bad, "the upper triangle has no function that gives its rows"));
}

TEST_F(RankFactorChecks, NameAnOrderThatIsNone) {
  const auto bad = ErrorCode::bad_argument;
  EXPECT_EQ(after([](F& f) {
              f.row_order = {0, 1};
            }),
            Refusal(bad, "row_order has 2 entries, not 12 or none"));
  EXPECT_EQ(after([](F& f) { f.row_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12}; }),
            Refusal(bad, "row_order[11] is 12, outside 0 to 11"));
  EXPECT_EQ(after([](F& f) { f.col_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 11}; }),
            Refusal(bad, "col_order[10] is 4, as is col_order[4]: it is no permutation"));
}

TEST_F(RankFactorChecks, NameANumberThatSpoilsEverySolve) {
  EXPECT_EQ(after([](F& f) { f.row_scale.assign(11, 1.0); }),
            Refusal(ErrorCode::bad_argument, "row_scale has 11 entries, not 12 or none"));
  EXPECT_EQ(after([](F& f) {
              f.diagonal.assign(12, 1.0);
              f.diagonal[5] = 0;
            }),
            Refusal(ErrorCode::zero_diagonal, "diagonal[5] is zero"));
  EXPECT_EQ(after([](F& f) {
              f.col_scale.assign(12, 1.0);
              f.col_scale[3] = std::numeric_limits<double>::infinity();
            }),
            Refusal(ErrorCode::not_finite, "col_scale[3] is not finite"));
}

TEST(BlockMapChecks, NameASupernodeWithoutAPlace) {
  const auto refused = [](const BlockMap& map) {
    return refusal([&] { check_block_map(map, 3, 4); });
  };
  const auto bad = ErrorCode::bad_argument;
  EXPECT_EQ(refused({{2, 2}, {0, 1, 0}, {1, 1, 0}}), Refusal());
  EXPECT_EQ(refused({{2, 3}, {0, 1, 0}, {1, 1, 0}}),
            Refusal(bad, "the blocks are mapped to a grid of 2x3, which is not 4 ranks"));
  EXPECT_EQ(refused({{-2, -2}, {0, 1, 0}, {1, 1, 0}}).code, bad);
  EXPECT_EQ(refused({{2, 2}, {0, 1}, {1, 1, 0}}),
            Refusal(bad, "the map has 2 rows for 3 supernodes"));
  EXPECT_EQ(refused({{2, 2}, {0, 1, 0}, {1, 2, 0}}),
            Refusal(bad, "the map gives supernode 1 to 2 of 2 columns"));
}

}  // namespace
}  // namespace echelon::test
