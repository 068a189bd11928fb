// echelon/generate.hpp -- test problems from a one-line recipe: the papers' grids, and a few
// matrices that are extreme on purpose.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after matrix.hpp.  A recipe names a matrix exactly: the same recipe gives
// the same pattern and, for `random` and `dense`, the same numbers on every machine.
//
//   elasticity3d:20             trilinear hexahedra, 20 elements a side, 3 unknowns a node
//   elasticity2d:708x708        linear triangles on 708x708 nodes, 2 unknowns a node
//   laplace2d:2048x2048:9       5 or 9 points (5 when left out)
//   laplace3d:128x128x128:27    7 or 27 points (7 when left out)
//   bidiagonal:1000             lower bidiagonal: a chain
//   dense:1200                  every entry stored
//   random:10000:8:1            8 entries a row off the diagonal, seed 1 (the defaults)
//
// One number for a grid stands for all its directions.  All are square, all have a full
// diagonal that makes both triangles safe to solve with, and all but bidiagonal, dense and
// random are symmetric positive definite.
#pragma once

#include <string>
#include <string_view>

#include "echelon/matrix.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The matrix of a recipe, rows sorted by column, numbers real.  O(nnz) time, with all cores;
// allocates the result only.  The result does not depend on the number of threads.
// Throws bad_argument for a recipe that cannot be read or asks for too much (2^31 rows, 2^33
// entries), naming what is wrong and listing the recipes; out_of_memory if there is none.
template <Scalar T>
ECHELON_EXPORT Csr<T> generate(std::string_view spec);

// True if the text looks like a recipe rather than the name of a file: it begins with the
// name of one, or reads word:numbers.  It may still be refused by generate().
bool is_spec(std::string_view text);

// The recipes, one line each.
std::string spec_help();

}  // namespace echelon
#pragma GCC visibility pop
