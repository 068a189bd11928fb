// tests/matrix/test_convert.cpp -- triplets to rows, rows to columns and back, one triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <random>
#include <string>

#include "base/parallel.hpp"
#include "echelon/matrix.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

template <Scalar T, Order order>
void expect_same(const Compressed<T, order>& a, const Compressed<T, order>& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.index, b.index);
  EXPECT_EQ(a.value, b.value);
}

template <Scalar T>
Coo<T> any_triplets(Index rows, Index cols, int entries) {
  std::mt19937 random(17);
  Coo<T> a{rows, cols, {}, {}, {}};
  for (int k = 0; k < entries; ++k) {
    a.row.push_back(static_cast<Index>(random() % static_cast<unsigned>(rows)));
    a.col.push_back(static_cast<Index>(random() % static_cast<unsigned>(cols)));
    a.value.push_back(number<T>(static_cast<double>(random() % 1000) / 7, k % 5));
  }
  return a;
}

// Runs body with 1, 2, 3 and 8 threads offered.
template <class Body>
void with_threads(const Body& body) {
  for (const int threads : {1, 2, 3, 8}) {
    const ThreadLimit limit(threads);
    body(threads);
  }
}

template <class T>
class Convert : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Convert, Scalars);

TYPED_TEST(Convert, TripletsInAnyOrderBecomeSortedRows) {
  const auto want = picture<TypeParam>(R"( 4 . 1 .
                                           . . . .
                                           2 3 . 6 )");
  const auto from = [](Buffer<Index> row, Buffer<Index> col, std::initializer_list<int> value) {
    Coo<TypeParam> a{3, 4, std::move(row), std::move(col), {}};
    for (const int v : value) a.value.push_back(number<TypeParam>(v));
    return to_csr(a);
  };
  expect_same(from({0, 0, 2, 2, 2}, {0, 2, 0, 1, 3}, {4, 1, 2, 3, 6}), want);  // by rows
  expect_same(from({0, 2, 2, 0, 2}, {0, 0, 1, 2, 3}, {4, 2, 3, 1, 6}), want);  // by columns
  expect_same(from({2, 0, 2, 2, 0}, {3, 2, 1, 0, 0}, {6, 1, 3, 2, 4}), want);  // backwards
}

TYPED_TEST(Convert, TripletsAgreeWithASum) {
  const auto a = any_triplets<TypeParam>(50, 40, 3000);
  std::map<std::pair<Index, Index>, TypeParam> sum;
  for (std::size_t p = 0; p < a.row.size(); ++p) sum[{a.row[p], a.col[p]}] += a.value[p];
  const auto c = to_csr(a);
  check_pattern(c.pattern());
  ASSERT_EQ(c.nonzeros(), static_cast<Offset>(sum.size()));
  auto entry = sum.begin();
  for (Index i = 0; i < c.rows; ++i) {
    for (Offset p = c.start[i]; p < c.start[i + 1]; ++p, ++entry) {
      EXPECT_EQ(entry->first, (std::pair{i, c.index[p]}));
      EXPECT_EQ(entry->second, c.value[p]);  // the same order of additions: the same bits
    }
  }
}

TEST(ConvertTriplets, EqualEntriesAreAddedInTheirOrder) {
  const Coo<double> a{1, 2, {0, 0, 0, 0}, {1, 0, 1, 1}, {1e16, 5, 1, -1e16}};
  const auto c = to_csr(a);
  EXPECT_EQ(c.index, (Buffer<Index>{0, 1}));
  EXPECT_EQ(c.value, (Buffer<double>{5, (1e16 + 1) - 1e16}));
}

TEST(ConvertTriplets, TheNumberOfThreadsDoesNotChangeABit) {
  const auto a = any_triplets<double>(2000, 3000, 300000);
  Csr<double> first;
  with_threads([&](int threads) {
    const auto c = to_csr(a);
    if (threads == 1) first = c;
    expect_same(c, first);
    expect_same(to_csr(CscView<double>(to_csc(CsrView<double>(c)))), first);
  });
}

