// echelon/generate.hpp -- test matrices from a one-line recipe: the papers' grids and a few
// deliberately extreme cases.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after matrix.hpp.  A recipe defines a matrix exactly: it gives the same pattern
// and, for `random` and `dense`, the same values on every machine.
//
//   elasticity3d:20             trilinear hexahedra, 20 elements per side, 3 unknowns per node
//   elasticity2d:708x708        linear triangles on 708x708 nodes, 2 unknowns per node
//   laplace2d:2048x2048:9       5 or 9 points (default 5)
//   laplace3d:128x128x128:27    7 or 27 points (default 7)
//   bidiagonal:1000             lower bidiagonal: a chain
//   dense:1200                  every entry stored
//   random:10000:8:1            8 entries per row off the diagonal, seed 1 (the defaults)
//
// A single number for a grid applies to all directions.  All matrices are square and have a full
// diagonal, large enough to solve safely with either triangle.  All but bidiagonal, dense and
// random are symmetric positive definite.
#pragma once

#include <string>
#include <string_view>

#include "echelon/matrix.hpp"

namespace echelon {

// The matrix of a recipe, rows sorted by column, real values.  O(nnz) time on all cores; allocates
// only the result, which does not depend on the number of threads.  Throws bad_argument for a
// recipe that cannot be parsed or is too large (2^31 rows, 2^33 entries), with the reason and the
// list of recipes; out_of_memory.
template <Scalar T>
Csr<T> generate(std::string_view spec);

// True if the text looks like a recipe and not like a file name: it begins with the name of a
// recipe, or has the form word:numbers. generate() may still reject it.
bool is_spec(std::string_view text);

// The recipes, one line each.
std::string spec_help();

}  // namespace echelon
