// examples/c_triangle.c -- in C: a triangle in arrays, solved once.
// SPDX-License-Identifier: BSD-3-Clause
// [doc
#include <echelon.h>
#include <stdio.h>

int main(void) {                                              // 2 . .
  int start[] = {0, 1, 3, 5}, index[] = {0, 0, 1, 1, 2};      // 1 2 .
  double values[] = {2, 1, 2, 2, 3}, b[] = {2, 5, 10}, x[3];  // . 2 3
  echelon_matrix* l = NULL;
  echelon_solver* s = NULL;
  echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index, values, NULL);
  echelon_create_triangle(&s, l, "cpu.threads=2");
  if (echelon_solve(s, b, x) != ECHELON_OK) return puts(echelon_last_error(NULL)), 1;
  printf("x = %g %g %g\n", x[0], x[1], x[2]);
  return echelon_destroy(s), echelon_destroy_matrix(l), 0;
}
// doc]
