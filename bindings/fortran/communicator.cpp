// bindings/fortran/communicator.cpp -- communicators of Fortran are integers; C has another type.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon_mpi.h"

extern "C" {

// Called by module echelon_mpi.
echelon_status echelon_fortran_create_mpi(echelon_solver** out, int comm, int type,
                                          const echelon_matrix* a, const char* package,
                                          const char* options) {
  return echelon_create_mpi(out, MPI_Comm_f2c(comm), static_cast<echelon_type>(type), a, package,
                            options);
}

echelon_status echelon_fortran_create_mpi_factors(echelon_solver** out, int comm, int type,
                                                  const echelon_matrix* l, const echelon_matrix* u,
                                                  const char* options) {
  return echelon_create_mpi_factors(out, MPI_Comm_f2c(comm), static_cast<echelon_type>(type), l, u,
                                    options);
}
}
