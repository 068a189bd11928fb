// tests/bindings/c/device.c -- vectors on the device, by the C interfaces of CUDA and of Echelon.
// SPDX-License-Identifier: BSD-3-Clause
//
// Exits with 77 where there is no GPU.
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "echelon.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  ++failures;
  printf("device.c:%d: not so: %s; last error: %s\n", line, what, echelon_last_error(NULL));
}
#define EXPECT(x) expect((x), #x, __LINE__)

enum { n = 5000 };
static int start[n + 1], index_[2 * n];
static double values[2 * n], b[2 * n], x[2 * n];

// Rows x[i] - x[i-1] / 2 = 1 + k / 2: x[i] is 2 + k - 2^-i (1 + k / 2), of right-hand side k.
static void make_system(void) {
  int nnz = 0;
  for (int i = 0; i < n; ++i) {
    start[i] = nnz;
    if (i > 0) index_[nnz] = i - 1, values[nnz++] = -0.5;
    index_[nnz] = i, values[nnz++] = 1;
    b[i] = 1, b[n + i] = 1.5;
  }
  start[n] = nnz;
}

static int is_solution(const double* solution, int k, double factor) {
  for (int i = 0; i < n; ++i) {
    const double exact = factor * (2 + k - ldexp(1 + k / 2.0, -i));
    if (!(fabs(solution[i] - exact) < 1e-12 * factor)) return 0;
  }
  return 1;
}

static void solve_on_device(echelon_solver* s, const echelon_matrix* l) {
  double *device_b = NULL, *device_x = NULL;
  const double three = 3;
  cudaStream_t stream = NULL;
  echelon_workspace* w = NULL;
  EXPECT(!cudaMalloc((void**)&device_b, sizeof b) && !cudaMalloc((void**)&device_x, sizeof x));
  EXPECT(!cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice));

  EXPECT(!echelon_solve(s, device_b, device_x) && !cudaDeviceSynchronize() && !echelon_check(s));
  EXPECT(!cudaMemcpy(x, device_x, sizeof x, cudaMemcpyDeviceToHost) && is_solution(x, 0, 1));

  EXPECT(!echelon_solve_many(s, 2, device_b, n, device_x, n, ECHELON_COLUMN_MAJOR));
  EXPECT(!cudaDeviceSynchronize() && !echelon_check(s));
  EXPECT(!cudaMemcpy(x, device_x, sizeof x, cudaMemcpyDeviceToHost));
  EXPECT(is_solution(x, 0, 1) && is_solution(x + n, 1, 1));

  EXPECT(!cudaStreamCreate(&stream) && !echelon_create_workspace(&w, s, NULL));
  EXPECT(!echelon_set_stream(w, stream) && !echelon_set_alpha(w, &three));
  EXPECT(!echelon_solve_in(w, device_b, device_b));  // in place, and not waited for
  EXPECT(!cudaStreamSynchronize(stream) && !echelon_check_in(w));
  EXPECT(!cudaMemcpy(x, device_b, sizeof *x * n, cudaMemcpyDeviceToHost) && is_solution(x, 0, 3));

  // What lies on the device cannot be refused at once: the check finds it.
  b[7] = NAN;
  EXPECT(!cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice));
  EXPECT(!echelon_solve_in(w, device_b, device_x) && !cudaStreamSynchronize(stream));
  EXPECT(echelon_check_in(w) == ECHELON_NOT_FINITE);
  b[7] = 1;

  EXPECT(echelon_solve(s, b, device_x) == ECHELON_BAD_ARGUMENT);  // one here, one there
  EXPECT(!echelon_update(s, l) && !echelon_solve(s, b, x) && is_solution(x, 0, 1));  // on the host
  echelon_destroy_workspace(w);
  EXPECT(!cudaStreamDestroy(stream) && !cudaFree(device_b) && !cudaFree(device_x));
}

int main(void) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    puts("skipped: there is no CUDA device");
    return 77;
  }
  echelon_matrix* l = NULL;
  echelon_solver* s = NULL;
  const char* backend = "";
  make_system();
  EXPECT(!echelon_create_matrix(&l, ECHELON_DOUBLE, ECHELON_INT32, n, start, index_, values, NULL));
  EXPECT(!echelon_create_triangle(&s, l, "backend=cuda"));
  EXPECT(!echelon_report_text(s, "backend", &backend) && strcmp(backend, "cuda") == 0);
  if (s != NULL) solve_on_device(s, l);
  echelon_destroy(s);
  echelon_destroy_matrix(l);
  if (failures == 0) puts("all as expected");
  return failures != 0;
}
