// bench/neighbours/eigen.cpp -- times solves with L and its transpose by Eigen and by Echelon, for
// factors that Eigen made.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: bench_eigen [RECIPE [REPEATS]]      one JSON line per factor and number of threads
#include "echelon/adapters/eigen.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCholesky>
#include <iostream>
#include <string>

#include "echelon/generate.hpp"
#include "support/clock.hpp"

namespace {

using Matrix = Eigen::SparseMatrix<double>;

Matrix make_matrix(const std::string& recipe) {
  const auto a = echelon::generate<double>(recipe);
  std::vector<Eigen::Triplet<double>> entries;
  for (echelon::Index i = 0; i < a.rows; ++i)
    for (auto p = a.start[i]; p < a.start[i + 1]; ++p)
      entries.emplace_back(i, a.index[p], a.value[p]);
  Matrix e(a.rows, a.cols);
  e.setFromTriplets(entries.begin(), entries.end());
  return e;
}

// The contenders take turns, so that a slow minute of the machine meets both.
void measure(const std::string& recipe, const std::string& factor, const Matrix& l, int threads,
             int repeats) {
  const echelon::eigen::SparseArrays arrays(l);
  const echelon::DirectSolver<double> ours(
      echelon::factors_of(echelon::lower(arrays.view()),
                          echelon::lower(arrays.view(), {.op = echelon::Op::transpose})),
      {.cpu = {.threads = threads}});
  const Eigen::VectorXd b = Eigen::VectorXd::Random(l.rows());
  Eigen::VectorXd x(l.rows()), y(l.rows());
  std::vector<double> eigen_s, echelon_s;
  for (int k = 0; k < repeats; ++k) {
    eigen_s.push_back(echelon::bench::time_of([&] {
      y = b;
      l.triangularView<Eigen::Lower>().solveInPlace(y);
      l.transpose().triangularView<Eigen::Upper>().solveInPlace(y);
    }));
    echelon_s.push_back(echelon::bench::time_of([&] {
      const std::span<const double> right(b.data(), static_cast<std::size_t>(b.size()));
      ours.solve(right, std::span<double>(x.data(), static_cast<std::size_t>(x.size())));
    }));
  }
  const double theirs = echelon::bench::middle(eigen_s), own = echelon::bench::middle(echelon_s);
  std::cout << "{\"matrix\": \"" << recipe << "\", \"factor\": \"" << factor
            << "\", \"n\": " << l.rows() << ", \"nnz\": " << l.nonZeros()
            << ", \"threads\": " << ours.report().threads << ", \"method\": \""
            << name(ours.report().method) << "\", \"repeats\": " << repeats
            << ", \"eigen_s\": " << theirs << ", \"echelon_s\": " << own
            << ", \"ratio\": " << own / theirs << ", \"difference\": " << (x - y).norm() / y.norm()
            << "}" << std::endl;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string recipe = argc > 1 ? argv[1] : "laplace3d:40:7";
  const int repeats = argc > 2 ? std::stoi(argv[2]) : 51;
  const Matrix a = make_matrix(recipe);
  const Eigen::IncompleteCholesky<double> incomplete(a);
  const Eigen::SimplicialLLT<Matrix> complete(a);
  for (const int threads : {1, 2}) {
    measure(recipe, "IncompleteCholesky", incomplete.matrixL(), threads, repeats);
    measure(recipe, "SimplicialLLT", complete.matrixL(), threads, repeats);
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
