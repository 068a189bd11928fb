// tests/adapters/cusparse/program.cpp -- matrices, one solve by SpSV, and the check of answers.
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

namespace program {
namespace {

std::atomic<int> failed{0};

// Numbers of -1 to 1 from a linear congruential generator.
class Numbers {
 public:
  explicit Numbers(unsigned seed) : state_(seed * 2654435761u + 12345u) {}
  unsigned next() { return state_ = state_ * 1664525u + 1013904223u, state_ >> 8; }
  double real() { return next() / double(1 << 23) - 1; }
  template <class T>
  T number() {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(real());
    else
      return T(static_cast<typename T::value_type>(real()),
               static_cast<typename T::value_type>(real()));
  }

 private:
  unsigned state_;
};

template <class T>
T conjugate(const T& x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

template <class T>
Matrix<T> transposed(const Matrix<T>& a) {
  Matrix<T> t;
  t.n = a.n;
  t.start.assign(static_cast<std::size_t>(a.n) + 1, 0);
  for (const auto j : a.index) ++t.start[static_cast<std::size_t>(j) + 1];
  for (int i = 0; i < a.n; ++i) t.start[i + 1] += t.start[i];
  t.index.resize(a.index.size());
  t.value.resize(a.value.size());
  std::vector<std::int64_t> next(t.start);
  for (int i = 0; i < a.n; ++i)
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k) {
      const auto to = next[a.index[k]]++;
      t.index[to] = i;
      t.value[to] = a.value[k];
    }
  return t;
}

// As cuSPARSE takes them: of 32 or 64 bits, from this base, in memory for 64.
std::vector<std::int64_t> packed(const std::vector<std::int64_t>& from, const Shape& s) {
  std::vector<std::int64_t> to(from);
  for (auto& index : to) index += s.base;
  if (s.wide) return to;
  const std::vector<std::int32_t> narrow(to.begin(), to.end());
  std::memcpy(to.data(), narrow.data(), narrow.size() * sizeof(std::int32_t));
  return to;
}

template <class T>
std::vector<std::int64_t> starts(const Matrix<T>& a, Format format) {
  if (format != Format::coo) return a.start;
  std::vector<std::int64_t> row(a.index.size());
  for (int i = 0; i < a.n; ++i)
    std::fill(row.begin() + a.start[i], row.begin() + a.start[i + 1], i);
  return row;
}

}  // namespace

template <class T>
Matrix<T> make_matrix(int width, int height, int more, unsigned seed) {
  Numbers numbers(seed);
  Matrix<T> a;
  a.n = width * height;
  for (int i = 0; i < a.n; ++i) {
    std::vector<int> columns{i};
    if (i % width > 0) columns.push_back(i - 1);
    if (i % width < width - 1) columns.push_back(i + 1);
    if (i >= width) columns.push_back(i - width);
    if (i + width < a.n) columns.push_back(i + width);
    for (int k = 0; k < more; ++k) columns.push_back(static_cast<int>(numbers.next() % a.n));
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    const double size = 1.0 / static_cast<double>(columns.size());
    for (const int j : columns) {
      const T number = numbers.number<T>();
      a.index.push_back(j);
      a.value.push_back(j == i ? T(2.5) + number * T(0.5) : number * T(size));
    }
    a.start.push_back(static_cast<std::int64_t>(a.index.size()));
  }
  return a;
}

template <class T>
Matrix<T> keep_lower(const Matrix<T>& a) {
  Matrix<T> l;
  l.n = a.n;
  for (int i = 0; i < a.n; ++i) {
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.index[k] <= i) {
        l.index.push_back(a.index[k]);
        l.value.push_back(a.value[k]);
      }
    l.start.push_back(static_cast<std::int64_t>(l.index.size()));
  }
  return l;
}

template <class T>
std::vector<T> make_vector(std::size_t size, unsigned seed) {
  Numbers numbers(seed);
  std::vector<T> v(size);
  for (T& entry : v) entry = numbers.number<T>();
  return v;
}

template <class T>
std::vector<std::size_t> diagonal_of(const Matrix<T>& a) {
  std::vector<std::size_t> where;
  for (int i = 0; i < a.n; ++i)
    for (auto k = a.start[i]; k < a.start[i + 1]; ++k)
      if (a.index[k] == i) where.push_back(static_cast<std::size_t>(k));
  return where;
}

