// tests/generate/test_stencil.cpp -- Laplacians and the chain: pictures, counts and levels.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "base/parallel.hpp"
#include "echelon/generate.hpp"
#include "generate/counts.hpp"
#include "generate/stencil.hpp"
#include "support/pictures.hpp"

namespace echelon {
namespace {

using test::picture;

template <Scalar T>
void expect_equal(const Csr<T>& a, const Csr<T>& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.value, b.value);
}

template <class T>
class EachScalar : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(EachScalar, Scalars);

TYPED_TEST(EachScalar, FivePointsOnThreeByTwo) {
  expect_equal(generate<TypeParam>("laplace2d:3x2:5"), picture<TypeParam>(R"(
     4 -1  . -1  .  .
    -1  4 -1  . -1  .
     . -1  4  .  . -1
    -1  .  .  4 -1  .
     . -1  . -1  4 -1
     .  . -1  . -1  4 )"));
}

TYPED_TEST(EachScalar, TheChain) {
  expect_equal(generate<TypeParam>("bidiagonal:4"), picture<TypeParam>(R"(
     2  .  .  .
    -1  2  .  .
     . -1  2  .
     .  . -1  2 )"));
}

TEST(Stencil, NinePointsCoupleTheCorners) {
  expect_equal(generate<double>("laplace2d:2x3:9"), picture<double>(R"(
     8 -1 -1 -1  .  .
    -1  8 -1 -1  .  .
    -1 -1  8 -1 -1 -1
    -1 -1 -1  8 -1 -1
     .  . -1 -1  8 -1
     .  . -1 -1 -1  8 )"));
}

TEST(Stencil, SevenPointsWithXFastest) {
  expect_equal(generate<double>("laplace3d:1x2x3:7"), picture<double>(R"(
     6 -1 -1  .  .  .
    -1  6  . -1  .  .
    -1  .  6 -1 -1  .
     . -1 -1  6  . -1
     .  . -1  .  6 -1
     .  .  . -1 -1  6 )"));
}

TEST(Stencil, TwentySevenPointsOnACubeOfEightCoupleAll) {
  const auto a = generate<double>("laplace3d:2x2x2:27");
  EXPECT_EQ(a.nonzeros(), 64);
  for (Index i = 0; i < 8; ++i) EXPECT_EQ(a.value[i * 8 + i], 26);
}

TEST(Stencil, OneNodeIsItsDiagonal) {
  expect_equal(generate<double>("laplace2d:1x1:9"), picture<double>("8"));
  expect_equal(generate<double>("laplace3d:1:7"), picture<double>("6"));
  expect_equal(generate<double>("bidiagonal:1"), picture<double>("2"));
}

struct Counted {
  const char* spec;
  Index n;
  Offset nonzeros;
  Index levels;
};

class Counts : public testing::TestWithParam<Counted> {};

TEST_P(Counts, SizeNonzerosAndLevels) {
  const auto& wanted = GetParam();
  const auto a = generate<float>(wanted.spec);
  EXPECT_EQ(a.rows, wanted.n);
  EXPECT_EQ(a.cols, wanted.n);
  EXPECT_EQ(a.nonzeros(), wanted.nonzeros);
  EXPECT_EQ(a.index.size(), a.value.size());
  EXPECT_EQ(test::lower_levels(a), wanted.levels);
  EXPECT_TRUE(test::rows_rise(a));
  EXPECT_NO_THROW(check_pattern(a.pattern()));
}

// Of nx lines with nx-1 neighbours each way: (3nx-2)(3ny-2)(3nz-2) for all corners.
INSTANTIATE_TEST_SUITE_P(
    Stencil, Counts,
    testing::Values(Counted{"laplace2d:40x30:5", 1200, 1200 + 2 * (39 * 30 + 40 * 29), 69},
                    Counted{"laplace2d:40x30:9", 1200, 118 * 88, 40 + 2 * 29},
                    Counted{"laplace3d:10x11x12:7", 1320,
                            1320 + 2 * (9 * 11 * 12 + 10 * 10 * 12 + 10 * 11 * 11), 31},
                    Counted{"laplace3d:10x11x12:27", 1320, 28 * 31 * 34, 10 + 2 * 10 + 4 * 11},
                    Counted{"laplace3d:32x32x64:27", 65536, 94 * 94 * 190, 32 + 2 * 31 + 4 * 63},
                    Counted{"laplace2d:256x256:5", 65536, 65536 + 4 * 255 * 256, 511},
                    Counted{"bidiagonal:1000", 1000, 1999, 1000}));

TEST(Stencil, LaplaciansAreSymmetricAndDominant) {
  for (const char* spec : {"laplace2d:7x5:5", "laplace2d:7x5:9", "laplace3d:3x4x5:7",
                           "laplace3d:3x4x5:27", "laplace2d:1x9:9", "laplace3d:2x1x2:27"}) {
    const auto a = generate<double>(spec);
    EXPECT_TRUE(test::is_symmetric(a)) << spec;
    EXPECT_GE(test::least_dominance(a), 0) << spec;
    EXPECT_TRUE(test::is_positive_definite(test::to_dense(a))) << spec;
  }
}

TEST(Stencil, AnyNumberOfThreadsGivesTheSameMatrix) {
  for (const char* spec : {"laplace2d:301x203:9", "elasticity2d:150x99", "elasticity3d:20"}) {
    const ThreadLimit one(1);
    const auto alone = generate<float>(spec);
    for (const Index team : {2, 3, 7}) {
      const ThreadLimit limit(team);
      expect_equal(generate<float>(spec), alone);
    }
  }
}

}  // namespace
}  // namespace echelon
