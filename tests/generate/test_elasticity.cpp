// tests/generate/test_elasticity.cpp -- elasticity: the element by quadrature, the pattern, the
// papers' counts, and positive definiteness.
// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "echelon/generate.hpp"
#include "generate/counts.hpp"
#include "generate/elasticity.hpp"
#include "support/pictures.hpp"

namespace echelon {
namespace {

// Young's modulus 1, Poisson's ratio 0.3, and the foundation, as documented for the recipe.
constexpr double lambda = 0.3 / (1.3 * 0.4);
constexpr double mu = 1 / 2.6;
constexpr double foundation = 1e-3;

using Gradient = std::array<double, 3>;

// The strain (xx yy zz xy yz zx) of unit displacement `i` of a node with this gradient.
std::array<double, 6> strain(const Gradient& g, int i) {
  if (i == 0) return {g[0], 0, 0, g[1], 0, g[2]};
  if (i == 1) return {0, g[1], 0, g[0], g[2], 0};
  return {0, 0, g[2], 0, g[1], g[0]};
}

// Work of two strains, strain^T D strain.
double work(const std::array<double, 6>& a, const std::array<double, 6>& b) {
  const double trace = (a[0] + a[1] + a[2]) * (b[0] + b[1] + b[2]);
  double sum = lambda * trace;
  for (int k = 0; k < 6; ++k) sum += (k < 3 ? 2 * mu : mu) * a[k] * b[k];
  return sum;
}

// Gradient of corner c of the unit cube at a point.
Gradient gradient(int c, const Gradient& at) {
  Gradient g{1, 1, 1};
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d) {
      const bool far = (c >> d & 1) == 1;
      if (i == d)
        g[i] *= far ? 1 : -1;
      else
        g[i] *= far ? at[d] : 1 - at[d];
    }
  return g;
}

TEST(Elasticity, OneHexahedronIsTheTwoByTwoByTwoGaussSum) {
  const auto a = test::to_dense(generate<double>("elasticity3d:1"));
  const double points[] = {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)};
  for (int row = 0; row < 24; ++row) {
    for (int col = 0; col < 24; ++col) {
      double sum = 0;
      for (int q = 0; q < 8; ++q) {
        const Gradient at{points[q & 1], points[q >> 1 & 1], points[q >> 2]};
        sum += work(strain(gradient(row / 3, at), row % 3), strain(gradient(col / 3, at), col % 3));
      }
      if (row == col) sum += foundation;
      EXPECT_NEAR(a[row * 24 + col], sum / 8, 1e-15) << row << ' ' << col;
    }
  }
}

TEST(Elasticity, OneSquareIsItsTwoTriangles) {
  const auto a = test::to_dense(generate<double>("elasticity2d:2x2"));
  // Nodes 0 1 3 below the diagonal, 0 3 2 above; gradients by node, 0 for the fourth.
  const Gradient below[] = {{-1, 0, 0}, {1, -1, 0}, {0, 0, 0}, {0, 1, 0}};
  const Gradient above[] = {{0, -1, 0}, {0, 0, 0}, {-1, 1, 0}, {1, 0, 0}};
  for (int row = 0; row < 8; ++row) {
    for (int col = 0; col < 8; ++col) {
      double sum = row == col ? foundation / 4 : 0;
      for (const auto& g : {below, above})
        sum += work(strain(g[row / 2], row % 2), strain(g[col / 2], col % 2)) / 2;
      EXPECT_NEAR(a[row * 8 + col], sum, 1e-15) << row << ' ' << col;
    }
  }
}

TEST(Elasticity, TheOtherDiagonalOfASquareIsNotCoupled) {
  const auto a = generate<double>("elasticity2d:2x2");
  const auto drawn = test::picture<double>(R"(
    x x x x x x x x
    x x x x x x x x
    x x x x . . x x
    x x x x . . x x
    x x . . x x x x
    x x . . x x x x
    x x x x x x x x
    x x x x x x x x )");
  EXPECT_EQ(a.start, drawn.start);
  EXPECT_EQ(a.index, drawn.index);
}

// The force on row i if all nodes move by 1 in one direction.
double force_of_translation(const Csr<double>& a, Index i, int unknowns, int direction) {
  double force = 0;
  for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
    if (a.index[p] % unknowns == direction) force += a.value[p];
  return force;
}

// A translation has no strain: only the foundation resists it.  A wrong sum at a boundary, or a
// missing cell, would show here.
void expect_only_the_foundation(const char* spec, int unknowns, double volume) {
  const auto a = generate<double>(spec);
  for (int direction = 0; direction < unknowns; ++direction) {
    double held = 0;
    for (Index i = 0; i < a.rows; ++i) {
      const double force = force_of_translation(a, i, unknowns, direction);
      held += force;
      EXPECT_GE(force, -1e-14) << spec << " row " << i;
      EXPECT_LE(force, (i % unknowns == direction ? foundation : 0) + 1e-14) << spec << ' ' << i;
    }
    EXPECT_NEAR(held, foundation * volume, 1e-12) << spec;
  }
}

TEST(Elasticity, TranslationsMeetTheFoundationOnly) {
  expect_only_the_foundation("elasticity3d:3x2x4", 3, 24);
  expect_only_the_foundation("elasticity2d:5x4", 2, 12);
}

TEST(Elasticity, IsSymmetricAndPositiveDefinite) {
  for (const char* spec : {"elasticity3d:1", "elasticity3d:2", "elasticity3d:3x1x2",
                           "elasticity2d:2x2", "elasticity2d:6x5", "elasticity2d:2x9"}) {
    const auto a = generate<double>(spec);
    EXPECT_TRUE(test::rows_rise(a)) << spec;
    EXPECT_TRUE(test::is_symmetric(a)) << spec;
    EXPECT_TRUE(test::is_positive_definite(test::to_dense(a))) << spec;
  }
}

TEST(Elasticity, InteriorNodesKeepTheirZeros) {
  const auto a = generate<double>("elasticity3d:2");
  const Index middle = 3 * 13;  // of 27 nodes
  for (Index i = middle; i < middle + 3; ++i) EXPECT_EQ(a.start[i + 1] - a.start[i], 81);
  // x and y of one node are not coupled, by symmetry, but stored.
  EXPECT_NEAR(a.value[a.start[middle] + middle + 1], 0, 1e-16);
}

TEST(Elasticity, TheHeadlineProblemHasThePapersCounts) {
  const auto a = generate<double>("elasticity3d:20");
  EXPECT_EQ(a.rows, 27783);
  EXPECT_EQ(a.nonzeros(), 2042829);
  EXPECT_EQ(test::lower_levels(a), 3 * (21 + 2 * 20 + 4 * 20));
  EXPECT_TRUE(test::rows_rise(a));
}

TEST(Elasticity, NonzerosAndLevelsByFormula) {
  const auto a = generate<float>("elasticity3d:4x5x6");
  EXPECT_EQ(a.rows, 3 * 5 * 6 * 7);
  EXPECT_EQ(a.nonzeros(), 9 * 13 * 16 * 19);
  EXPECT_EQ(test::lower_levels(a), 3 * (5 + 2 * 5 + 4 * 6));
  const auto b = generate<float>("elasticity2d:40x30");
  EXPECT_EQ(b.rows, 2 * 1200);
  EXPECT_EQ(b.nonzeros(), 4 * (1200 + 2 * (39 * 30 + 40 * 29 + 39 * 29)));
  EXPECT_EQ(test::lower_levels(b), 2 * (40 + 29));
}

}  // namespace
}  // namespace echelon
