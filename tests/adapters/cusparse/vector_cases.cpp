// tests/adapters/cusparse/vector_cases.cpp -- SpSV for every way to read a triangle.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "program.hpp"

namespace program {
namespace {

template <class T>
const char* type_name() {
  switch (TypeOf<T>::value) {
    case CUDA_R_32F:
      return "float";
    case CUDA_R_64F:
      return "double";
    case CUDA_C_32F:
      return "complex float";
    default:
      return "complex double";
  }
}

std::string describe(const Shape& s) {
  std::string text = s.fill == CUSPARSE_FILL_MODE_LOWER ? "lower" : "upper";
  text += s.diag == CUSPARSE_DIAG_TYPE_UNIT ? ", unit" : "";
  if (s.op == CUSPARSE_OPERATION_TRANSPOSE) text += ", transpose";
  if (s.op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE) text += ", conjugate transpose";
  text += s.format == Format::csr ? "" : s.format == Format::csc ? ", CSC" : ", COO";
  text += s.wide ? ", 64-bit indices" : "";
  return text + (s.base == 1 ? ", base 1" : "");
}

template <class T>
void solve_once(const Matrix<T>& a, const Shape& shape, const T& alpha) {
  const Handle handle;
  const auto b = make_vector<T>(static_cast<std::size_t>(a.n), 7);
  const Device<T> on_b(b), on_x(b.size());
  VectorSolve<T> solve(handle, a, shape, on_b, on_x);
  solve.solve(alpha);
  check_answer(a, shape, alpha, b, on_x.store());
}

template <class T>
void shapes() {
  const Matrix<T> a = make_matrix<T>(17, 23, 3);
  const std::string type = std::string("SpSV ") + type_name<T>() + ": ";
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (const auto diag : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
      for (const auto op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                            CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE}) {
        const Shape s{fill, diag, op};
        run(type + describe(s), [&] { solve_once(a, s, T(1)); });
      }
  for (const Format format : {Format::csr, Format::csc, Format::coo})
    for (const bool wide : {false, true})
      for (const int base : {0, 1}) {
        Shape s;
        s.format = format;
        s.wide = wide;
        s.base = base;
        run(type + describe(s) + ", alpha -2.5", [&] { solve_once(a, s, T(-2.5)); });
      }
}

void sizes() {
  for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER}) {
    Shape s;
    s.fill = fill;
    const std::string which = describe(s);
    run("SpSV grid of 300 by 300: " + which,
        [&] { solve_once(make_matrix<double>(300, 300, 0), s, 1.0); });
    run("SpSV a chain of 5000: " + which,
        [&] { solve_once(make_matrix<double>(5000, 1, 0), s, 1.0); });
    run("SpSV many dependencies: " + which,
        [&] { solve_once(make_matrix<double>(60, 10, 250), s, 1.0); });
    run("SpSV one unknown: " + which, [&] { solve_once(make_matrix<double>(1, 1, 0), s, 1.0); });
  }
}

void in_place() {
  const Handle handle;
  const Matrix<double> a = make_matrix<double>(40, 30, 2);
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> both(b);
  VectorSolve<double> solve(handle, a, {}, both, both);
  solve.solve(1.0);
  check_answer(a, {}, 1.0, b, both.store());
}

void alpha_on_device() {
  const Handle handle;
  check(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  using T = std::complex<double>;
  const Matrix<T> a = make_matrix<T>(40, 30, 2);
  const auto b = make_vector<T>(static_cast<std::size_t>(a.n), 3);
  const Device<T> on_b(b), on_x(b.size());
  Device<T> alpha(std::vector<T>{T(0.5, 2)});
  VectorSolve<T> solve(handle, a, {}, on_b, on_x);
  solve.solve_with(alpha.data());
  check_answer(a, {}, T(0.5, 2), b, on_x.store());
  alpha.load({T(-3, 1)});
  solve.solve_with(alpha.data());
  check_answer(a, {}, T(-3, 1), b, on_x.store());
}

// What cuSPARSE says for a zero on the diagonal: no error, and no finite answer from that row on.
void zero_diagonal() {
  const Handle handle;
  Matrix<double> a = make_matrix<double>(20, 20, 0);
  a.value[diagonal_of(a)[150]] = 0;
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), on_x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, on_x);
  solve.solve(1.0);
  const auto x = on_x.store();
  if (!std::isfinite(x[149])) throw std::runtime_error("x(149) does not need row 150");
  if (std::isfinite(x[150])) throw std::runtime_error("x(150) was divided by zero");
}

