// generate/elasticity.hpp -- linear elasticity on a regular grid, as a stencil.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "generate/stencil.hpp"

namespace echelon {

// Trilinear hexahedra, 3 unknowns per node, each node coupled with its 26 neighbours.
Stencil elasticity3d_stencil(const std::array<Index, 3>& nodes);

// Plane strain, linear triangles, each square cut from its lower left to its upper right corner; 2
// unknowns per node, each node coupled with 6 neighbours.
Stencil elasticity2d_stencil(const std::array<Index, 3>& nodes);

}  // namespace echelon
