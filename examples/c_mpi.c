// examples/c_mpi.c -- in C: rank 0 has the matrix, all ranks solve.
// SPDX-License-Identifier: BSD-3-Clause
//
//   cc c_mpi.c $(pkg-config --cflags --libs echelon-mpi) -o c_mpi && mpirun -n 2 ./c_mpi
// [doc
#include <echelon_mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int start[] = {0, 2, 5, 7}, index[] = {0, 1, 0, 1, 2, 1, 2}, rank, ranks;
  double values[] = {4, -1, -1, 4, -1, -1, 4}, b[] = {3, 2, 3}, x[3];
  echelon_matrix* a = NULL;  // stays NULL on the other ranks
  echelon_solver* s = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0)
    echelon_create_matrix(&a, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index, values, NULL);
  echelon_status status =
      echelon_create_mpi(&s, MPI_COMM_WORLD, ECHELON_DOUBLE, a, "ic0", "engine=two_sided");
  if (status == ECHELON_OK) status = echelon_solve(s, b, x);  // b and x are read on rank 0
  if (status != ECHELON_OK) printf("rank %d: %s\n", rank, echelon_last_error(NULL));
  if (status == ECHELON_OK && rank == 0)
    printf("%d ranks: x = %.3f %.3f %.3f\n", ranks, x[0], x[1], x[2]);
  echelon_destroy(s);
  echelon_destroy_matrix(a);
  MPI_Finalize();
  return status != ECHELON_OK;
}
// doc]
