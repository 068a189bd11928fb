// echelon/superlu_dist.hpp -- solves with SuperLU_DIST's distributed factors, in place.
// SPDX-License-Identifier: BSD-3-Clause
//
// Extend it.  Comes after dist.hpp; needs MPI, and is in the library echelon_mpi.
//
//   pdgssvx(&options, &a, &scale_perm, b, ldb, 0, &grid, &lu, &solve, berr, &stat, &info);
//   auto factors = echelon::load_superlu_dist<double>(comm, &lu, &scale_perm, &grid, n);
//   auto map = echelon::superlu_dist_map(&grid, factors.lower.count());
#pragma once

#include <mpi.h>

#include "echelon/dist.hpp"

namespace echelon {

// The factors that p[sdz]gssvx left in xLUstruct_t and xScalePermstruct_t on a gridinfo_t, for T
// float, double or complex<double>. Every rank gets the whole structure and reads the values of its
// own blocks, placed by the map below (for U by its transpose), from SuperLU_DIST's arrays, which
// must outlive the result.  Rows in blocks of other ranks read as zero.
//
// Collective over comm, whose ranks must be those of the grid in the same order.  The void pointers
// avoid SuperLU_DIST's headers.  O(all rows of the structure) time and space.  Throws, on all
// ranks, bad_argument (another precision, order or communicator), backend_missing (no SuperLU_DIST
// in this build, or complex<float>, which it does not support).
template <Scalar T>
RankFactors<T> load_superlu_dist(MPI_Comm comm, const void* lu_struct,
                                 const void* scale_perm_struct, const void* grid_info, Index n);

// The owners of SuperLU_DIST's blocks for this many supernodes: cyclic in both dimensions of its
// grid.  Throws backend_missing, bad_argument for no grid.
BlockMap superlu_dist_map(const void* grid_info, Index supernodes);

}  // namespace echelon