void not_finite_right_side() {
  const Handle handle;
  const Matrix<double> a = make_matrix<double>(20, 20, 0);
  auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  b[150] = std::nan("");
  const Device<double> on_b(b), on_x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, on_x);
  solve.solve(1.0);
  const auto x = on_x.store();
  if (!std::isnan(x[150]) || !std::isnan(x[399])) throw std::runtime_error("NaN was lost");
}

void update_all() {
  const Handle handle;
  Matrix<double> a = make_matrix<double>(50, 40, 2);
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), on_x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, on_x);
  solve.solve(1.0);
  check_answer(a, {}, 1.0, b, on_x.store());
  for (const unsigned seed : {2u, 3u}) {
    for (double& value : a.value) value *= 1.5 + seed;
    Device<double> values(a.value);
    solve.update(values, CUSPARSE_SPSV_UPDATE_GENERAL);
    solve.solve(1.0);
    check_answer(a, {}, 1.0, b, on_x.store());
  }
}

void update_diagonal() {
  const Handle handle;
  Matrix<double> a = make_matrix<double>(50, 40, 2);
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), on_x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, on_x);
  auto diagonal = make_vector<double>(b.size(), 5);
  for (double& value : diagonal) value += 4;
  Device<double> values(diagonal);
  solve.update(values, CUSPARSE_SPSV_UPDATE_DIAGONAL);
  solve.solve(1.0);
  const auto where = diagonal_of(a);
  for (std::size_t i = 0; i < where.size(); ++i) a.value[where[i]] = diagonal[i];
  check_answer(a, {}, 1.0, b, on_x.store());
}

// An update that brings a zero on the diagonal, and one that takes it away again.
void update_to_zero() {
  const Handle handle;
  Matrix<double> a = make_matrix<double>(20, 20, 0);
  const Matrix<double> before = a;
  const auto b = make_vector<double>(static_cast<std::size_t>(a.n), 3);
  const Device<double> on_b(b), on_x(b.size());
  VectorSolve<double> solve(handle, a, {}, on_b, on_x);
  a.value[diagonal_of(a)[150]] = 0;
  Device<double> values(a.value);
  solve.update(values, CUSPARSE_SPSV_UPDATE_GENERAL);
  solve.solve(1.0);
  const auto x = on_x.store();
  if (!std::isfinite(x[149]) || std::isfinite(x[150]))
    throw std::runtime_error("the zero of the update was not seen");
  values.load(before.value);
  solve.update(values, CUSPARSE_SPSV_UPDATE_GENERAL);
  solve.solve(1.0);
  check_answer(before, {}, 1.0, b, on_x.store());
}

}  // namespace

void vector_cases() {
  shapes<float>();
  shapes<double>();
  shapes<std::complex<float>>();
  shapes<std::complex<double>>();
  sizes();
  run("SpSV in place", in_place);
  run("SpSV with alpha on the device", alpha_on_device);
  run("SpSV with a zero on the diagonal", zero_diagonal);
  run("SpSV with NaN in the right-hand side", not_finite_right_side);
  run("SpSV_updateMatrix, all values", update_all);
  run("SpSV_updateMatrix, the diagonal", update_diagonal);
  run("SpSV_updateMatrix, to a zero on the diagonal and back", update_to_zero);
}

}  // namespace program
