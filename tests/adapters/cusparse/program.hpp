// tests/adapters/cusparse/program.hpp -- a program that calls cuSPARSE and knows nothing of
// Echelon: matrices, device memory, one triangular solve, and the check of its answer.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>
#include <cusparse.h>

#include <complex>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace program {

struct NotSupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}
inline void check(cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_NOT_SUPPORTED) throw NotSupported("not supported");
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

template <class T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
};
template <>
struct TypeOf<double> {
  static constexpr cudaDataType value = CUDA_R_64F;
};
template <>
struct TypeOf<std::complex<float>> {
  static constexpr cudaDataType value = CUDA_C_32F;
};
template <>
struct TypeOf<std::complex<double>> {
  static constexpr cudaDataType value = CUDA_C_64F;
};

// cuSPARSE refuses the conjugate transpose of a real matrix; others may take it.
template <class T>
void check_taken(cusparseStatus_t status, cusparseOperation_t op) {
  if (status == CUSPARSE_STATUS_INVALID_VALUE && std::is_floating_point_v<T> &&
      op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE)
    throw NotSupported("the conjugate transpose of a real matrix");
  check(status);
}

template <class T>
class Device {
 public:
  explicit Device(std::size_t size) : size_(size) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), (size + 1) * sizeof(T)));
  }
  explicit Device(const std::vector<T>& host) : Device(host.size()) { load(host); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  ~Device() { cudaFree(data_); }
  void load(const std::vector<T>& host) {
    check(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> store() const {
    std::vector<T> host(size_);
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(host.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

// A square matrix by rows on the host.
template <class T>
struct Matrix {
  int n = 0;
  std::vector<std::int64_t> start{0};
  std::vector<std::int64_t> index;
  std::vector<T> value;
};

// Both triangles: the grid's neighbours and `more` pseudo-random entries per row; diagonals of 2
// to 3.
template <class T>
Matrix<T> make_matrix(int width, int height, int more, unsigned seed = 1);
template <class T>
Matrix<T> keep_lower(const Matrix<T>& a);
template <class T>
std::vector<T> make_vector(std::size_t size, unsigned seed);
// The positions of the diagonal entries.
template <class T>
std::vector<std::size_t> diagonal_of(const Matrix<T>& a);

enum class Format { csr, csc, coo };

// How a matrix is given to cuSPARSE and solved with.
struct Shape {
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diag = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  Format format = Format::csr;
  bool wide = false;  // indices of 64 bits
  int base = 0;
  bool triangle = true;  // false: without attributes, for products
};

class Handle {
 public:
  explicit Handle(cudaStream_t stream = nullptr) {
    check(cusparseCreate(&handle_));
    check(cusparseSetStream(handle_, stream));
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { cusparseDestroy(handle_); }
  operator cusparseHandle_t() const { return handle_; }

 private:
  cusparseHandle_t handle_ = nullptr;
};

// The matrix on the device, and its descriptor.
template <class T>
class Sparse {
 public:
  Sparse(const Matrix<T>& a, const Shape& shape);
  Sparse(const Sparse&) = delete;
  Sparse& operator=(const Sparse&) = delete;
  ~Sparse() { cusparseDestroySpMat(descriptor_); }
  operator cusparseSpMatDescr_t() const { return descriptor_; }
  Device<T>& values() { return value_; }

 private:
  Device<std::int64_t> start_, index_;  // of 32 bits too: then half of it is used
  Device<T> value_;
  cusparseSpMatDescr_t descriptor_ = nullptr;
};

// SpSV with its descriptors, from analysis to destruction.
template <class T>
class VectorSolve {
 public:
  VectorSolve(cusparseHandle_t handle, const Matrix<T>& a, const Shape& shape, const Device<T>& b,
              const Device<T>& x);
  VectorSolve(const VectorSolve&) = delete;
  VectorSolve& operator=(const VectorSolve&) = delete;
  ~VectorSolve();
  void solve(const T& alpha) { solve_with(&alpha); }
  void solve_with(const T* alpha);  // host or device, as the handle's pointer mode says
  void update(Device<T>& values, cusparseSpSVUpdate_t part) {
    check(cusparseSpSV_updateMatrix(handle_, operation_, values.data(), part));
  }

 private:
  cusparseHandle_t handle_;
  Shape shape_;
  Sparse<T> a_;
  cusparseDnVecDescr_t b_ = nullptr, x_ = nullptr;
  cusparseSpSVDescr_t operation_ = nullptr;
  void* buffer_ = nullptr;
};

// Throws unless op(A) x = alpha b by componentwise backward error, for vectors with these
// distances.
struct Steps {
  std::size_t entry = 1, vector = 0;
};
template <class T>
void check_answer(const Matrix<T>& a, const Shape& shape, const T& alpha, const std::vector<T>& b,
                  const std::vector<T>& x, int count = 1, Steps of_b = {}, Steps of_x = {});

// Runs a case, prints PASS, SKIP (cuSPARSE says "not supported") or FAIL with its name.
void run(const std::string& name, const std::function<void()>& body);
int failures();

void vector_cases();
void matrix_cases();
void life_cases();

}  // namespace program