template <class T>
Sparse<T>::Sparse(const Matrix<T>& given, const Shape& s)
    : start_(std::max(given.index.size(), given.start.size())),
      index_(given.index.size()),
      value_(given.value.size()) {
  const Matrix<T> a = s.format == Format::csc ? transposed(given) : given;
  start_.load(packed(starts(a, s.format), s));
  index_.load(packed(a.index, s));
  value_.load(a.value);
  const auto nnz = static_cast<std::int64_t>(a.index.size());
  const auto type = s.wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
  const auto base = s.base == 1 ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
  const cudaDataType number = TypeOf<T>::value;
  if (s.format == Format::coo)
    check(cusparseCreateCoo(&descriptor_, a.n, a.n, nnz, start_.data(), index_.data(),
                            value_.data(), type, base, number));
  else if (s.format == Format::csc)
    check(cusparseCreateCsc(&descriptor_, a.n, a.n, nnz, start_.data(), index_.data(),
                            value_.data(), type, type, base, number));
  else
    check(cusparseCreateCsr(&descriptor_, a.n, a.n, nnz, start_.data(), index_.data(),
                            value_.data(), type, type, base, number));
  if (!s.triangle) return;
  auto fill = s.fill;
  auto diag = s.diag;
  check(cusparseSpMatSetAttribute(descriptor_, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
  check(cusparseSpMatSetAttribute(descriptor_, CUSPARSE_SPMAT_DIAG_TYPE, &diag, sizeof(diag)));
}

template <class T>
VectorSolve<T>::VectorSolve(cusparseHandle_t handle, const Matrix<T>& a, const Shape& shape,
                            const Device<T>& b, const Device<T>& x)
    : handle_(handle), shape_(shape), a_(a, shape) {
  const T alpha(1);
  const cudaDataType type = TypeOf<T>::value;
  std::size_t bytes = 0;
  check(cusparseCreateDnVec(&b_, a.n, b.data(), type));
  check(cusparseCreateDnVec(&x_, a.n, x.data(), type));
  check(cusparseSpSV_createDescr(&operation_));
  check_taken<T>(cusparseSpSV_bufferSize(handle, shape.op, &alpha, a_, b_, x_, type,
                                         CUSPARSE_SPSV_ALG_DEFAULT, operation_, &bytes),
                 shape.op);
  check(cudaMalloc(&buffer_, bytes));
  check(cusparseSpSV_analysis(handle, shape.op, &alpha, a_, b_, x_, type, CUSPARSE_SPSV_ALG_DEFAULT,
                              operation_, buffer_));
}

template <class T>
VectorSolve<T>::~VectorSolve() {
  cusparseSpSV_destroyDescr(operation_);
  cusparseDestroyDnVec(b_);
  cusparseDestroyDnVec(x_);
  cudaFree(buffer_);
}

template <class T>
void VectorSolve<T>::solve_with(const T* alpha) {
  check(cusparseSpSV_solve(handle_, shape_.op, alpha, a_, b_, x_, TypeOf<T>::value,
                           CUSPARSE_SPSV_ALG_DEFAULT, operation_));
}

// |alpha b - op(A) x| <= tolerance (|alpha b| + |op(A)| |x|) in every row; NaN fails.
template <class T>
void check_answer(const Matrix<T>& given, const Shape& s, const T& alpha, const std::vector<T>& b,
                  const std::vector<T>& x, int count, Steps of_b, Steps of_x) {
  const bool plain = s.op == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool lower = (s.fill == CUSPARSE_FILL_MODE_LOWER) == plain;
  const Matrix<T> m = plain ? given : transposed(given);
  const bool conjugated = s.op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  const double tolerance = 300 * std::numeric_limits<decltype(std::abs(T()))>::epsilon();
  for (int v = 0; v < count; ++v)
    for (int i = 0; i < m.n; ++i) {
      T rest = alpha * b[i * of_b.entry + v * of_b.vector];
      double size = std::abs(rest);
      for (auto k = m.start[i]; k < m.start[i + 1]; ++k) {
        const auto j = m.index[k];
        if (j != i && (j < i) != lower) continue;
        if (j == i && s.diag == CUSPARSE_DIAG_TYPE_UNIT) continue;
        const T term =
            (conjugated ? conjugate(m.value[k]) : m.value[k]) * x[j * of_x.entry + v * of_x.vector];
        rest -= term;
        size += std::abs(term);
      }
      if (s.diag == CUSPARSE_DIAG_TYPE_UNIT) {
        rest -= x[i * of_x.entry + v * of_x.vector];
        size += std::abs(x[i * of_x.entry + v * of_x.vector]);
      }
      if (!(std::abs(rest) <= tolerance * size))
        throw std::runtime_error("row " + std::to_string(i) + " of vector " + std::to_string(v) +
                                 " has the residual " + std::to_string(std::abs(rest)));
    }
}

void run(const std::string& name, const std::function<void()>& body) {
  try {
    body();
    std::printf("PASS %s\n", name.c_str());
  } catch (const NotSupported&) {
    std::printf("SKIP %s: this cuSPARSE does not support it\n", name.c_str());
  } catch (const std::exception& e) {
    ++failed;
    std::printf("FAIL %s: %s\n", name.c_str(), e.what());
  }
  std::fflush(stdout);
}

int failures() { return failed; }

#define INSTANTIATE(T)                                                                        \
  template Matrix<T> make_matrix(int, int, int, unsigned);                                    \
  template Matrix<T> keep_lower(const Matrix<T>&);                                            \
  template std::vector<T> make_vector(std::size_t, unsigned);                                 \
  template std::vector<std::size_t> diagonal_of(const Matrix<T>&);                            \
  template class Sparse<T>;                                                                   \
  template class VectorSolve<T>;                                                              \
  template void check_answer(const Matrix<T>&, const Shape&, const T&, const std::vector<T>&, \
                             const std::vector<T>&, int, Steps, Steps);
INSTANTIATE(float)
INSTANTIATE(double)
INSTANTIATE(std::complex<float>)
INSTANTIATE(std::complex<double>)
#undef INSTANTIATE

}  // namespace program
