// examples/c_factor_once.c -- in C: factor a matrix once, solve often, take over new values.
// SPDX-License-Identifier: BSD-3-Clause
#include <echelon.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 1000 };

static void need(echelon_status status) {
  if (status == ECHELON_OK) return;
  fprintf(stderr, "%s: %s\n", echelon_status_name(status), echelon_last_error(NULL));
  exit(1);
}

// tridiag(-1, diagonal, -1) by rows
static int chain(double diagonal, int* start, int* index, double* values) {
  int k = 0;
  for (int i = 0; i < n; ++i) {
    start[i] = k;
    for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j, ++k) {
      index[k] = j;
      values[k] = i == j ? diagonal : -1;
    }
  }
  return start[n] = k;
}

int main(void) {
  static int start[n + 1], index[3 * n];
  static double values[3 * n], b[2 * n], x[2 * n];
  echelon_matrix* a = NULL;
  echelon_solver* s = NULL;
  chain(4, start, index, values);
  // [doc
  // The package is cholmod, superlu, ilu0, ...: see echelon_built_with().
  need(echelon_create_matrix(&a, ECHELON_DOUBLE, ECHELON_INT32, n, start, index, values, NULL));
  need(echelon_create_direct(&s, a, "ic0", "factor.order=natural"));
  for (int i = 0; i < 2 * n; ++i) b[i] = 1 + i / n;
  need(echelon_solve_many(s, 2, b, n, x, n, ECHELON_COLUMN_MAJOR));  // two right-hand sides
  printf("x[500] = %.4f and %.4f\n", x[500], x[n + 500]);

  int steps;
  double error, levels;
  need(echelon_solve_refined(s, a, b, x, &steps, &error));
  need(echelon_report_number(s, "lower.levels", &levels));
  printf("%d steps of refinement, error below 1e-15: %s\n", steps, error < 1e-15 ? "yes" : "no");

  chain(3, start, index, values);  // the same pattern with other values
  need(echelon_update(s, a));
  need(echelon_solve(s, b, x));
  printf("x[500] = %.4f\n", x[500]);
  // doc]
  echelon_destroy(s);
  echelon_destroy_matrix(a);
  return 0;
}
