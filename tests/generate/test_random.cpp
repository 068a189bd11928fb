// tests/generate/test_random.cpp -- random and dense matrices: uniform, dominant, repeatable.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "echelon/generate.hpp"
#include "generate/counts.hpp"
#include "generate/random.hpp"

namespace echelon {
namespace {

template <Scalar T>
bool equal(const Csr<T>& a, const Csr<T>& b) {
  return a.start == b.start && a.index == b.index && a.value == b.value;
}

TEST(Random, HasTheNumberOfEntriesAskedForInEachRow) {
  const auto a = generate<double>("random:500:7:3");
  EXPECT_EQ(a.rows, 500);
  EXPECT_EQ(a.nonzeros(), 500 * 8);
  EXPECT_TRUE(test::rows_rise(a));
  EXPECT_NO_THROW(check_pattern(a.pattern()));
  for (Index i = 0; i < 500; ++i) EXPECT_EQ(a.start[i + 1] - a.start[i], 8);
}

TEST(Random, SmallMatricesAreFull) {
  for (const char* spec : {"random:4:3", "random:4:8", "random:4:1000000"}) {
    const auto a = generate<double>(spec);
    EXPECT_EQ(a.index, (Buffer<Index>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3})) << spec;
  }
  EXPECT_EQ(generate<double>("random:1").value, (Buffer<double>{1}));
  EXPECT_EQ(generate<double>("random:3:0").value, (Buffer<double>{1, 1, 1}));
}

TEST(Random, TheDiagonalExceedsItsRowByOne) {
  const auto a = generate<double>("random:300:20:9");
  EXPECT_NEAR(test::least_dominance(a), 1, 1e-13);
  for (Index i = 0; i < a.rows; ++i) {
    const auto row = a.pattern().list(i);
    EXPECT_TRUE(std::binary_search(row.begin(), row.end(), i));
  }
}

TEST(Random, EveryColumnIsDrawnAboutEquallyOften) {
  const auto a = generate<float>("random:2000:50:1");
  std::vector<int> drawn(2000, -1);  // not counting the diagonal
  for (const Index j : a.index) ++drawn[j];
  // Mean 50, standard deviation 7: a deviation of nine times that is no coincidence.
  for (const int count : drawn) EXPECT_NEAR(count, 50, 63);
  EXPECT_NEAR(static_cast<double>(test::lower_entries(a)) - 2000, 50000, 1500);
}

// Any machine, any compiler, any number of threads: exactly these numbers.
TEST(Random, TheNumbersAreThoseOfTheSeed) {
  const auto a = generate<double>("random:6:2:7");
  EXPECT_EQ(a.index, (Buffer<Index>{0, 2, 5, 0, 1, 5, 0, 1, 2, 1, 2, 3, 1, 3, 4, 0, 3, 5}));
  EXPECT_EQ(a.value[3], -0x1.3cb51d97d1b78p-4);
  EXPECT_EQ(a.value[17], 0x1.3f24d6936fb8ep+0);
}

TEST(Random, AnotherSeedIsAnotherMatrix) {
  const auto a = generate<double>("random:100:5:1");
  EXPECT_TRUE(equal(a, generate<double>("random:100:5")));
  EXPECT_FALSE(equal(a, generate<double>("random:100:5:2")));
  EXPECT_FALSE(equal(a, generate<double>("random:100:5:0")));
}

TEST(Random, AnyNumberOfThreadsGivesTheSameMatrix) {
  const ThreadLimit one(1);
  const auto alone = generate<double>("random:20000:6:5");
  const auto dense_alone = generate<double>("dense:300");
  for (const Index team : {2, 3, 5}) {
    const ThreadLimit limit(team);
    EXPECT_TRUE(equal(generate<double>("random:20000:6:5"), alone));
    EXPECT_TRUE(equal(generate<double>("dense:300"), dense_alone));
  }
}

TEST(Random, AllScalarsGetTheSameRealNumbers) {
  const auto a = generate<double>("random:50:4:2");
  const auto f = generate<float>("random:50:4:2");
  const auto c = generate<std::complex<float>>("random:50:4:2");
  const auto z = generate<std::complex<double>>("random:50:4:2");
  EXPECT_EQ(a.index, f.index);
  for (std::size_t p = 0; p < a.value.size(); ++p) {
    EXPECT_EQ(f.value[p], static_cast<float>(a.value[p]));
    EXPECT_EQ(c.value[p], std::complex<float>(f.value[p]));
    EXPECT_EQ(z.value[p], std::complex<double>(a.value[p]));
  }
}

TEST(Dense, StoresEveryEntry) {
  const auto a = generate<double>("dense:3");
  EXPECT_EQ(a.start, (Buffer<Offset>{0, 3, 6, 9}));
  EXPECT_EQ(a.index, (Buffer<Index>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
  for (const Index p : {0, 4, 8}) EXPECT_EQ(a.value[p], 2);
  for (const Index p : {1, 2, 3, 5, 6, 7}) EXPECT_LT(std::abs(a.value[p]), 1.0 / 3);
}

TEST(Dense, IsDominantAndSolvesWithoutGrowth) {
  const auto a = generate<double>("dense:1200");
  EXPECT_EQ(a.nonzeros(), 1200 * 1200);
  EXPECT_EQ(test::lower_entries(a), 1200 * 1201 / 2);
  EXPECT_EQ(test::lower_levels(a), 1200);
  EXPECT_GT(test::least_dominance(a), 1);
  std::vector<double> x(1200);
  for (Index i = 0; i < 1200; ++i) {
    double sum = 1;
    for (Index j = 0; j < i; ++j) sum -= a.value[Offset{i} * 1200 + j] * x[j];
    x[i] = sum / a.value[Offset{i} * 1200 + i];
    EXPECT_LT(std::abs(x[i]), 1);
  }
}

}  // namespace
}  // namespace echelon
