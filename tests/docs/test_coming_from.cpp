// tests/docs/test_coming_from.cpp -- our code on the pages of docs/coming_from and in README.md.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>
#include <vector>

#include "echelon/echelon.hpp"
#include "support/device.hpp"

namespace echelon {
namespace {

// A matrix as other libraries hold it: 32 bits, counted from `base`.
struct Foreign {
  int n;
  std::vector<int> start, index;
  std::vector<double> value;

  explicit Foreign(const Csr<double>& a, int base = 0)
      : n(a.rows), start(a.start.begin(), a.start.end()), value(a.value.begin(), a.value.end()) {
    for (int& s : start) s += base;
    for (const Index j : a.index) index.push_back(j + base);
  }
};

Csr<double> grid() { return generate<double>("laplace2d:12x9:5"); }
Csr<double> lower_grid() { return extract_triangle<double>(grid(), Uplo::lower); }

std::vector<double> ones(Index n, double value = 1) {
  return std::vector<double>(static_cast<std::size_t>(n), value);
}

// Largest |alpha b - op(M) x| of the triangle of a plain loop; unit: the diagonal is taken as 1.
double lower_residual(const Csr<double>& a, const std::vector<double>& b,
                      const std::vector<double>& x, bool unit = false) {
  double largest = 0;
  for (Index i = 0; i < a.rows; ++i) {
    double sum = b[i] - (unit ? x[i] : 0);
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] < i || (a.index[p] == i && !unit)) sum -= a.value[p] * x[a.index[p]];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

double full_error(const Csr<double>& a, const std::vector<double>& b,
                  const std::vector<double>& x) {
  return find_backward_errors<double>(a, Vectors<const double>(b.data(), a.rows),
                                      Vectors<const double>(x.data(), a.rows))
      .componentwise;
}

// --- cuSPARSE ---------------------------------------------------------------------------------

void solve_as_spsv(int n, const int* row_offsets, const int* columns, const double* values,
                   std::span<const double> new_values, double alpha, const double* b, double* x,
                   void* stream) {
  // [doc cusparse
  const auto a = echelon::csr_arrays(n, n, row_offsets, columns, values);  // on the host
  echelon::Solver solver(echelon::lower(a.view()), {.backend = echelon::Backend::cuda});

  const echelon::Vectors<const double> right(b, n);  // device memory, or host memory
  const echelon::Vectors<double> answer(x, n);
  solver.solve(right, answer, {.alpha = alpha, .stream = stream});  // does not wait

  solver.update(new_values);  // same pattern, in the order of the stored entries
  solver.solve(right, answer, {.alpha = alpha, .stream = stream});
  // doc]
}

TEST(ComingFromCusparse, SolvesOnTheDeviceOrSaysThatThereIsNone) {
  const Csr<double> l = lower_grid();
  const Foreign a(l);
  std::vector<double> twice(a.value);
  for (double& v : twice) v *= 2;
  const std::vector<double> b = ones(a.n);
  std::vector<double> x = ones(a.n, 0);
  const auto run = [&] {
    solve_as_spsv(a.n, a.start.data(), a.index.data(), a.value.data(), twice, 2.0, b.data(),
                  x.data(), nullptr);
  };
  if (!test::has_device()) {
    try {
      run();
      FAIL() << "there is no device";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::backend_missing);
    }
    return;
  }
  run();  // 2 L x = 2 b
  EXPECT_LT(lower_residual(l, b, x), 1e-13);
}

void solve_as_spsm(const Solver<double>& solver, const double* b, double* x, int n, int count,
                   int ldb, int ldx) {
  // [doc spsm
  const echelon::Vectors<const double> right(b, n, count, ldb, echelon::Layout::row_major);
  const echelon::Vectors<double> answer(x, n, count, ldx, echelon::Layout::row_major);
  solver.solve(right, answer);
  // doc]
}

TEST(ComingFromCusparse, SolvesSeveralRightHandSides) {
  const Csr<double> l = lower_grid();
  const Solver solver(lower(l));
  const Index n = l.rows;
  std::vector<double> b = ones(3 * n), x = ones(4 * n, 7);
  for (Index i = 0; i < n; ++i) b[3 * i + 1] = i;
  solve_as_spsm(solver, b.data(), x.data(), n, 2, 3, 4);
  std::vector<double> first(n), second(n), right(n);
  for (Index i = 0; i < n; ++i) {
    first[i] = x[4 * i];
    second[i] = x[4 * i + 1];
    right[i] = i;
    EXPECT_EQ(x[4 * i + 2], 7);  // between the rows nothing is written
  }
  EXPECT_LT(lower_residual(l, ones(n), first), 1e-13);
  EXPECT_LT(lower_residual(l, right, second), 1e-10);
}

void solve_as_csrsv2(int n, const int* ia, const int* ja, const double* values,
                     std::span<const double> b, std::span<double> x, std::ostream& log) {
  // [doc csrsv2
  const auto a = echelon::csr_arrays(n, n, ia, ja, values, 1);  // counted from 1, both triangles
  try {
    const echelon::Solver solver(
        echelon::lower(a.view(), {.outside = echelon::OutsideEntries::ignore}));
    solver.solve(b, x);
  } catch (const echelon::Error& error) {
    if (error.code() != echelon::ErrorCode::zero_diagonal) throw;
    log << "zero pivot in row " << error.row() << '\n';  // counted from 0
  }
  // doc]
}

TEST(ComingFromCsrsv2, ReadsOneTriangleAndNamesAZeroPivot) {
  const Csr<double> whole = grid();
  Foreign a(whole, 1);
  const std::vector<double> b = ones(a.n);
  std::vector<double> x = ones(a.n, 0);
  std::ostringstream log;
  solve_as_csrsv2(a.n, a.start.data(), a.index.data(), a.value.data(), b, x, log);
  EXPECT_LT(lower_residual(whole, b, x), 1e-13);
  EXPECT_EQ(log.str(), "");
  for (int p = a.start[5] - 1; p < a.start[6] - 1; ++p)
    if (a.index[p] == 6) a.value[p] = 0;
  solve_as_csrsv2(a.n, a.start.data(), a.index.data(), a.value.data(), b, x, log);
  EXPECT_EQ(log.str(), "zero pivot in row 5\n");
}

// --- libraries on CPUs and others ---------------------------------------------------------------

TEST(ComingFromKokkosKernels, SolvesInTwoPhases) {
  const Csr<double> l = lower_grid();
  const std::vector<double> b = ones(l.rows);
  std::vector<double> x = ones(l.rows, 0), new_values(l.value.begin(), l.value.end());
  new_values[0] = 8;
  // [doc kokkos
  const echelon::Analysis analysis(echelon::lower(l));          // sptrsv_symbolic
  echelon::Solver<double> solver(analysis, echelon::lower(l));  // values, once
  solver.solve(b, x);                                           // sptrsv_solve
  solver.update(new_values);                                    // other values, same pattern
  solver.solve(b, x);
  // doc]
  Csr<double> changed = l;
  changed.value[0] = 8;
  EXPECT_LT(lower_residual(changed, b, x), 1e-13);
}

TEST(ComingFromKokkosKernels, SolvesWithSupernodes) {
  const std::vector<std::string> packages = factor_packages();
  if (std::find(packages.begin(), packages.end(), "superlu") == packages.end())
    GTEST_SKIP() << "this build has no SuperLU";
  const Csr<double> a = grid();
  const std::vector<double> b = ones(a.rows);
  std::vector<double> x = ones(a.rows, 0);
  // [doc kokkos_supernodal
  const echelon::DirectSolver<double> solver(echelon::factor_superlu(a),
                                             {.method = echelon::Method::invert_off});
  solver.solve(b, x);  // A x = b, with the permutations
  // doc]
  EXPECT_LT(full_error(a, b, x), 1e-13);
}

TEST(ComingFromGinkgo, SolvesWithAUnitDiagonalByRows) {
  const Csr<double> l = lower_grid();
  const Index n = l.rows, k = 2, stride = 2;
  const std::vector<double> b = ones(n * k);
  std::vector<double> x = ones(n * k, 0);
  // [doc ginkgo
  const echelon::Solver solver(echelon::lower(l, {.diagonal = echelon::Diagonal::unit}));
  const echelon::Vectors<const double> right(b.data(), n, k, stride, echelon::Layout::row_major);
  const echelon::Vectors<double> answer(x.data(), n, k, stride, echelon::Layout::row_major);
  solver.solve(right, answer);
  // doc]
  std::vector<double> first;
  for (Index i = 0; i < n; ++i) first.push_back(x[i * k]);
  EXPECT_LT(lower_residual(l, ones(n), first, true), 1e-9);
}

TEST(ComingFromMkl, SolvesWithAlphaAndATranspose) {
  const Csr<double> whole = grid();
  const std::vector<double> b = ones(whole.rows);
  std::vector<double> x = ones(whole.rows, 0), y = x;
  const double alpha = 0.5;
  // [doc mkl
  const echelon::Solver solver(echelon::lower(whole, {.outside = echelon::OutsideEntries::ignore}),
                               {.expected_solves = 500});  // the hint, and optimize
  solver.solve(b, x, {.alpha = alpha});                    // L x = alpha b
  solver.solve(b, y, {.op = echelon::Op::transpose});      // L' y = b
  // doc]
  EXPECT_LT(lower_residual(whole, ones(whole.rows, 0.5), x), 1e-13);
  double scale = 0, left = 0, right = 0;  // (L x)' y = x' (L' y)
  for (Index i = 0; i < whole.rows; ++i) {
    left += alpha * y[i];
    right += x[i];
    scale += std::abs(x[i]);
  }
  EXPECT_NEAR(left, right, 1e-12 * scale);
}

TEST(ComingFromScipy, SolvesInPlace) {
  const Csr<double> l = lower_grid();
  std::vector<double> b = ones(l.rows);
  // [doc scipy
  const echelon::Solver solver(echelon::lower(l));
  const std::vector<double> x = solver.solve(b);
  solver.solve(b, b);  // as overwrite_b=True
  // doc]
  EXPECT_EQ(x, b);
  EXPECT_LT(lower_residual(l, ones(l.rows), x), 1e-13);
}

TEST(ComingFromCudss, SolvesInPhases) {
  const std::vector<std::string> packages = factor_packages();
  if (std::find(packages.begin(), packages.end(), "cholmod") == packages.end())
    GTEST_SKIP() << "this build has no CHOLMOD";
  const Csr<double> a = grid();
  Csr<double> new_a = a;
  for (double& v : new_a.value) v *= 4;
  const std::vector<double> b = ones(a.rows);
  std::vector<double> x = ones(a.rows, 0), y = x, z = x;
  const Options options;
  // [doc cudss
  echelon::DirectSolver<double> solver(echelon::factor_cholmod(a), options);
  solver.solve(b, x);                                  // CUDSS_PHASE_SOLVE
  solver.solve(b, y, {.part = echelon::Part::lower});  // CUDSS_PHASE_SOLVE_FWD
  solver.solve(y, z, {.part = echelon::Part::upper});  // CUDSS_PHASE_SOLVE_BWD
  // doc]
  EXPECT_LT(full_error(a, b, x), 1e-13);
  // [doc cudss_update
  solver.update(echelon::factor_cholmod(new_a));  // CUDSS_PHASE_REFACTORIZATION
  const auto refined = solver.solve(new_a, echelon::Vectors<const double>(b.data(), a.rows),
                                    echelon::Vectors<double>(x.data(), a.rows));
  // doc]
  EXPECT_LT(full_error(new_a, b, x), 1e-14);
  EXPECT_LE(refined.last_error, refined.first_error);
  std::vector<double> product = ones(a.rows), w = ones(a.rows, 0);
  solver.solve(b, w, {.part = Part::triangles});  // L then U, as y and z
  for (Index i = 0; i < a.rows; ++i) EXPECT_NEAR(4 * w[i], z[i], 1e-12 * std::abs(z[i]));
}

TEST(ComingFromPetsc, SweepsAndAppliesIlu) {
  const Csr<double> a = grid();
  const std::vector<double> b = ones(a.rows);
  std::vector<double> x = ones(a.rows, 0), y = x;
  // [doc petsc_sor
  const echelon::GaussSeidel<double> smoother(
      a, {.direction = echelon::Sweep::symmetric, .omega = 1.2});
  smoother.solve(b, x, {.sweeps = 3, .guess = echelon::Guess::zero});
  // doc]
  // [doc petsc_ilu
  echelon::DirectSolver<double> preconditioner(echelon::factor_ilu0(a));
  preconditioner.solve(b, y);                      // PCApply: y = U \ (L \ b)
  preconditioner.update(echelon::factor_ilu0(a));  // the next matrix of the same pattern
  // doc]
  const auto norm = [&](const std::vector<double>& v) {
    return smoother.residual_norms(Vectors<const double>(b.data(), a.rows),
                                   Vectors<const double>(v.data(), a.rows))[0];
  };
  const double start = norm(ones(a.rows, 0));
  EXPECT_LT(norm(x), 0.7 * start);
  for (int step = 0; step < 30; ++step) {  // y += U \ (L \ (b - A y)) converges
    std::vector<double> r = ones(a.rows, 0);
    smoother.residual(Vectors<const double>(b.data(), a.rows),
                      Vectors<const double>(y.data(), a.rows), Vectors<double>(r.data(), a.rows));
    preconditioner.solve(r, r);
    for (Index i = 0; i < a.rows; ++i) y[i] += r[i];
  }
  EXPECT_LT(norm(y), 0.1 * start);
}

// --- README -----------------------------------------------------------------------------------

template <class S, class Values>
std::string show_shape(S& s, const std::vector<double>& b, std::vector<double>& x,
                       const Values& new_values) {
  std::ostringstream out;
  std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
  // clang-format off
  // [doc shape
  x = s.solve(b);                              // allocates x
  s.solve(b, x);                               // allocates nothing
  s.solve(b, x, {.part = Part::lower, .op = Op::transpose});   // L' x = b, of a factorization
  s.update(new_values);                        // same pattern, no new analysis
  std::cout << s.report();                     // method and reason, bytes, seconds
  // doc]
  // clang-format on
  std::cout.rdbuf(before);
  return out.str();
}

TEST(Readme, SolversHaveTheShapeItShows) {
  const Csr<double> a = grid();
  const std::vector<double> b = ones(a.rows);
  std::vector<double> x;
  DirectSolver<double> solver(factor_ilu0(a));
  const std::string report = show_shape(solver, b, x, factor_ilu0(a));
  EXPECT_NE(report.find("method"), std::string::npos);
  ASSERT_EQ(x.size(), b.size());
  std::vector<double> again = x;
  solver.solve(b, again, {.part = Part::lower, .op = Op::transpose});
  EXPECT_EQ(again, x);
}

}  // namespace
}  // namespace echelon
