// generate/spec.hpp -- a parsed and validated recipe.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "echelon/types.hpp"

namespace echelon {

enum class Recipe { elasticity3d, elasticity2d, laplace2d, laplace3d, bidiagonal, dense, random };

struct Spec {
  Recipe recipe = Recipe::bidiagonal;
  std::array<Index, 3> nodes{1, 1, 1};  // of the grid, x first; (n, 1, 1) without a grid
  Index points = 0;                     // of the Laplacian's stencil
  Index per_row = 8;                    // random: entries off the diagonal
  std::uint64_t seed = 1;               // random
};

// Parses a recipe.  Throws bad_argument if it is invalid or its matrix would be too large.
Spec read_spec(std::string_view text);

}  // namespace echelon
