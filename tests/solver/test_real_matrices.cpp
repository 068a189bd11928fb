// tests/solver/test_real_matrices.cpp -- solves with both triangles of every real matrix in the
// folder ECHELON_MATRICES (or shared/matrices beside the checkout), by every method.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "echelon/io.hpp"
#include "echelon/solver.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> matrix_files() {
  const char* named = std::getenv("ECHELON_MATRICES");
  const fs::path folder = named != nullptr ? fs::path(named) : fs::path(ECHELON_MATRICES_DEFAULT);
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".gz") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The matrix with a dominant diagonal: many of these have zeros on theirs, and with most triangles
// of a matrix that was not factored the solution overflows.
template <class T>
Csr<T> with_dominant_diagonal(const Csr<T>& a) {
  std::vector<Real<T>> weight(static_cast<std::size_t>(a.rows), 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      weight[i] += std::abs(a.value[p]);
      weight[a.index[p]] += std::abs(a.value[p]);
    }
  Coo<T> coo{a.rows, a.cols, {}, {}, {}};
  for (Index i = 0; i < a.rows; ++i) {
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      if (a.index[p] == i) continue;
      coo.row.push_back(i);
      coo.col.push_back(a.index[p]);
      coo.value.push_back(a.value[p]);
    }
    coo.row.push_back(i);
    coo.col.push_back(i);
    coo.value.push_back(T(weight[i]));
  }
  return to_csr(coo);
}

template <class T>
void solve_by_every_method(const fs::path& file) {
  const Csr<T> a = with_dominant_diagonal(read_matrix<T>(file));
  const auto b = test::random_vector<T>(static_cast<std::size_t>(a.rows));
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    const auto t = triangle(CsrView<T>(a), uplo, {.outside = OutsideEntries::ignore});
    for (const Method method :
         {Method::serial, Method::level_row, Method::level_column, Method::element_row,
          Method::element_column, Method::superstep, Method::automatic}) {
      Options o;
      o.method = method;
      o.cpu.threads = 2;
      EXPECT_LE(test::backward_error(t, b, Solver<T>(t, o).solve(b)), 4)
          << file.filename() << " " << name(method);
    }
  }
}

TEST(RealMatrices, AreSolvedByEveryMethod) {
  const auto files = matrix_files();
  if (files.empty()) GTEST_SKIP() << "no folder of matrices; set ECHELON_MATRICES";
  for (const auto& file : files) {
    if (read_header(file).field == Field::complex)
      solve_by_every_method<std::complex<double>>(file);
    else
      solve_by_every_method<double>(file);
  }
}

}  // namespace
}  // namespace echelon
