// tests/factor/test_matching.cpp -- matched rows have the largest product, and factors of matched
// rows are factors of the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numeric>

#include "dense_factors.hpp"
#include "echelon/generate.hpp"
#include "factor/matching.hpp"
#include "factor/solve_cost.hpp"
#include "support/pictures.hpp"

namespace echelon {
namespace {

using test::refusal;

template <class T>
MatrixView<T> view_of(const Csc<T>& a) {
  return MatrixView<T>(CscView<T>(a));
}

// The largest product of n entries in different rows and columns, by trying all of them.
double largest_product(const test::Dense& a) {
  std::vector<Index> row(static_cast<std::size_t>(a.n));
  std::iota(row.begin(), row.end(), 0);
  double largest = 0;
  do {
    double product = 1;
    for (Index j = 0; j < a.n; ++j) product *= std::abs(a(row[j], j));
    largest = std::max(largest, product);
  } while (std::next_permutation(row.begin(), row.end()));
  return largest;
}

template <class T>
class Matchings : public testing::Test {};
TYPED_TEST_SUITE(Matchings, test::Scalars);

TYPED_TEST(Matchings, HaveTheLargestProduct) {
  using T = TypeParam;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Index n = 2 + static_cast<Index>(seed % 6);
    const Csc<T> a =
        to_csc(CsrView<T>(test::random_matrix<T>({.n = n, .per_row = 2, .seed = seed})));
    const test::Dense d = test::dense(CsrView<T>(to_csr(CscView<T>(a))));
    const ScaledMatching m = find_matching(view_of(a));
    ASSERT_EQ(m.row.size(), static_cast<std::size_t>(n)) << seed;
    double product = 1;
    for (Index j = 0; j < n; ++j) product *= std::abs(d(m.row[j], j));
    EXPECT_NEAR(product / largest_product(d), 1, 1e-5) << seed;
  }
}

TYPED_TEST(Matchings, ScaleTheMatchedEntriesToOneAndOthersBelowTwo) {
  using T = TypeParam;
  Csr<T> rows = test::random_to_pivot<T>(200, 6);
  for (std::size_t k = 0; k < rows.value.size(); ++k)
    rows.value[k] *= static_cast<Real<T>>(std::exp2(static_cast<double>(k % 41) - 20));
  const SortedInput<T> a(MatrixView<T>(CsrView<T>(rows)), Half::both, Order::columns);
  const ScaledMatching m = find_matching(a.view());
  ASSERT_FALSE(m.row.empty());
  const Csc<T> b = apply_matching(a.view(), m);
  for (Index j = 0; j < b.cols; ++j) {
    bool has_diagonal = false;
    for (Offset p = b.start[j]; p < b.start[j + 1]; ++p) {
      EXPECT_TRUE(p == b.start[j] || b.index[p - 1] < b.index[p]);
      EXPECT_LE(std::abs(b.value[p]), 2.0001);
      if (b.index[p] != j) continue;
      has_diagonal = true;
      EXPECT_GE(std::abs(b.value[p]), 0.4999);
    }
    EXPECT_TRUE(has_diagonal) << j;
  }
}

TEST(Matching, FollowsPathsThroughMatchedColumns) {
  // Columns 1 and 2 both want row 1; column 3 only has row 2.
  const auto a = to_csc(CsrView<double>(test::picture<double>(R"( 5 4 .
                                                                  3 1 9
                                                                  . 2 . )")));
  EXPECT_EQ(find_matching(view_of(a)).row, (std::vector<Index>{0, 2, 1}));
}

TEST(Matching, IsEmptyWhereThereIsNone) {
  const auto a = to_csc(CsrView<double>(test::picture<double>(R"( 5 . .
                                                                  3 . .
                                                                  1 2 4 )")));
  EXPECT_TRUE(find_matching(view_of(a)).row.empty());
  Csc<double> zero = a;
  for (double& v : zero.value) v = 0;
  EXPECT_TRUE(find_matching(view_of(zero)).row.empty());
  EXPECT_EQ(refusal([&] { factor_umfpack(a, {.match = true}); }).code, ErrorCode::singular);
}

TEST(Matching, GivesUpAfterTooManyLooks) {
  const auto a = to_csc(CsrView<double>(test::random_to_pivot<double>(300, 8)));
  EXPECT_TRUE(find_matching(view_of(a), 1).row.empty());
  EXPECT_FALSE(find_matching(view_of(a)).row.empty());
}

TYPED_TEST(Matchings, LeadToFactorsOfTheMatrix) {
  using T = TypeParam;
  for (const char* const package : {"umfpack", "superlu", "klu"}) {
    if (!test::has_package(package)) continue;
    for (const Index n : {1, 2, 40, 150}) {
      const Csr<T> a = test::random_to_pivot<T>(n, std::min<Index>(n - 1, 5));
      for (const Ordering order : {Ordering::automatic, Ordering::metis, Ordering::natural}) {
        const Factors<T> f =
            factor_by_name<T>(package, a, {.order = order, .pivot_threshold = 0.1, .match = true});
        EXPECT_LT(test::factor_error<T>(a, f), 8) << package << ' ' << n << ' ' << name(order);
        test::expect_well_formed(f);
        EXPECT_TRUE(f.ordering.ends_with(" of matched rows")) << f.ordering;
      }
    }
  }
}

TEST(LongestChains, AreCountedInColumnsAndInPanels) {
  if (!test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD here";
  const auto chain = generate<double>("laplace2d:50x1");
  EXPECT_EQ(find_solve_cost(factor_cholmod(chain, {.order = Ordering::natural})).chain, 100);
  for (const bool simplicial : {false, true}) {
    const auto f = factor_cholmod(generate<double>("laplace2d:20"),
                                  {.order = Ordering::natural, .simplicial = simplicial});
    EXPECT_EQ(find_solve_cost(f).chain, 2 * 400) << simplicial;
  }
}

}  // namespace
}  // namespace echelon
