// echelon/types.hpp -- the words every room shares: index types, scalars, and the
// few enums that say how a triangle is to be read.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes first; includes export.hpp alone.
#pragma once

#include <complex>
#include <concepts>
#include <cstdint>

#include "echelon/export.hpp"

#pragma GCC visibility push(default)
namespace echelon {

using Index = std::int32_t;   // a row, a column, a level: matrices have fewer than 2^31 rows
using Offset = std::int64_t;  // a position among the nonzeros: there may be more than 2^31

// The four kinds of number Echelon solves with.
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

enum class Uplo { lower, upper };              // which triangle of the stored matrix
enum class Op { none, transpose, conjugate };  // solve with A, A^T or A^H
enum class Diagonal { stored, unit };          // unit: taken as 1, stored entries are not read
enum class OutsideEntries { error, ignore };   // entries in the other triangle
enum class Order { rows, columns };            // how a compressed matrix is listed
enum class Backend { cpu, cuda };              // what carries a solve out
// Vector instructions of CPUs; the baseline is `neon` on ARM and `plain` on all others.
enum class VectorUnit { automatic, plain, avx2, avx512, neon };
enum class Layout { column_major, row_major };  // how many right-hand sides lie in memory

}  // namespace echelon
#pragma GCC visibility pop
