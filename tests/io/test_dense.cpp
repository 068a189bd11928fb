// tests/io/test_dense.cpp -- array files, as matrices and as vectors.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <complex>

#include "io/temp_files.hpp"
#include "support/pictures.hpp"

namespace echelon::test {
namespace {

using Complex = std::complex<double>;

std::string banner(const std::string& field, const std::string& symmetry) {
  return "%%MatrixMarket matrix array " + field + " " + symmetry + "\n";
}

template <Scalar T>
DenseArray<T> read_vectors(const std::string& bytes) {
  const TempFolder folder;
  return read_array<T>(folder.write("a.mtx", bytes));
}

TEST(Dense, AnArrayIsListedByColumns) {
  const auto x = read_vectors<double>(banner("real", "general") + "3 2\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.cols, 2);
  EXPECT_EQ(x.value, (Buffer<double>{1, 2, 3, 4, 5, 6}));
}

TEST(Dense, AMatrixOfAnArrayHasFullRowsZerosAndAll) {
  const auto a = read_text<float>(banner("integer", "general") + "2 3\n1\n2\n0\n4\n5\n6\n");
  expect_same(a, picture<float>("1 0 5\n2 4 6"));
}

TEST(Dense, SymmetricArraysStoreTheLowerTriangle) {
  const auto a = read_text<double>(banner("real", "symmetric") + "3 3\n1\n2\n3\n4\n5\n6\n");
  expect_same(a, picture<double>("1 2 3\n2 4 5\n3 5 6"));
  const auto b = read_text<double>(banner("real", "skew-symmetric") + "3 3\n1\n2\n3\n");
  expect_same(b, picture<double>("0 -1 -2\n1 0 -3\n2 3 0"));
  const auto c = read_text<Complex>(banner("complex", "hermitian") + "2 2\n1 0\n2 3\n4 0\n");
  EXPECT_EQ(full(c), (std::vector<std::vector<Complex>>{{1, {2, -3}}, {{2, 3}, 4}}));
}

TEST(Dense, EmptyArrays) {
  EXPECT_EQ(read_vectors<double>(banner("real", "general") + "0 3\n").cols, 3);
  EXPECT_EQ(read_vectors<double>(banner("real", "general") + "3 0").rows, 3);
  EXPECT_EQ(read_vectors<double>(banner("real", "skew-symmetric") + "1 1\n").value,
            Buffer<double>{0});
}

TEST(Dense, ASparseFileIsMadeDense) {
  const auto x =
      read_vectors<double>("%%MatrixMarket matrix coordinate real general\n3 2 2\n2 1 5\n3 2 6\n");
  EXPECT_EQ(x.value, (Buffer<double>{0, 5, 0, 0, 0, 6}));
}

TEST(Dense, ASparseFileThatIsTooLargeIsNotMadeDense) {
  const TempFolder folder;
  const auto path = folder.write(
      "a.mtx", "%%MatrixMarket matrix coordinate real general\n100000 100000 1\n1 1 5\n");
  EXPECT_EQ(refusal(ErrorCode::bad_file, folder.path(), [&] { read_array<double>(path); }),
            "a.mtx:2: 100000 by 100000 is too large for a dense array from a file of 68 bytes");
}

TEST(Dense, RefusesAWrongLine) {
  const std::string real = banner("real", "general");
  EXPECT_EQ(refused<double>(real + "2 2\n1\n2\n3\n"),
            "a.mtx:5: the file ends after 3 of 4 entries");
  EXPECT_EQ(refused<double>(real + "2 1\n1\n2\n3\n"),
            "a.mtx:5: more entries than the 2 of the header");
  EXPECT_EQ(refused<double>(real + "2 1\n1 2\n3\n"), "a.mtx:3: unexpected '2' after the entry");
  EXPECT_EQ(refused<double>(real + "2 1\n1\nx\n"), "a.mtx:4: expected a number, found 'x'");
  EXPECT_EQ(refused<Complex>(banner("complex", "hermitian") + "2 2\n1 0\n\n2 3\n4 1\n"),
            "a.mtx:6: entry (2, 2) is on the diagonal of a Hermitian matrix and not real");
}

}  // namespace
}  // namespace echelon::test
