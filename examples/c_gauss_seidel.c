// examples/c_gauss_seidel.c -- in C: Gauss-Seidel sweeps until the change is small.
// SPDX-License-Identifier: BSD-3-Clause
#include <echelon.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 100 };

static void need(echelon_status status) {
  if (status == ECHELON_OK) return;
  fprintf(stderr, "%s: %s\n", echelon_status_name(status), echelon_last_error(NULL));
  exit(1);
}

int main(void) {
  int start[n + 1] = {0}, index[3 * n], nnz = 0;
  double values[3 * n], b[n], x[n] = {0}, former[n], change = 1;
  for (int i = 0; i < n; ++i) {  // tridiag(-1, 4, -1)
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) {
      index[nnz] = j;
      values[nnz++] = i == j ? 4 : -1;
    }
    start[i + 1] = nnz;
    b[i] = 1;
  }
  // [doc
  echelon_matrix* a = NULL;
  echelon_solver* s = NULL;
  echelon_workspace* two = NULL;  // two sweeps per call, from the x that is given
  need(echelon_create_matrix(&a, ECHELON_DOUBLE, ECHELON_INT32, n, start, index, values, NULL));
  need(echelon_create_gauss_seidel(&s, a, "smoother.direction=symmetric"));
  need(echelon_create_workspace(&two, s, "sweeps=2"));
  int calls = 0;
  for (; change > 1e-12; ++calls) {
    for (int i = 0; i < n; ++i) former[i] = x[i];
    need(echelon_solve_in(two, b, x));
    change = 0;
    for (int i = 0; i < n; ++i) change = fmax(change, fabs(x[i] - former[i]));
  }
  printf("x[50] = %.6f after %d calls\n", x[50], calls);
  // doc]
  echelon_destroy_workspace(two);
  echelon_destroy(s);
  echelon_destroy_matrix(a);
  return 0;
}
