// tests/base/test_vector_unit.cpp -- the available vector units; sums and products of each.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/gemm.hpp"
#include "base/read_sum.hpp"
#include "base/vector_unit.hpp"
#include "echelon/buffer.hpp"
#include "support/random_matrix.hpp"
#include "support/refusal.hpp"

namespace echelon {
namespace {

TEST(VectorUnits, AutomaticIsTheWidestOfThem) {
  ASSERT_FALSE(vector_units().empty());
  EXPECT_EQ(find_vector_unit(), vector_units().back());
  for (const VectorUnit unit : vector_units()) EXPECT_EQ(find_vector_unit(unit), unit);
}

TEST(VectorUnits, OneThatIsNotThereIsRefusedWithThoseThatAre) {
#ifdef __aarch64__
  constexpr VectorUnit foreign = VectorUnit::avx2;
#else
  constexpr VectorUnit foreign = VectorUnit::neon;
#endif
  const std::string text = test::refusal([] { find_vector_unit(foreign); }).text;
  EXPECT_NE(text.find(std::string("no vector unit ") + name(foreign)), std::string::npos) << text;
  for (const VectorUnit unit : vector_units())
    EXPECT_NE(text.find(name(unit)), std::string::npos) << text;
}

TEST(ReadSum, OfEveryUnitAddsUpAllThereIs) {
  Buffer<double> values(64 * 37);
  std::iota(values.begin(), values.end(), 1.0);  // integers: exact in any order
  const auto count = static_cast<double>(values.size());
  for (const VectorUnit unit : vector_units()) {
    EXPECT_EQ(read_sum(unit)(values.data(), values.size()), count * (count + 1) / 2) << name(unit);
    EXPECT_EQ(read_sum(unit)(values.data(), 0), 0) << name(unit);
  }
}

template <class T>
class UnitGemm : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(UnitGemm, Scalars);

constexpr Index margin = 3;  // rows between columns

template <class T>
struct Product {
  Product(Index m_, Index n_, Index k_)
      : m(m_), n(n_), k(k_), a(random(m_, k_, 3)), b(random(k_, n_, 4)), c(random(m_, n_, 5)) {}
  static std::vector<T> random(Index rows, Index columns, unsigned seed) {
    return test::random_vector<T>(static_cast<std::size_t>(rows + margin) * columns, seed);
  }
  // The rows [begin, end) of C -= A B.
  void run(VectorUnit unit, Index begin, Index end) {
    GemmSpace<Real<T>> space;
    space.unit = unit;
    gemm<T>({end - begin, n, k, -1, a.data() + begin, m + margin, b.data(), k + margin,
             c.data() + begin, m + margin},
            space);
  }
  T& at(std::vector<T>& v, Index rows, Index i, Index j) {
    return v[static_cast<std::size_t>(j) * (rows + margin) + i];
  }
  Index m, n, k;
  std::vector<T> a, b, c;
};

// Sizes that cut tiles at every edge, and pieces of k, rows and columns.
constexpr Index shapes[][3] = {{1, 1, 1},   {3, 2, 5},    {24, 8, 16},  {25, 9, 17}, {47, 23, 300},
                               {70, 13, 3}, {200, 7, 40}, {5, 520, 11}, {64, 64, 64}};

TYPED_TEST(UnitGemm, MultipliesLikePlainLoops) {
  using T = TypeParam;
  const auto eps = static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  for (const VectorUnit unit : vector_units())
    for (const auto& [m, n, k] : shapes) {
      Product<T> p(m, n, k);
      Product<T> wanted = p;
      p.run(unit, 0, m);
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m + margin; ++i) {
          T& c = wanted.at(wanted.c, m, i, j);
          for (Index q = 0; q < k && i < m; ++q)
            c -= wanted.at(wanted.a, m, i, q) * wanted.at(wanted.b, k, q, j);
          ASSERT_LE(std::abs(p.at(p.c, m, i, j) - c), 8 * (k + 2) * eps)
              << name(unit) << ' ' << m << ' ' << n << ' ' << k;
        }
    }
}

TYPED_TEST(UnitGemm, GivesTheSameBitsHoweverItsRowsAreCut) {
  using T = TypeParam;
  for (const VectorUnit unit : vector_units())
    for (const auto& [m, n, k] : shapes) {
      Product<T> whole(m, n, k), cut = whole;
      whole.run(unit, 0, m);
      cut.run(unit, 0, m / 3);
      cut.run(unit, m / 3, m);
      EXPECT_EQ(whole.c, cut.c) << name(unit) << ' ' << m << ' ' << n << ' ' << k;
    }
}

#ifdef __x86_64__
TYPED_TEST(UnitGemm, GivesTheSameBitsOnUnitsThatFuse) {
  using T = TypeParam;
  if (find_vector_unit() != VectorUnit::avx512) GTEST_SKIP() << "this machine has no avx512";
  for (const auto& [m, n, k] : shapes) {
    Product<T> narrow(m, n, k), wide = narrow;
    narrow.run(VectorUnit::avx2, 0, m);
    wide.run(VectorUnit::avx512, 0, m);
    EXPECT_EQ(narrow.c, wide.c) << m << ' ' << n << ' ' << k;
  }
}
#endif

}  // namespace
}  // namespace echelon
