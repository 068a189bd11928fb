// tests/smoother/test_convergence.cpp -- sweeps converge, and speed up conjugate gradients, as in
// theory for the five-point Laplacian.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Young (1971): on an m by m grid, h = 1/(m+1), a Gauss-Seidel sweep reduces the error
// by cos^2(pi h), a sweep with omega = 2/(1 + sin(pi h)) by omega - 1.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "echelon/generate.hpp"
#include "echelon/smoother.hpp"
#include "support/random_matrix.hpp"

namespace echelon {
namespace {

using Vector = std::vector<double>;

Csr<double> grid(Index m) { return generate<double>("laplace2d:" + std::to_string(m) + ":5"); }
double best_omega(Index m) { return 2 / (1 + std::sin(std::numbers::pi / (m + 1))); }

GaussSeidel<double> make_smoother(const Csr<double>& a, Sweep direction, double omega) {
  SmootherOptions o;
  o.direction = direction;
  o.omega = omega;
  o.solver.cpu.threads = 2;
  return GaussSeidel<double>(a, o);
}

TEST(Convergence, AGaussSeidelSweepReducesTheErrorByCosineSquared) {
  constexpr Index m = 20;
  const auto a = grid(m);
  const double expected = std::pow(std::cos(std::numbers::pi / (m + 1)), 2);
  for (const Sweep direction : {Sweep::forward, Sweep::backward}) {
    const auto smoother = make_smoother(a, direction, 1);
    const Vector b(m * m, 0.0);
    Vector x = test::random_vector<double>(m * m);
    smoother.solve(b, x, {.sweeps = 400});
    const double before = smoother.residual_norm(b, x);
    smoother.solve(b, x, {.sweeps = 50});
    EXPECT_NEAR(std::pow(smoother.residual_norm(b, x) / before, 1.0 / 50), expected, 1e-4);
  }
}

TEST(Convergence, TheBestWeightSavesAnOrderOfSweeps) {
  constexpr Index m = 40;
  const auto a = grid(m);
  const auto sweeps_of = [&](double omega) {
    const auto smoother = make_smoother(a, Sweep::forward, omega);
    const Vector b = test::random_vector<double>(m * m);
    Vector x(m * m);
    const double goal = 1e-6 * smoother.residual_norm(b, x);
    Index sweeps = 0;
    for (; smoother.residual_norm(b, x) > goal && sweeps < 5000; sweeps += 5)
      smoother.solve(b, x, {.sweeps = 5});
    return sweeps;
  };
  const Index plain = sweeps_of(1), best = sweeps_of(best_omega(m));
  EXPECT_LT(plain,
            std::log(1e-6) / std::log(std::pow(std::cos(std::numbers::pi / (m + 1)), 2)) + 5);
  EXPECT_LT(8 * best, plain);
}

// Iterations of conjugate gradients until |r| is 1e-8 |b|; precondition(r, z) computes z.
template <class Precondition>
int count_iterations(const Csr<double>& a, const Precondition& precondition) {
  const auto n = static_cast<std::size_t>(a.rows);
  const auto product = [&](const Vector& p) {
    Vector q(n);
    for (Index i = 0; i < a.rows; ++i)
      for (Offset k = a.start[i]; k < a.start[i + 1]; ++k) q[i] += a.value[k] * p[a.index[k]];
    return q;
  };
  const auto dot = [](const Vector& u, const Vector& v) {
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
  };
  Vector r(n, 1), z(n), p(n);
  const double goal = 1e-16 * dot(r, r);
  double rho = 1;
  for (int k = 0; k < 10000; ++k) {
    if (dot(r, r) <= goal) return k;
    precondition(r, z);
    const double before = std::exchange(rho, dot(r, z));
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + (k == 0 ? 0 : rho / before) * p[i];
    const Vector q = product(p);
    const double alpha = rho / dot(p, q);
    for (std::size_t i = 0; i < n; ++i) r[i] -= alpha * q[i];
  }
  return -1;
}

int plain_iterations(Index m) {
  return count_iterations(grid(m), [](const Vector& r, Vector& z) { z = r; });
}

int swept_iterations(Index m, double omega, SweepForm form = SweepForm::row) {
  const auto a = grid(m);
  SmootherOptions o;
  o.omega = omega;
  o.form = form;
  o.solver.cpu.threads = 2;
  const GaussSeidel<double> smoother(a, o);
  return count_iterations(
      a, [&](const Vector& r, Vector& z) { smoother.solve(r, z, {.guess = Guess::zero}); });
}

// The condition number falls to about a quarter, so the iterations fall to about half, slightly
// less on small grids.
TEST(Convergence, ASymmetricSweepHalvesTheIterationsOfConjugateGradients) {
  for (const Index m : {32, 64}) {
    const int plain = plain_iterations(m), swept = swept_iterations(m, 1);
    ASSERT_GT(swept, 0);
    EXPECT_LT(swept, 0.60 * plain) << "m = " << m;
    EXPECT_GT(swept, 0.40 * plain) << "m = " << m;
    EXPECT_EQ(swept_iterations(m, 1, SweepForm::column), swept);
  }
}

// Without a weight iterations grow like m, with a good weight like sqrt(m).
TEST(Convergence, WithAGoodWeightIterationsGrowLikeTheRoot) {
  const double plain = double(plain_iterations(128)) / plain_iterations(32);
  const double swept =
      double(swept_iterations(128, best_omega(128))) / swept_iterations(32, best_omega(32));
  EXPECT_GT(plain, 3);
  EXPECT_LT(swept, 2.4);
}

}  // namespace
}  // namespace echelon
