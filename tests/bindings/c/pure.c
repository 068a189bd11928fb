// tests/bindings/c/pure.c -- a C99 program that calls every function of echelon.h.
// SPDX-License-Identifier: BSD-3-Clause
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "echelon.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  printf("pure.c:%d: not so: %s; last error: %s\n", line, what, echelon_last_error(NULL));
}
#define EXPECT(x) expect((x), #x, __LINE__)

/*  2 . .      by rows; L x = (2, 5, 10) has x = (1, 2, 2)
    1 2 .
    . 2 3  */
static const int32_t start[] = {0, 1, 3, 5};
static const int32_t index_[] = {0, 0, 1, 1, 2};
static const double values[] = {2, 1, 2, 2, 3};

static void solve_triangle(void) {
  const double b[] = {2, 5, 10, 4, 10, 20};
  double x[6], number = 0;
  const char* text = NULL;
  const double two = 2;
  echelon_matrix* l = NULL;
  echelon_solver* s = NULL;
  echelon_workspace* w = NULL;
  EXPECT(!echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index_, values, NULL));
  EXPECT(echelon_matrix_n(l) == 3 && echelon_matrix_nnz(l) == 5);
  EXPECT(!echelon_create_triangle(&s, l, "cpu.threads=1, cpu.vector_unit=plain"));
  EXPECT(!echelon_solve(s, b, x) && x[0] == 1 && x[1] == 2 && x[2] == 2);
  EXPECT(!echelon_solve_many(s, 2, b, 3, x, 3, ECHELON_COLUMN_MAJOR) && x[3] == 2 && x[5] == 4);
  EXPECT(!echelon_create_workspace(&w, s, "op=t"));
  EXPECT(!echelon_set_alpha(w, &two));
  EXPECT(!echelon_solve_in(w, b, x) && fabs(x[2] - 20.0 / 3) < 1e-15);
  EXPECT(!echelon_set(w, "op=n") && !echelon_set_vectors(w, 2, 3, 3, ECHELON_COLUMN_MAJOR));
  EXPECT(!echelon_set_stream(w, NULL) && !echelon_check_in(w) && !echelon_check(s));
  EXPECT(!echelon_solve_in(w, b, x) && x[0] == 2 && x[5] == 8);
  EXPECT(!echelon_report_number(s, "levels", &number) && number == 3);
  EXPECT(!echelon_report_text(s, "backend", &text) && strcmp(text, "cpu") == 0);
  EXPECT(!echelon_report(s, &text) && strstr(text, "levels") != NULL);
  EXPECT(!echelon_set_values(l, values) && !echelon_update(s, l));
  echelon_destroy(s);
  echelon_destroy_workspace(w);
  echelon_destroy_matrix(l);
}

static void solve_factors(void) {
  const double b[] = {4, 10, 20}, u[] = {1, 1, 1};
  const int32_t diagonal_start[] = {0, 1, 2, 3}, diagonal[] = {0, 1, 2};
  double x[3], error = 1;
  int32_t steps = -1;
  echelon_matrix *l = NULL, *d = NULL;
  echelon_solver* s = NULL;
  echelon_workspace* w = NULL;
  EXPECT(!echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index_, values, NULL));
  EXPECT(!echelon_create_matrix(&d, ECHELON_DOUBLE, ECHELON_INT32, 3, diagonal_start, diagonal, u,
                                "uplo=upper"));
  EXPECT(!echelon_create_factors(&s, l, d, NULL) && !echelon_update_factors(s, l, d));
  EXPECT(!echelon_solve_refined(s, l, b, x, &steps, &error) && error < 1e-15 && steps >= 0);
  EXPECT(fabs(x[2] - 4) < 1e-14);
  EXPECT(!echelon_create_workspace(&w, s, "part=lower"));
  EXPECT(!echelon_solve_in(w, b, x) && fabs(x[0] - 2) < 1e-15);
  EXPECT(!echelon_set(w, "part=full, steps=3"));
  EXPECT(!echelon_solve_refined_in(w, l, b, x, NULL, NULL) && fabs(x[1] - 4) < 1e-14);
  echelon_destroy_workspace(w);
  echelon_destroy(s);
  EXPECT(!echelon_create_direct(&s, l, "ilu0", "factor.order=natural") && !echelon_solve(s, b, x));
  EXPECT(fabs(x[2] - 4) < 1e-14);
  echelon_destroy(s);
  EXPECT(!echelon_create_gauss_seidel(&s, l, "smoother.direction=forward"));
  x[0] = x[1] = x[2] = 0;
  EXPECT(!echelon_solve(s, b, x) && fabs(x[2] - 4) < 1e-14);
  echelon_destroy(s);
  echelon_destroy_matrix(l);
  echelon_destroy_matrix(d);
}

