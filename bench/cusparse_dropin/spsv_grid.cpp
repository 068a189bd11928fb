// bench/cusparse_dropin/spsv_grid.cpp -- times SpSV on the lower triangle of a grid; calls cuSPARSE
// and knows nothing of Echelon.
// SPDX-License-Identifier: BSD-3-Clause
//
// usage: spsv_grid [WIDTH HEIGHT [REPEAT]]     (2048 2048 100)
#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "spsv_grid: %s\n", cudaGetErrorString(status));
  std::exit(1);
}
void check(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  std::fprintf(stderr, "spsv_grid: %s\n", cusparseGetErrorString(status));
  std::exit(1);
}

struct Matrix {
  int n = 0;
  std::vector<int> start{0}, index;
  std::vector<double> value;
};

Matrix grid_lower(int width, int height) {
  Matrix a;
  a.n = width * height;
  const auto put = [&a](int column, double number) {
    a.index.push_back(column);
    a.value.push_back(number);
  };
  for (int i = 0; i < a.n; ++i) {
    if (i >= width) put(i - width, -1);
    if (i % width > 0) put(i - 1, -1);
    put(i, 4);
    a.start.push_back(static_cast<int>(a.index.size()));
  }
  return a;
}

template <class T>
T* to_device(const std::vector<T>& host) {
  T* device = nullptr;
  check(cudaMalloc(reinterpret_cast<void**>(&device), host.size() * sizeof(T)));
  check(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

// The componentwise backward error: the largest |b - L x| / (|L| |x| + |b|).
double backward_error(const Matrix& a, const std::vector<double>& b, const std::vector<double>& x) {
  double worst = 0;
  for (int i = 0; i < a.n; ++i) {
    double rest = b[i], size = std::abs(b[i]);
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      rest -= a.value[k] * x[a.index[k]];
      size += std::abs(a.value[k] * x[a.index[k]]);
    }
    const double error = std::abs(rest) / size;
    if (!(error <= worst)) worst = error;  // NaN too
  }
  return worst;
}

double milliseconds_since(Clock::time_point began) {
  return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

struct Solve {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t b = nullptr, x = nullptr;
  cusparseSpSVDescr_t operation = nullptr;
  void* buffer = nullptr;
  double one = 1;

  void analyze() {
    size_t bytes = 0;
    check(cusparseSpSV_createDescr(&operation));
    check(cusparseSpSV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, x,
                                  CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, operation, &bytes));
    check(cudaMalloc(&buffer, bytes));
    check(cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, x, CUDA_R_64F,
                                CUSPARSE_SPSV_ALG_DEFAULT, operation, buffer));
    check(cudaDeviceSynchronize());
  }
  void solve() {
    check(cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, x, CUDA_R_64F,
                             CUSPARSE_SPSV_ALG_DEFAULT, operation));
  }
  void forget() {
    check(cusparseSpSV_destroyDescr(operation));
    check(cudaFree(buffer));
  }
};

// Milliseconds of each solve, by events around it.
std::vector<double> time_solves(Solve& s, int repeat) {
  std::vector<cudaEvent_t> marks(static_cast<std::size_t>(repeat) + 1);
  for (cudaEvent_t& mark : marks) check(cudaEventCreate(&mark));
  for (int warm = 0; warm < 3; ++warm) s.solve();
  check(cudaEventRecord(marks[0]));
  for (int k = 1; k <= repeat; ++k) {
    s.solve();
    check(cudaEventRecord(marks[k]));
  }
  check(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int k = 1; k <= repeat; ++k) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, marks[k - 1], marks[k]));
    times.push_back(ms);
  }
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const int width = argc > 2 ? std::atoi(argv[1]) : 2048;
  const int height = argc > 2 ? std::atoi(argv[2]) : 2048;
  const int repeat = argc > 3 ? std::atoi(argv[3]) : 100;
  const Matrix m = grid_lower(width, height);
  std::vector<double> b(static_cast<std::size_t>(m.n)), x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 1 + static_cast<double>(i % 7);
  double* const on_x = to_device(x);
  Solve s;
  check(cusparseCreate(&s.handle));
  check(cusparseCreateCsr(&s.a, m.n, m.n, static_cast<std::int64_t>(m.index.size()),
                          to_device(m.start), to_device(m.index), to_device(m.value),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_64F));
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_NON_UNIT;
  check(cusparseSpMatSetAttribute(s.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  check(cusparseSpMatSetAttribute(s.a, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof diag));
  check(cusparseCreateDnVec(&s.b, m.n, to_device(b), CUDA_R_64F));
  check(cusparseCreateDnVec(&s.x, m.n, on_x, CUDA_R_64F));

  auto began = Clock::now();
  s.analyze();
  const double analysis = milliseconds_since(began);
  std::vector<double> times = time_solves(s, repeat);
  check(cudaMemcpy(x.data(), on_x, x.size() * sizeof(double), cudaMemcpyDeviceToHost));
  s.forget();
  began = Clock::now();
  s.analyze();
  const double again = milliseconds_since(began);
  s.forget();

  std::sort(times.begin(), times.end());
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  std::printf(
      "{\"program\": \"spsv_grid\", \"machine\": \"%s\", \"width\": %d, \"height\": %d, \"n\": %d, "
      "\"nnz\": %zu, \"repeats\": %d, \"analysis_ms\": %.3f, \"analysis_again_ms\": %.3f, "
      "\"solve_ms\": %.4f, \"solve_min_ms\": %.4f, \"solve_max_ms\": %.4f, "
      "\"backward_error\": %.2e}\n",
      device.name, width, height, m.n, m.index.size(), repeat, analysis, again,
      times[times.size() / 2], times.front(), times.back(), backward_error(m, b, x));
  return 0;
}
