// tests/direct/test_direct_first_lines.cpp -- the first lines of the headers of solvers, compiled.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "echelon/direct.hpp"
#include "echelon/generate.hpp"
#include "echelon/smoother.hpp"
#include "echelon/solver.hpp"
#include "factor/dense_factors.hpp"

namespace {

// What the first lines take for granted.
template <class T>
struct System {
  echelon::Csr<T> a = echelon::generate<T>("laplace2d:12x13:5");
  std::vector<T> b = std::vector<T>(static_cast<std::size_t>(a.rows), T(1));
  std::vector<T> x = std::vector<T>(b.size());

  double error() const {
    return echelon::find_backward_errors<T>(a, echelon::Vectors<const T>(b.data(), a.rows),
                                            echelon::Vectors<const T>(x.data(), a.rows))
        .componentwise;
  }
};

template <class Solver>
std::string text_of(const Solver& solver) {
  std::ostringstream text;
  text << solver;
  return text.str();
}

template <class T>
class FirstLines : public testing::Test {};
using Scalars = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(FirstLines, Scalars);

TYPED_TEST(FirstLines, OfSolver) {
  System<TypeParam> s;
  auto& [a, b, x] = s;
  const auto l = echelon::extract_triangle(echelon::CsrView<TypeParam>(a), echelon::Uplo::lower);
  echelon::Solver solver(echelon::lower(l));
  solver.solve(b, x);
  solver.update(l.value);
  EXPECT_EQ(solver.solve(b), x);
  EXPECT_EQ(solver.report().nnz, l.nonzeros());
  EXPECT_GT(solver.report().bytes, 0);
  EXPECT_NE(text_of(solver).find("method"), std::string::npos);
}

TYPED_TEST(FirstLines, OfDirectSolver) {
  if (!echelon::test::has_package("cholmod")) GTEST_SKIP() << "no CHOLMOD";
  System<TypeParam> s;
  auto& [a, b, x] = s;
  const auto& a2 = a;
  echelon::DirectSolver solver(echelon::factor_cholmod(a));
  solver.solve(b, x);
  const double eps = std::numeric_limits<echelon::Real<TypeParam>>::epsilon();
  EXPECT_LT(s.error(), 100 * eps);
  solver.update(echelon::factor_cholmod(a2));
  EXPECT_EQ(solver.solve(b), x);
  const echelon::DirectReport& r = solver.report();
  EXPECT_EQ(r.nnz, r.lower.nonzeros + r.upper.nonzeros);
  EXPECT_EQ(r.bytes, r.lower_bytes + r.upper_bytes);
  EXPECT_NE(text_of(solver).find("method"), std::string::npos);
}

TYPED_TEST(FirstLines, OfGaussSeidel) {
  System<TypeParam> s;
  auto& [a, b, x] = s;
  echelon::GaussSeidel smoother(a);
  smoother.solve(b, x, {.sweeps = 2});
  std::vector<TypeParam> z(b.size());
  smoother.solve(b, z, {.sweeps = 2, .guess = echelon::Guess::zero});
  EXPECT_EQ(z, x);
  smoother.update(a.value);
  EXPECT_EQ(smoother.report().nnz, a.nonzeros());
  EXPECT_EQ(smoother.report().method, smoother.report().triangles.front().method);
  EXPECT_NE(text_of(smoother).find("sweeps"), std::string::npos);
}

TYPED_TEST(FirstLines, OfResiduals) {
  System<TypeParam> s;
  EXPECT_EQ(s.error(), 1);  // x is zero
}

}  // namespace
