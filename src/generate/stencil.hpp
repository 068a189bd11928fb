// generate/stencil.hpp -- describes a matrix on a regular grid by the couplings of one node.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

using Step = std::array<int, 3>;  // from a node to a neighbour: -1, 0 or 1 in x, y, z

// The existing neighbours of a node: before and after it in each direction.  Nodes with the same
// sides have the same values in their rows.
class Sides {
 public:
  static constexpr int kinds = 64;
  explicit Sides(int kind) : kind_(kind) {}
  Sides(const std::array<Index, 3>& node, const std::array<Index, 3>& nodes) {
    for (int d = 0; d < 3; ++d)
      kind_ |= (node[d] > 0 ? 1 << (2 * d) : 0) | (node[d] + 1 < nodes[d] ? 2 << (2 * d) : 0);
  }
  int kind() const { return kind_; }
  // True if the neighbour at this step exists.
  bool allow(const Step& step) const {
    for (int d = 0; d < 3; ++d)
      if (step[d] != 0 && (kind_ & (step[d] < 0 ? 1 : 2) << (2 * d)) == 0) return false;
    return true;
  }

 private:
  int kind_ = 0;
};

// Unknown u of node (x, y, z) is row unknowns * (x + nx * (y + ny * z)) + u.
struct Stencil {
  std::array<Index, 3> nodes{1, 1, 1};
  Index unknowns = 1;       // per node
  std::vector<Step> steps;  // stored neighbours, including (0, 0, 0); by z, then y, then x
  // Writes the row-major block (unknowns x unknowns) that couples a node with a neighbour.
  std::function<void(Sides, const Step&, double* block)> block;
};

// All 27 steps, in column order.
std::vector<Step> all_steps();

// Builds the matrix of a stencil in two passes over the nodes, count and fill, with all cores.
template <Scalar T>
Csr<T> generate_stencil(const Stencil& s);

// -1 per neighbour; the diagonal is points - 1 also at the boundary (Dirichlet).
Stencil laplace_stencil(const std::array<Index, 3>& nodes, Index points);

// 2 on the diagonal, -1 below it.
Stencil chain_stencil(Index n);

}  // namespace echelon
