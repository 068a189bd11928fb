// echelon/adapters/suitesparse/cholmod.hpp -- CHOLMOD's factors, sparse and dense matrices as ours.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cholmod.h>

#include <limits>
#include <string>

#include "echelon/factor.hpp"

namespace echelon::suitesparse {

// Factors of the caller, supernodal or simplicial, LL' or LDL', with indices int or long.  Panels
// stay where they are: `l` must outlive the result and its solver, and after cholmod_factorize()
// the solver is updated with factors(l) again.  Columns are copied.  float is rounded from double.
// Throws bad_argument for a form that is not one of these, backend_missing if Echelon was built
// without the header of CHOLMOD, which must be of the same main version as the caller's.
template <Scalar T>
Factors<T> factors(const cholmod_factor* l) {
  return load_cholmod<T>(l);
}

namespace parts {

[[noreturn]] inline void refuse(const std::string& text) {
  throw Error(ErrorCode::bad_argument, "CHOLMOD's matrix " + text);
}
template <Scalar T>
void check_values(int xtype, int dtype) {
  constexpr bool single = sizeof(Real<T>) == sizeof(float);
  if (xtype != (is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL))
    refuse(is_complex<T> ? "is not of xtype COMPLEX" : "is not of xtype REAL");
  if (dtype != (single ? CHOLMOD_SINGLE : CHOLMOD_DOUBLE))
    refuse(single ? "is not of single precision" : "is not of double precision");
}
inline Index narrow(std::size_t size) {
  if (size > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    refuse("has " + std::to_string(size) + " rows or columns, beyond 32-bit indices");
  return static_cast<Index>(size);
}

}  // namespace parts

// A packed matrix by columns.  Values are not copied; starts are if they are int, row numbers if
// they are long.  A matrix with stype 0 is whole; else one triangle of it is stored, as
// factor_cholmod and echelon::lower or upper read it.
template <Scalar T>
Arrays<T, Order::columns> columns(const cholmod_sparse& a) {
  parts::check_values<T>(a.xtype, a.dtype);
  if (a.packed == 0) parts::refuse("is not packed; call cholmod_copy_sparse");
  const Index rows = parts::narrow(a.nrow), cols = parts::narrow(a.ncol);
  const auto* const value = static_cast<const T*>(a.x);
  if (a.itype == CHOLMOD_INT)
    return {rows, cols, static_cast<const int*>(a.p), static_cast<const int*>(a.i), value};
  if (a.itype == CHOLMOD_LONG)
    return {rows, cols, static_cast<const Offset*>(a.p), static_cast<const Offset*>(a.i), value};
  parts::refuse("has indices that are neither int nor long");
}

// Right-hand sides or solutions, not copied.
template <Scalar T>
Vectors<T> vectors(const cholmod_dense& x) {
  parts::check_values<T>(x.xtype, x.dtype);
  return {static_cast<T*>(x.x), parts::narrow(x.nrow), parts::narrow(x.ncol),
          static_cast<Offset>(x.d)};
}

}  // namespace echelon::suitesparse
