// echelon/adapters/suitesparse/umfpack.hpp -- the factors in a Numeric object of UMFPACK.
// SPDX-License-Identifier: BSD-3-Clause
//
// P (R A) Q = L U.  UMFPACK gives L by rows with a unit diagonal, U by columns, the pivot rows P
// and columns Q, and the scaling R, which it multiplies by or divides by (do_recip).
#pragma once

#include <umfpack.h>

#include <limits>
#include <string>
#include <vector>

#include "echelon/factor.hpp"

namespace echelon::suitesparse {

// The functions of UMFPACK for values T and indices Number: int or SuiteSparse_long.
template <Scalar T, class Number>
struct Umfpack;

#define ECHELON_UMFPACK(T, Number, get_lunz, get_numeric, noZ)                                    \
  template <>                                                                                     \
  struct Umfpack<T, Number> {                                                                     \
    static Number sizes(Number* l, Number* u, Number* rows, Number* cols, Number* on_diagonal,    \
                        void* numeric) {                                                          \
      return static_cast<Number>(get_lunz(l, u, rows, cols, on_diagonal, numeric));               \
    }                                                                                             \
    static Number arrays(Number* lp, Number* lj, double* lx, Number* up, Number* ui, double* ux,  \
                         Number* p, Number* q, Number* do_recip, double* rs, void* numeric) {     \
      return static_cast<Number>(                                                                 \
          get_numeric(lp, lj, lx noZ, up, ui, ux noZ, p, q, nullptr noZ, do_recip, rs, numeric)); \
    }                                                                                             \
  };
#define ECHELON_NO_IMAGINARY , nullptr
ECHELON_UMFPACK(double, int, umfpack_di_get_lunz, umfpack_di_get_numeric, )
ECHELON_UMFPACK(double, SuiteSparse_long, umfpack_dl_get_lunz, umfpack_dl_get_numeric, )
ECHELON_UMFPACK(std::complex<double>, int, umfpack_zi_get_lunz, umfpack_zi_get_numeric,
                ECHELON_NO_IMAGINARY)
ECHELON_UMFPACK(std::complex<double>, SuiteSparse_long, umfpack_zl_get_lunz, umfpack_zl_get_numeric,
                ECHELON_NO_IMAGINARY)
#undef ECHELON_NO_IMAGINARY
#undef ECHELON_UMFPACK

// L, U, P, Q and R as UMFPACK gives them, with 0-based indices of type Number.
template <Scalar T, class Number>
struct UmfpackArrays {
  Number n = 0;
  std::vector<Number> l_start, l_column, u_start, u_row, row_order, col_order;
  Buffer<T> l_value, u_value;
  std::vector<double> scale;
  Number multiply = 0;  // 1: rows are multiplied by the scale, 0: divided

  explicit UmfpackArrays(void* numeric) {
    Number l = 0, u = 0, cols = 0, pivots = 0;
    check(Umfpack<T, Number>::sizes(&l, &u, &n, &cols, &pivots, numeric));
    if (n != cols)
      throw Error(ErrorCode::bad_argument, "umfpack_factors: the matrix has " + std::to_string(n) +
                                               " rows and " + std::to_string(cols) + " columns");
    if (pivots < n)
      throw Error(ErrorCode::singular, "umfpack_factors: the matrix is singular: " +
                                           std::to_string(n - pivots) + " pivots are zero");
    if (static_cast<Offset>(n) > std::numeric_limits<Index>::max())
      throw Error(ErrorCode::bad_argument,
                  "umfpack_factors: " + std::to_string(n) + " rows are beyond 32-bit indices");
    for (auto* const start : {&l_start, &u_start}) start->resize(n + std::size_t{1});
    for (auto* const order : {&row_order, &col_order}) order->resize(n);
    l_column.resize(l), l_value.resize(l), u_row.resize(u), u_value.resize(u), scale.resize(n);
    check(Umfpack<T, Number>::arrays(
        l_start.data(), l_column.data(), reinterpret_cast<double*>(l_value.data()), u_start.data(),
        u_row.data(), reinterpret_cast<double*>(u_value.data()), row_order.data(), col_order.data(),
        &multiply, scale.data(), numeric));
  }

 private:
  static void check(Number status) {
    if (status == UMFPACK_ERROR_out_of_memory)
      throw Error(ErrorCode::out_of_memory, "umfpack_factors: not enough memory");
    if (status != UMFPACK_OK)
      throw Error(ErrorCode::bad_argument,
                  "umfpack_factors: this is no Numeric object of UMFPACK for this type of values "
                  "and indices (status " +
                      std::to_string(status) + ")");
  }
};

// The factors in `numeric`, which umfpack_di_numeric (T double, Number int), dl (SuiteSparse_long),
// zi or zl has made.  UMFPACK keeps them in a form of its own and gives copies only, so `numeric`
// may be freed after the call.  Throws bad_argument, singular, out_of_memory.
template <Scalar T, class Number = int>
Factors<T> umfpack_factors(void* numeric) {
  const UmfpackArrays<T, Number> a(numeric);
  const auto n = static_cast<Index>(a.n);
  const auto l = csr_arrays(n, n, a.l_start.data(), a.l_column.data(), a.l_value.data());
  const auto u = csc_arrays(n, n, a.u_start.data(), a.u_row.data(), a.u_value.data());
  Factors<T> f = factors_of(lower(l.view(), {.diagonal = Diagonal::unit}), upper(u.view()));
  f.package = "umfpack";
  f.row_order.assign(a.row_order.begin(), a.row_order.end());
  f.col_order.assign(a.col_order.begin(), a.col_order.end());
  f.row_scale = a.scale;
  if (a.multiply == 0)
    for (double& scale : f.row_scale) scale = 1 / scale;
  return f;
}

}  // namespace echelon::suitesparse
