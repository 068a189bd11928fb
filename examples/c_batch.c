// examples/c_batch.c -- in C: a thousand triangles of one pattern, one of them singular.
// SPDX-License-Identifier: BSD-3-Clause
#include <echelon.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 1000 };

static void need(echelon_status status) {
  if (status == ECHELON_OK) return;
  fprintf(stderr, "%s: %s\n", echelon_status_name(status), echelon_last_error(NULL));
  exit(1);
}

int main(void) {
  static double values[count][5], b[count][3], x[count][3];
  // [doc
  int start[] = {0, 1, 3, 5}, index[] = {0, 0, 1, 1, 2};  // a . .
  for (int k = 0; k < count; ++k) {                       // b c .
    for (int p = 0; p < 5; ++p) values[k][p] = k + p;     // . d e
    for (int i = 0; i < 3; ++i) b[k][i] = k;
  }
  echelon_matrix* pattern = NULL;
  echelon_solver* s = NULL;
  need(echelon_create_matrix(&pattern, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index, values,
                             NULL));
  need(echelon_create_batch(&s, pattern, count, values, 0, NULL));
  need(echelon_solve(s, b, x));  // one right-hand side of each system
  printf("x[999][0] = %.4f\n", x[999][0]);

  int64_t systems[10], failed;
  need(echelon_failed(s, 10, systems, &failed));  // a is zero in system 0
  printf("%d failed: system %d\n", (int)failed, (int)systems[0]);

  values[0][0] = 1;
  need(echelon_update_batch(s, values, 0));
  need(echelon_solve(s, b, x));
  need(echelon_check(s));  // an error if any failed
  printf("now all are solved, x[0][0] = %.4f\n", x[0][0]);
  // doc]
  echelon_destroy(s);
  echelon_destroy_matrix(pattern);
  return 0;
}
