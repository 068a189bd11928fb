// generate/elasticity.cpp -- linear elasticity on a regular grid: sums cell matrices into one block
// per pair of nodes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  With G(a,i,b,j) the integral of dN_a/dx_i dN_b/dx_j over a cell, the stiffness
// between unknown i of corner a and unknown j of corner b is
//   lambda G(a,i,b,j) + mu G(a,j,b,i) + [i = j] mu sum_k G(a,k,b,k).
// On a unit cube G is a product of three integrals over an edge; 2x2x2 Gauss points give the same,
// since they are exact here.  On a triangle the gradients are constant.  All cells are equal, so
// the block of a pair of nodes is a sum over the cells that have both as corners.
//
// No row is removed or fixed.  A weak elastic foundation under every cell holds the body in place
// and makes the matrix positive definite without changing the pattern.
#include "generate/elasticity.hpp"

#include <algorithm>
#include <utility>

namespace echelon {
namespace {

constexpr double poisson_ratio = 0.3;  // and Young's modulus 1
constexpr double lambda = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio));
constexpr double mu = 1 / (2 * (1 + poisson_ratio));
constexpr double foundation = 1e-3;  // stiffness per volume, shared evenly by a cell's corners

// One cell of a `dim`-dimensional grid.  Corner c is at (c & 1, c >> 1 & 1, c >> 2).
class Cell {
 public:
  explicit Cell(int dim) : dim_(dim), corners_(1 << dim) {
    const int size = corners_ * dim;
    matrix_.assign(static_cast<std::size_t>(size) * size, 0.0);
    for (int a = 0; a < corners_; ++a)
      for (int i = 0; i < dim; ++i) at(a, i, a, i) = foundation / corners_;
  }
  int dim() const { return dim_; }
  int corners() const { return corners_; }
  double& at(int a, int i, int b, int j) { return matrix_[place(a, i, b, j)]; }
  // The block of corners a and b, row-major.
  const double* block(int a, int b) const { return &matrix_[place(a, 0, b, 0)]; }

  // Adds the stiffness between corners a and b from the gradient integrals g[i][j].
  void add_stiffness(int a, int b, const double g[3][3]) {
    double trace = 0;
    for (int k = 0; k < dim_; ++k) trace += g[k][k];
    for (int i = 0; i < dim_; ++i)
      for (int j = 0; j < dim_; ++j)
        at(a, i, b, j) += lambda * g[i][j] + mu * g[j][i] + (i == j ? mu * trace : 0);
  }

 private:
  int place(int a, int i, int b, int j) const { return ((a * corners_ + b) * dim_ + i) * dim_ + j; }

  int dim_;
  int corners_;
  std::vector<double> matrix_;
};

int side(int corner, int direction) { return corner >> direction & 1; }

// The integral over one edge, from 0 to 1, of N_p N_q, each differentiated or not, where
// N_0(t) = 1 - t and N_1(t) = t.
double edge_integral(int p, bool differentiate_p, int q, bool differentiate_q) {
  const double slope_p = p == 1 ? 1 : -1;
  const double slope_q = q == 1 ? 1 : -1;
  if (differentiate_p && differentiate_q) return slope_p * slope_q;
  if (differentiate_p) return slope_p / 2;
  if (differentiate_q) return slope_q / 2;
  return p == q ? 1.0 / 3 : 1.0 / 6;
}

Cell hexahedron() {
  Cell cell(3);
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      double g[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          g[i][j] = 1;
          for (int d = 0; d < 3; ++d)
            g[i][j] *= edge_integral(side(a, d), i == d, side(b, d), j == d);
        }
      cell.add_stiffness(a, b, g);
    }
  }
  return cell;
}

// Two triangles of area 1/2: below the diagonal (corners 0, 1, 3) and above it (0, 3, 2).
Cell square_of_triangles() {
  struct Triangle {
    int corner[3];
    double gradient[3][2];
  };
  const Triangle triangles[] = {{{0, 1, 3}, {{-1, 0}, {1, -1}, {0, 1}}},
                                {{0, 3, 2}, {{0, -1}, {1, 0}, {-1, 1}}}};
  Cell cell(2);
  for (const Triangle& t : triangles) {
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        double g[3][3] = {};
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j) g[i][j] = t.gradient[a][i] * t.gradient[b][j] / 2;
        cell.add_stiffness(t.corner[a], t.corner[b], g);
      }
    }
  }
  return cell;
}

// The corner of the same cell one step away from corner a, or -1 if there is none.
int corner_after(int a, const Step& step, int dim) {
  int b = 0;
  for (int d = 0; d < dim; ++d) {
    const int place = side(a, d) + step[d];
    if (place < 0 || place > 1) return -1;
    b |= place << d;
  }
  return b;
}

// True if the grid has a cell of which this node is corner a.
bool has_cell(Sides sides, int a, int dim) {
  Step across{0, 0, 0};
  for (int d = 0; d < dim; ++d) across[d] = side(a, d) == 1 ? -1 : 1;
  return sides.allow(across);
}

// Sums the blocks of all cells that share a node and its neighbour.
void sum_cells(const Cell& cell, Sides sides, const Step& step, double* block) {
  const int size = cell.dim() * cell.dim();
  std::fill_n(block, size, 0.0);
  for (int a = 0; a < cell.corners(); ++a) {
    const int b = corner_after(a, step, cell.dim());
    if (b < 0 || !has_cell(sides, a, cell.dim())) continue;
    const double* part = cell.block(a, b);
    for (int k = 0; k < size; ++k) block[k] += part[k];
  }
}

Stencil cell_stencil(const std::array<Index, 3>& nodes, const Cell& cell, std::vector<Step> steps) {
  return {nodes, cell.dim(), std::move(steps),
          [cell](Sides sides, const Step& step, double* block) {
            sum_cells(cell, sides, step, block);
          }};
}

}  // namespace

Stencil elasticity3d_stencil(const std::array<Index, 3>& nodes) {
  return cell_stencil(nodes, hexahedron(), all_steps());
}

Stencil elasticity2d_stencil(const std::array<Index, 3>& nodes) {
  // Corners 1 and 2 of a square lie in different triangles: the steps between them are not stored.
  std::vector<Step> steps;
  for (const Step& step : all_steps())
    if (step[2] == 0 && step[0] * step[1] != -1) steps.push_back(step);
  return cell_stencil(nodes, square_of_triangles(), std::move(steps));
}

}  // namespace echelon
