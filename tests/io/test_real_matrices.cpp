// tests/io/test_real_matrices.cpp -- reads a folder of real matrices and compares with the table in
// its README.
// SPDX-License-Identifier: BSD-3-Clause
//
// The environment variable ECHELON_MATRICES names the folder; default: beside the checkout.
// Skipped if it is missing.  The table has the columns file, n, nnz, stored, field, ...
#include <gtest/gtest.h>

#include <complex>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "io/temp_files.hpp"

namespace echelon::test {
namespace {

std::filesystem::path matrices_folder() {
  const char* named = std::getenv("ECHELON_MATRICES");
  return named != nullptr ? named : ECHELON_MATRICES_FOLDER;
}

struct Listed {
  std::string file;
  Offset n = 0;
  Offset nonzeros = 0;
  Offset stored = 0;
  std::string field;
};

std::vector<Listed> read_table(const std::filesystem::path& readme) {
  std::vector<Listed> table;
  std::ifstream in(readme);
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::vector<std::string> cell;
    for (std::string text; std::getline(cells, text, '|');) {
      const auto begin = text.find_first_not_of(' ');
      const auto end = text.find_last_not_of(' ');
      cell.push_back(begin == std::string::npos ? "" : text.substr(begin, end - begin + 1));
    }
    if (cell.size() < 6 || !cell[1].ends_with(".gz")) continue;
    table.push_back(
        {cell[1], std::stoll(cell[2]), std::stoll(cell[3]), std::stoll(cell[4]), cell[5]});
  }
  return table;
}

TEST(RealMatrices, HaveTheSizesTheirTableLists) {
  const auto folder = matrices_folder();
  if (!std::filesystem::exists(folder / "README.md"))
    GTEST_SKIP() << "no matrices in " << folder << "; name a folder in ECHELON_MATRICES";
  const auto table = read_table(folder / "README.md");
  EXPECT_FALSE(table.empty());
  for (const Listed& listed : table) {
    SCOPED_TRACE(listed.file);
    const FileHeader h = read_header(folder / listed.file);
    const auto a = read_matrix<std::complex<double>>(folder / listed.file);
    check_pattern(a.pattern());
    EXPECT_EQ(a.rows, listed.n);
    EXPECT_EQ(a.cols, listed.n);
    EXPECT_EQ(a.nonzeros(), listed.nonzeros);
    EXPECT_EQ(h.entries, listed.stored);
    EXPECT_EQ(name(h.field), listed.field);
    EXPECT_TRUE(h.gzip);
    if (h.field == Field::complex) continue;
    const auto real = read_matrix<double>(folder / listed.file, {.threads = 1});
    EXPECT_EQ(real.index, a.index);
    EXPECT_TRUE(std::equal(real.value.begin(), real.value.end(), a.value.begin(),
                           [](double x, std::complex<double> y) { return x == y; }));
  }
}

}  // namespace
}  // namespace echelon::test