TEST(ConvertTriplets, EmptyMatrices) {
  EXPECT_EQ(to_csr(Coo<double>{}).start.size(), 1u);
  const auto a = to_csr(Coo<double>{3, 0, {}, {}, {}});
  EXPECT_EQ(a.start, (Buffer<Offset>{0, 0, 0, 0}));
}

TEST(ConvertTriplets, RefusesWhatIsOutOfRange) {
  const auto text = [](const Coo<double>& a) -> std::string {
    try {
      to_csr(a);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::bad_argument);
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(text({2, 3, {0, 2}, {0, 0}, {1, 1}}), "triplet 1 has row 2, outside 0 to 1");
  EXPECT_EQ(text({2, 3, {0, 1}, {-1, 3}, {1, 1}}), "triplet 0 has column -1, outside 0 to 2");
  EXPECT_EQ(text({2, 3, {0}, {0, 1}, {1, 1}}), "triplets need as many rows as columns and values");
}

// The first invalid entry is named, for any number of threads.
TEST(ConvertTriplets, RefusesTheFirstThatIsOutOfRange) {
  auto a = any_triplets<double>(2000, 3000, 300000);
  a.row[100000] = 2000;
  a.row[250000] = -7;
  with_threads([&](int) {
    try {
      to_csr(a);
      FAIL();
    } catch (const Error& e) {
      EXPECT_STREQ(e.what(), "triplet 100000 has row 2000, outside 0 to 1999");
    }
  });
}

TYPED_TEST(Convert, RowsToColumnsAndBack) {
  const auto a = picture<TypeParam>(R"( 4 . .
                                        . 5 .
                                        1 . 6
                                        . 2 . )");
  const auto c = to_csc(CsrView<TypeParam>(a));
  EXPECT_EQ(c.start, (Buffer<Offset>{0, 2, 4, 5}));
  EXPECT_EQ(c.index, (Buffer<Index>{0, 2, 1, 3, 2}));
  EXPECT_EQ(c.value[1], number<TypeParam>(1));
  expect_same(to_csr(CscView<TypeParam>(c)), a);
}

TEST(ConvertColumns, ListsComeOutSortedAndDuplicatesStay) {
  const Csr<double> a{2, 3, {0, 3, 4}, {2, 0, 2}, {1, 2, 3}};
  Csr<double> unsorted{2, 3, {0, 3, 4}, {2, 0, 2, 2}, {1, 2, 3, 4}};
  const auto c = to_csc(CsrView<double>(unsorted));
  EXPECT_EQ(c.start, (Buffer<Offset>{0, 1, 1, 4}));
  EXPECT_EQ(c.index, (Buffer<Index>{0, 0, 0, 1}));
  EXPECT_EQ(c.value, (Buffer<double>{2, 1, 3, 4}));
  EXPECT_THROW(to_csc(CsrView<double>(a)), Error);  // start and index do not fit
  unsorted.value.pop_back();
  EXPECT_THROW(to_csc(CsrView<double>(unsorted)), Error);
  EXPECT_THROW(extract_triangle(CsrView<double>(unsorted), Uplo::lower), Error);
}

TYPED_TEST(Convert, OneTriangle) {
  const auto a = picture<TypeParam>(R"( 4 7 .
                                        . 5 8
                                        1 . 6 )");
  expect_same(extract_triangle(CsrView<TypeParam>(a), Uplo::lower), picture<TypeParam>(R"( 4 . .
                                                                                           . 5 .
                                                                                           1 . 6 )"));
  expect_same(extract_triangle(CsrView<TypeParam>(a), Uplo::upper), picture<TypeParam>(R"( 4 7 .
                                                                                           . 5 8
                                                                                           . . 6 )"));
}

}  // namespace
}  // namespace echelon::test
