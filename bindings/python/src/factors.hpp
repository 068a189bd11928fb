// bindings/python/src/factors.hpp -- factors from arrays of Python, or by a package of this build.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "arrays.hpp"
#include "echelon/factor.hpp"
#include "echelon/tools/set_by_name.hpp"
#include "shared.hpp"

namespace echelon::python {

// By a package of this build.
template <Scalar T>
Factors<T> factors_by(const nb::tuple& matrix, const std::string& package,
                      const Settings& settings) {
  const PythonMatrix<T> a = to_matrix<T>(matrix);
  FactorOptions o = factor_defaults(package);
  for (const auto& [path, text] : settings) set_by_name(o, path, text);
  const nb::gil_scoped_release released;
  return with_view<T>(a, [&](const auto& view) { return factor_by_name(package, view, o); });
}

inline std::vector<Index> order_of(const Values<std::int32_t>& order) {
  return {order.data(), order.data() + order.shape(0)};
}

// A(row_order, col_order) = L U, where the diagonal of L is 1.
template <Scalar T>
Factors<T> factors_lu(const nb::tuple& lower_parts, const nb::tuple& upper_parts,
                      const Values<std::int32_t>& row_order,
                      const Values<std::int32_t>& col_order) {
  const PythonMatrix<T> l = to_matrix<T>(lower_parts);
  const PythonMatrix<T> u = to_matrix<T>(upper_parts);
  const nb::gil_scoped_release released;
  Factors<T> f = with_view<T>(l, [&](const auto& lower_view) {
    return with_view<T>(u, [&](const auto& upper_view) {
      return factors_of(lower(lower_view, {.diagonal = Diagonal::unit}), upper(upper_view));
    });
  });
  f.row_order = order_of(row_order);
  f.col_order = order_of(col_order);
  return f;
}

// A(order, order) = L D L^H; an empty D is 1, and the diagonal of L is 1 where there is a D.
template <Scalar T>
Factors<T> factors_symmetric(const nb::tuple& lower_parts, const Values<T>& diagonal,
                             const Values<std::int32_t>& order) {
  const PythonMatrix<T> l = to_matrix<T>(lower_parts);
  const bool with_d = diagonal.shape(0) > 0;
  if (with_d && static_cast<Index>(diagonal.shape(0)) != l.rows)
    refuse("D has " + std::to_string(diagonal.shape(0)) + " entries for " + std::to_string(l.rows) +
           " rows");
  const Diagonal stored = with_d ? Diagonal::unit : Diagonal::stored;
  const nb::gil_scoped_release released;
  Factors<T> f = with_view<T>(l, [&](const auto& view) {
    return factors_of(lower(view, {.diagonal = stored}),
                      lower(view, {.op = Op::conjugate, .diagonal = stored}));
  });
  f.upper = {};
  f.symmetric = true;
  f.kind = with_d ? "LDL'" : "LL'";
  f.diagonal.assign(diagonal.data(), diagonal.data() + diagonal.shape(0));
  f.row_order = f.col_order = order_of(order);
  return f;
}

}  // namespace echelon::python
