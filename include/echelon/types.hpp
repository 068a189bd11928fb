// echelon/types.hpp -- types used by all modules: index types, scalars, and the enums that say how
// to read a triangle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes first; of Echelon it includes export.hpp and names.hpp only.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>

#include "echelon/export.hpp"
#include "echelon/names.hpp"

#pragma GCC visibility push(default)
namespace echelon {

using Index = std::int32_t;   // a row, a column, a level: matrices have fewer than 2^31 rows
using Offset = std::int64_t;  // a position among the nonzeros: there may be more than 2^31

// The four scalar types.
template <class T>
concept Scalar = std::same_as<T, float> || std::same_as<T, double> ||
    std::same_as<T, std::complex<float>> || std::same_as<T, std::complex<double>>;

template <Scalar T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
template <Scalar T>
using Real = typename RealOf<T>::type;  // float or double: the type of |a|

template <Scalar T>
inline constexpr bool is_complex = !std::same_as<T, Real<T>>;

enum class Uplo { lower, upper };              // triangle of the stored matrix
enum class Op { none, transpose, conjugate };  // solve with A, A^T or A^H
enum class Diagonal { stored, unit };          // unit: taken as 1; stored entries are not read
enum class OutsideEntries { error, ignore };   // entries in the other triangle
enum class Order { rows, columns };            // how a compressed matrix is listed
enum class Backend { cpu, cuda };              // where a solve runs
// Vector instructions of CPUs; the baseline is `neon` on ARM and `plain` elsewhere.
enum class VectorUnit { automatic, plain, avx2, avx512, neon };
// Direction of a sweep over the unknowns: with N, with its transpose, or first one and then the
// other.
enum class Sweep { forward, backward, symmetric };  // symmetric: forward, then backward
enum class Layout { column_major, row_major };      // of several right-hand sides in memory

constexpr auto names(Uplo) {
  return name_table<Uplo>({{Uplo::lower, "lower"}, {Uplo::upper, "upper"}});
}
constexpr auto names(Op) {
  return name_table<Op>({{Op::none, "n", "none"},
                         {Op::transpose, "t", "transpose"},
                         {Op::conjugate, "h", "conjugate"}});
}
constexpr auto names(Diagonal) {
  return name_table<Diagonal>({{Diagonal::stored, "stored"}, {Diagonal::unit, "unit"}});
}
constexpr auto names(OutsideEntries) {
  return name_table<OutsideEntries>(
      {{OutsideEntries::error, "error"}, {OutsideEntries::ignore, "ignore"}});
}
constexpr auto names(Order) {
  return name_table<Order>({{Order::rows, "rows"}, {Order::columns, "columns"}});
}
constexpr auto names(Backend) {
  return name_table<Backend>({{Backend::cpu, "cpu"}, {Backend::cuda, "cuda"}});
}
constexpr auto names(VectorUnit) {
  return name_table<VectorUnit>({{VectorUnit::automatic, "automatic"},
                                 {VectorUnit::plain, "plain"},
                                 {VectorUnit::avx2, "avx2"},
                                 {VectorUnit::avx512, "avx512"},
                                 {VectorUnit::neon, "neon"}});
}
constexpr auto names(Sweep) {
  return name_table<Sweep>({{Sweep::forward, "forward"},
                            {Sweep::backward, "backward"},
                            {Sweep::symmetric, "symmetric"}});
}
constexpr auto names(Layout) {
  return name_table<Layout>({{Layout::column_major, "column"}, {Layout::row_major, "row"}});
}

}  // namespace echelon
#pragma GCC visibility pop
