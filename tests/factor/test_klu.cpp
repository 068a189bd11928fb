// tests/factor/test_klu.cpp -- KLU's factors, joined to two triangles, multiply out to the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>

#include "dense_factors.hpp"
#include "echelon/generate.hpp"

namespace echelon {
namespace {

using test::factor_error;
using test::refusal;

constexpr std::array klu_orders{Ordering::automatic, Ordering::metis, Ordering::amd,
                                Ordering::natural};

template <class T>
class KluFactors : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_package("klu")) GTEST_SKIP() << "no KLU here";
  }
};
TYPED_TEST_SUITE(KluFactors, test::Scalars);

// Blocks of these sizes on the diagonal, each a random matrix, random entries above them, and rows
// and columns in random order.
template <class T>
Csr<T> hidden_blocks(const std::vector<Index>& sizes, Index above, unsigned seed) {
  const Index n = std::accumulate(sizes.begin(), sizes.end(), 0);
  std::mt19937 random(seed);
  std::vector<Index> row(n), col(n), block(n);
  std::iota(row.begin(), row.end(), 0);
  std::iota(col.begin(), col.end(), 0);
  std::shuffle(row.begin(), row.end(), random);
  std::shuffle(col.begin(), col.end(), random);
  Coo<T> coo{n, n, {}, {}, {}};
  const auto add = [&](Index i, Index j, T v) {
    coo.row.push_back(row[i]);
    coo.col.push_back(col[j]);
    coo.value.push_back(v);
  };
  Index first = 0;
  for (std::size_t k = 0; k < sizes.size(); first += sizes[k++]) {
    const Csr<T> b = test::random_matrix<T>(
        {.n = sizes[k], .per_row = std::min<Index>(sizes[k] - 1, 3), .seed = seed + 1});
    for (Index i = 0; i < b.rows; ++i) {
      block[first + i] = static_cast<Index>(k);
      for (Offset p = b.start[i]; p < b.start[i + 1]; ++p)
        add(first + i, first + b.index[p], b.value[p]);
    }
  }
  std::uniform_int_distribution<Index> any(0, n - 1);
  for (Index k = 0; k < above; ++k) {
    const Index i = any(random), j = any(random);
    if (block[i] < block[j]) add(i, j, test::number<T>(0.5 + k % 3, 0.25));
  }
  return to_csr(coo);
}

TYPED_TEST(KluFactors, MultiplyOutToTheMatrixInEveryOrdering) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 33, 120}) {
    const Csr<T> a = test::random_matrix<T>({.n = n, .per_row = std::min<Index>(n - 1, 4)});
    for (const Ordering order : klu_orders) {
      const Factors<T> f = factor_klu<T>(a, {.order = order});
      EXPECT_LT(factor_error<T>(a, f), 4) << n << ' ' << name(order);
      test::expect_well_formed(f);
      EXPECT_EQ(f.package, "klu");
      EXPECT_TRUE(f.lower.unit_diagonal && !f.upper.unit_diagonal);
    }
  }
}

TYPED_TEST(KluFactors, OfHiddenBlocksAreTwoTriangles) {
  using T = TypeParam;
  const std::vector<std::vector<Index>> shapes{
      {1, 1, 1, 1}, {5, 5}, {1, 30, 1, 1, 20}, {40, 1, 1, 1}, {2, 3, 4, 5, 6, 7, 8}};
  for (const std::vector<Index>& sizes : shapes)
    for (const unsigned seed : {1u, 2u}) {
      const Csr<T> a = hidden_blocks<T>(sizes, 150, seed);
      for (const Ordering order : klu_orders) {
        const Factors<T> f = factor_klu<T>(a, {.order = order});
        EXPECT_LT(factor_error<T>(a, f), 4) << sizes.size() << ' ' << name(order);
        EXPECT_TRUE(f.ordering.starts_with("btf+")) << f.ordering;
        test::expect_well_formed(f);
      }
    }
}

TYPED_TEST(KluFactors, OfATriangleHaveNoFill) {
  using T = TypeParam;
  const Csr<T> a = hidden_blocks<T>({1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 30, 3);
  const Factors<T> f = factor_klu<T>(a);
  EXPECT_EQ(f.lower.nonzeros, a.rows);
  EXPECT_LE(f.upper.nonzeros, a.nonzeros());
}

// The entry above in the first row of its block becomes two by the elimination of that block, in
// whatever order KLU has the two rows of a block; the other stays one.
TYPED_TEST(KluFactors, AreThoseByHandOfTwoBlocks) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 4 2 . 8
                                      2 5 6 .
                                      . . 4 2
                                      . . 2 5 )");
  const Factors<T> f =
      factor_klu<T>(a, {.order = Ordering::natural, .scale = false, .symmetric_mode = true});
  EXPECT_EQ(f.ordering, "btf+natural");
  EXPECT_LT(factor_error<T>(a, f), 4);
  EXPECT_EQ(f.lower.nonzeros, 6);
  EXPECT_EQ(f.upper.nonzeros, 9);  // 6 of them in blocks
}

TYPED_TEST(KluFactors, PivotASmallDiagonalAway) {
  using T = TypeParam;
  const Csr<T> a = test::random_to_pivot<T>(100, 5);
  for (const Ordering order : klu_orders) {
    const Factors<T> f = factor_klu<T>(a, {.order = order});
    EXPECT_LT(factor_error<T>(a, f), 4) << name(order);
    EXPECT_NE(f.row_order, f.col_order);
  }
}

TYPED_TEST(KluFactors, AreScaledWhereRowsAreBadlyScaled) {
  using T = TypeParam;
  Csr<T> a = test::random_matrix<T>({.n = 50});
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      a.value[p] *= T(std::ldexp(1.0, i % 20) * std::ldexp(1.0, -(a.index[p] % 13)));
  EXPECT_LT(factor_error<T>(a, factor_klu<T>(a)), 4);
  EXPECT_LT(factor_error<T>(a, factor_klu<T>(a, {.scale = false})), 4);
}

TYPED_TEST(KluFactors, OfAnEmptyMatrixAreEmpty) {
  using T = TypeParam;
  EXPECT_EQ(factor_klu<T>(Csr<T>{}).n, 0);
}

TYPED_TEST(KluFactors, OfASingularMatrixAreRefusedWithAColumn) {
  using T = TypeParam;
  const auto a = test::picture<T>(R"( 4 . . 1
                                      . 2 2 .
                                      . 1 1 .
                                      1 . . 4 )");
  for (const Ordering order : klu_orders) {
    const auto [code, text] = refusal([&] { factor_klu<T>(a, {.order = order}); });
    EXPECT_EQ(code, ErrorCode::singular);
    EXPECT_TRUE(text == "the matrix is singular: column 1 has no nonzero pivot" ||
                text == "the matrix is singular: column 2 has no nonzero pivot")
        << text;
  }
  const auto by_pattern = test::picture<T>("x x x\n x . .\n x . .");
  EXPECT_EQ(refusal([&] { factor_klu<T>(by_pattern); }).text,
            "the matrix is singular: column 2 cannot have a pivot, because of the pattern alone");
}

TYPED_TEST(KluFactors, OfAMatrixThatIsNotSquareAreRefused) {
  using T = TypeParam;
  const auto a = test::picture<T>("1 2 3\n 2 1 3");
  EXPECT_EQ(refusal([&] { factor_klu<T>(a); }).code, ErrorCode::bad_argument);
}

}  // namespace
}  // namespace echelon