static void solve_batch(void) {
  const double two[] = {2, 1, 2, 2, 3, 1, 1, 1, 1, 1}, singular[] = {2, 1, 2, 2, 3, 0, 1, 1, 1, 1};
  const double b[] = {2, 5, 10, 1, 3, 4};
  double x[6];
  int64_t systems[2] = {-1, -1}, count = -1;
  echelon_matrix* l = NULL;
  echelon_solver* s = NULL;
  echelon_workspace* w = NULL;
  EXPECT(!echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, 3, start, index_, values, NULL));
  EXPECT(!echelon_create_batch(&s, l, 2, two, 0, "cpu.threads=2") && !echelon_solve(s, b, x));
  EXPECT(x[0] == 1 && x[2] == 2 && x[3] == 1 && x[5] == 2);
  EXPECT(!echelon_failed(s, 2, systems, &count) && count == 0 && !echelon_check(s));
  EXPECT(!echelon_update_batch(s, singular, 5) && !echelon_create_workspace(&w, s, NULL));
  EXPECT(!echelon_solve_in(w, b, x) && x[2] == 2 && isnan(x[5]));
  EXPECT(!echelon_failed_in(w, 2, systems, &count) && count == 1 && systems[0] == 1);
  EXPECT(echelon_check_in(w) == ECHELON_ZERO_DIAGONAL);
  echelon_destroy_workspace(w);
  echelon_destroy(s);
  echelon_destroy_matrix(l);
}

static void solve_complex(void) {
  const int64_t wide_start[] = {1, 2}, wide_index[] = {1};
  const double complex a = 2 * I, b = 4;
  double complex x = 0;
  echelon_matrix* m = NULL;
  echelon_solver* s = NULL;
  EXPECT(!echelon_create_matrix(&m, ECHELON_COMPLEX_DOUBLE, ECHELON_INT64, 1, wide_start,
                                wide_index, &a, "base=1"));
  EXPECT(!echelon_create_triangle(&s, m, NULL) && !echelon_solve(s, &b, &x));
  EXPECT(cabs(x + 2 * I) < 1e-15);
  echelon_destroy(s);
  echelon_destroy_matrix(m);
}

int main(void) {
  echelon_matrix* none = NULL;
  solve_triangle();
  solve_factors();
  solve_batch();
  solve_complex();
  EXPECT(echelon_read_matrix(&none, ECHELON_DOUBLE, "no such file", NULL) == ECHELON_BAD_FILE);
  EXPECT(none == NULL && echelon_last_error_status(NULL) == ECHELON_BAD_FILE);
  EXPECT(strstr(echelon_last_error(NULL), "no such file") && echelon_last_error_row(NULL) == -1);
  EXPECT(strcmp(echelon_status_name(ECHELON_SINGULAR), "singular") == 0);
  EXPECT(echelon_version_number() > 0 && strchr(echelon_version(), '.') != NULL);
  EXPECT(strstr(echelon_built_with(), "ilu0") != NULL);
  if (failures == 0) puts("all as expected");
  return failures != 0;
}
