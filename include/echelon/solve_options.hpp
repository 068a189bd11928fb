// echelon/solve_options.hpp -- how one call of solve() differs from the plain one: the same struct
// for every solver.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.
//
//   solver.solve(b, x, {.part = Part::lower, .op = Op::transpose, .threads = 4});   // L' x = b
#pragma once

#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Which system of a factorization (R A C)(row_order, col_order) = L D U is solved.
enum class Part {
  full,       // A x = b, with permutations and scalings
  lower,      // L x = b, in the order of the factor
  upper,      // U x = b, likewise
  triangles,  // L D U x = b, likewise
};

constexpr auto names(Part) {
  return name_table<Part>({{Part::full, "full"},
                           {Part::lower, "lower"},
                           {Part::upper, "upper"},
                           {Part::triangles, "triangles"}});
}

// Threads.  Solver, DirectSolver and GaussSeidel serve any number of threads at the same time, each
// with its own workspace (make_workspace()).  A call without one uses the workspace of the solver,
// and a second such call at the same time throws bad_argument.  MpiSolver and NvshmemSolver have no
// workspaces: their calls are collective, and threads cannot agree on one order of calls on all
// ranks.  A second call at the same time throws bad_argument; give each thread its own solver.
// update() must not run at the same time as any other call.

// op(M) x = alpha b, where M is the part.
template <Scalar T>
struct SolveOptions {
  T alpha = T(1);
  Part part = Part::full;  // a Solver has one triangle: full is that triangle
  Op op = Op::none;        // M, its transpose or its conjugate transpose
  Index threads = 0;       // at most this many; 0: as analyzed
  void* stream = nullptr;  // backend cuda: the cudaStream_t that the solve is put into
};

}  // namespace echelon
#pragma GCC visibility pop
