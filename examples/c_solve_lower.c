// examples/c_solve_lower.c -- in C: read a triangle, solve with it, print the answer.
// SPDX-License-Identifier: BSD-3-Clause
//
//   cc -std=c99 c_solve_lower.c $(pkg-config --cflags --libs echelon) -o c_solve_lower
//   ./c_solve_lower lower.mtx
//   x = 0.5 ...
// [doc
#include <echelon.h>
#include <stdio.h>
#include <stdlib.h>

static void need(echelon_status status) {
  if (status != ECHELON_OK) exit(fprintf(stderr, "%s\n", echelon_last_error(NULL)) ? 1 : 2);
}

int main(int argc, char** argv) {
  echelon_matrix* l;
  echelon_solver* solver;
  need(echelon_read_matrix(&l, ECHELON_DOUBLE, argc > 1 ? argv[1] : "lower.mtx", "uplo=lower"));
  const size_t n = (size_t)echelon_matrix_n(l);
  double *b = malloc(n * sizeof *b), *x = malloc(n * sizeof *x);
  for (size_t i = 0; i < n; ++i) b[i] = 1;
  need(echelon_create_triangle(&solver, l, argc > 2 ? argv[2] : NULL));  // "cpu.threads=4", ...
  need(echelon_solve(solver, b, x));                                     // as often as you like
  printf("x[0] = %g\n", x[0]);
  // doc]
  free(b);
  free(x);
  echelon_destroy(solver);
  echelon_destroy_matrix(l);
  return 0;
}
