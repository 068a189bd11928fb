// echelon/adapters/kokkos.hpp -- matrices of Kokkos Kernels and Views of Kokkos, on the host, as
// ours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Needs Kokkos and Kokkos Kernels, alone or as parts of Trilinos; link echelon::kokkos.
//
//   const auto a = echelon::kokkos::rows(matrix);        // a KokkosSparse::CrsMatrix
//   echelon::Solver solver(echelon::lower(a.view()));
//   solver.solve(echelon::kokkos::vectors(b), echelon::kokkos::vectors(x));
//
// Views of Kokkos::complex<R> hold std::complex<R> for us: both are two R in memory.
#pragma once

// Kokkos' headers come first: those of Kokkos Kernels need them.
// clang-format off
#include <Kokkos_Core.hpp>
#include <Kokkos_Complex.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
// clang-format on
#include <limits>
#include <string>
#include <type_traits>

#include "echelon/matrix.hpp"

namespace echelon::kokkos {

// The type of values as we know it.
template <class T>
struct ValueOf {
  using type = T;
};
template <class R>
struct ValueOf<Kokkos::complex<R>> {
  using type = std::complex<R>;
  static_assert(sizeof(Kokkos::complex<R>) == sizeof(type));
};
template <class T>
using Value = typename ValueOf<std::remove_const_t<T>>::type;

template <class Space>
inline constexpr bool on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;

template <class Size>
Index narrow(Size size, const char* what) {
  if (static_cast<std::size_t>(size) > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
    throw Error(ErrorCode::bad_argument, std::string("Kokkos' ") + what + " has " +
                                             std::to_string(size) +
                                             " rows or columns, beyond 32-bit indices");
  return static_cast<Index>(size);
}

// A CrsMatrix.  Values are not copied; column numbers are only if they are not int, and row starts
// are unless they are 64-bit signed.  The matrix must outlive the result.
template <class Matrix>
auto rows(const Matrix& a) -> Arrays<Value<typename Matrix::value_type>, Order::rows> {
  static_assert(on_host<Matrix>, "the matrix must lie in host memory");
  using T = Value<typename Matrix::value_type>;
  static const typename Matrix::non_const_size_type no_rows = 0;  // an empty matrix has no row map
  const auto* const start = a.graph.row_map.extent(0) == 0 ? &no_rows : a.graph.row_map.data();
  return {narrow(a.numRows(), "matrix"), narrow(a.numCols(), "matrix"), start,
          a.graph.entries.data(), reinterpret_cast<const T*>(a.values.data())};
}

// A vector (rank 1, any stride) or several (rank 2: LayoutLeft, LayoutRight, and LayoutStride with
// one stride of 1), not copied.  Throws bad_argument for other strides.
template <class View>
auto vectors(const View& x) {
  static_assert(on_host<View>, "the vectors must lie in host memory");
  static_assert(View::rank == 1 || View::rank == 2, "vectors are Views of rank 1 or 2");
  using Element = typename View::value_type;
  using T = std::conditional_t<std::is_const_v<Element>, const Value<Element>, Value<Element>>;
  auto* const data = reinterpret_cast<T*>(x.data());
  const Index n = narrow(x.extent(0), "view");
  if constexpr (View::rank == 1) {
    const auto stride = static_cast<Offset>(x.stride(0));
    return stride == 1 || n < 2 ? Vectors<T>(data, n)
                                : Vectors<T>(data, n, 1, stride, Layout::row_major);
  } else {
    const Index count = narrow(x.extent(1), "view");
    const auto down = static_cast<Offset>(x.stride(0)), across = static_cast<Offset>(x.stride(1));
    if (down == 1 || n < 2) return Vectors<T>(data, n, count, count > 1 ? across : n);
    if (across != 1 && count > 1)
      throw Error(ErrorCode::bad_argument, "the view has strides " + std::to_string(down) +
                                               " and " + std::to_string(across) +
                                               "; one of them must be 1");
    return Vectors<T>(data, n, count, down, Layout::row_major);
  }
}

}  // namespace echelon::kokkos
