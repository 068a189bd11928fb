// echelon_mpi.h -- the C interface to solves on MPI ranks: library echelon_mpi.
// SPDX-License-Identifier: BSD-3-Clause
//
// Link libechelon_mpi (pkg-config --cflags --libs echelon-mpi).  Every call with such a solver is
// collective: all ranks make the same calls in the same order.  A failure on one rank is a failure
// on all.  The other calls are those of echelon.h; workspaces hold settings only.
#ifndef ECHELON_MPI_H
#define ECHELON_MPI_H

#include <mpi.h>

#include "echelon.h"

#ifdef __cplusplus
extern "C" {
#endif

// A x = b.  Rank 0 gives the matrix and factors it with `package`; the others give NULL.  The type,
// the package and the options are the same on all ranks.  Options are the names of
// echelon::MpiOptions (engine, ranks.rows, ranks.vectors, ...) and factor.*.
ECHELON_API echelon_status echelon_create_mpi(echelon_solver **out, MPI_Comm comm,
                                              echelon_type type, const echelon_matrix *a,
                                              const char *package, const char *options);
// The caller's own factors, on rank 0; NULL on the others.
ECHELON_API echelon_status echelon_create_mpi_factors(echelon_solver **out, MPI_Comm comm,
                                                      echelon_type type, const echelon_matrix *l,
                                                      const echelon_matrix *u, const char *options);
// The rows [begin, end) that vectors of this rank hold: all on rank 0, or by ranks.vectors=ranges.
ECHELON_API echelon_status echelon_mpi_rows(echelon_solver *solver, int64_t *begin, int64_t *end);

#ifdef __cplusplus
}
#endif

#endif
