// tests/io/test_write.cpp -- written files read back to the same bits.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstring>
#include <limits>
#include <random>

#include "io/temp_files.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

template <class T>
class Write : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Write, Scalars);

// A random finite number of any magnitude, by its bits.
template <class R>
R any_number(std::mt19937_64& random) {
  using Bits = std::conditional_t<sizeof(R) == 4, std::uint32_t, std::uint64_t>;
  const R v = std::bit_cast<R>(static_cast<Bits>(random()));
  return std::isfinite(v) ? v : R(1);
}

template <Scalar T>
T any_scalar(std::mt19937_64& random) {
  if constexpr (is_complex<T>)
    return {any_number<Real<T>>(random), any_number<Real<T>>(random)};
  else
    return any_number<T>(random);
}

template <Scalar T>
bool same_bits(const Buffer<T>& a, const Buffer<T>& b) {
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Rows of all lengths, some empty, more entries than one block.
template <Scalar T>
Csr<T> any_matrix(Index rows, Index cols) {
  std::mt19937_64 random(11);
  Csr<T> a{rows, cols, Buffer<Offset>(1, 0), {}, {}};
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      if (random() % 100 >= static_cast<std::uint64_t>(i % 100)) continue;
      a.index.push_back(j);
      a.value.push_back(any_scalar<T>(random));
    }
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

TYPED_TEST(Write, AMatrixComesBackBitForBit) {
  const TempFolder folder;
  const auto path = folder.path() / "a.mtx";
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 0}, {3, 0}, {1, 1}, {400, 200}}) {
    const auto a = any_matrix<TypeParam>(rows, cols);
    write_matrix_market(path, a);
    const auto b = read_matrix<TypeParam>(path);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.cols, b.cols);
    EXPECT_EQ(a.start, b.start);
    EXPECT_EQ(a.index, b.index);
    EXPECT_TRUE(same_bits(a.value, b.value));
  }
}

TYPED_TEST(Write, VectorsComeBackBitForBit) {
  const TempFolder folder;
  const auto path = folder.path() / "x.mtx";
  std::mt19937_64 random(5);
  for (const auto& [rows, cols] : {std::pair<Index, Index>{0, 2}, {1, 1}, {5, 3}, {20000, 2}}) {
    DenseArray<TypeParam> x{rows, cols, {}};
    for (Offset p = 0; p < Offset{rows} * cols; ++p)
      x.value.push_back(any_scalar<TypeParam>(random));
    write_array(path, x);
    const auto y = read_array<TypeParam>(path);
    EXPECT_EQ(x.rows, y.rows);
    EXPECT_EQ(x.cols, y.cols);
    EXPECT_TRUE(same_bits(x.value, y.value));
  }
}

TEST(WriteFiles, AMatrixIsWrittenRowByRow) {
  const TempFolder folder;
  const auto path = folder.path() / "a.mtx";
  write_matrix_market(path, picture<double>("4 . .1\n. -1e300 ."));
  EXPECT_EQ(read_bytes(path),
            "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 4\n1 3 0.1\n2 2 -1e+300\n");
}

TEST(WriteFiles, VectorsMayLieInRows) {
  const TempFolder folder;
  const auto path = folder.path() / "x.mtx";
  const std::complex<float> x[] = {{1, 2}, {3, 0}, {9, 9}, {5, 6}, {7, -8}, {9, 9}};
  write_array<std::complex<float>>(path, {x, 2, 2, 3, Layout::row_major});
  EXPECT_EQ(read_bytes(path),
            "%%MatrixMarket matrix array complex general\n2 2\n1 2\n5 6\n3 0\n7 -8\n");
}

TEST(WriteFiles, InfinityAndNanComeBack) {
  const TempFolder folder;
  const auto path = folder.path() / "x.mtx";
  const double infinity = std::numeric_limits<double>::infinity();
  write_array(path, DenseArray<double>{3, 1, {infinity, -infinity, std::nan("")}});
  const auto x = read_array<double>(path);
  EXPECT_EQ(x.value[0], infinity);
  EXPECT_EQ(x.value[1], -infinity);
  EXPECT_TRUE(std::isnan(x.value[2]));
}

TEST(WriteFiles, RefusesArraysThatDoNotFit) {
  const TempFolder folder;
  const auto path = folder.path() / "a.mtx";
  auto a = picture<double>("1 2\n. 3");
  a.value.pop_back();
  EXPECT_THROW(write_matrix_market(path, a), Error);
  a = picture<double>("1 2\n. 3");
  a.index[0] = 5;
  EXPECT_THROW(write_matrix_market(path, a), Error);
  const double x[4] = {};
  EXPECT_THROW(write_array<double>(path, {x, 4, 2, 1}), Error);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(WriteFiles, RefusesAPlaceThatCannotBeWritten) {
  const TempFolder folder;
  const auto a = picture<double>("1");
  EXPECT_EQ(refusal(ErrorCode::bad_file, folder.path(),
                    [&] { write_matrix_market(folder.path() / "no/a.mtx", a); }),
            "no/a.mtx: cannot be opened for writing: No such file or directory");
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  try {
    write_matrix_market("/dev/full", a);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace echelon::test
