// bindings/python/src/arrays.hpp -- arrays of Python as views of the library: matrices and vectors.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/complex.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>

#include "echelon/error.hpp"
#include "echelon/matrix.hpp"

namespace echelon::python {

namespace nb = nanobind;

using Numbers = nb::ndarray<nb::ro, nb::device::cpu, nb::c_contig, nb::ndim<1>>;
template <class T>
using Values = nb::ndarray<const T, nb::device::cpu, nb::c_contig, nb::ndim<1>>;
template <class T>
using Input = nb::ndarray<const T, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<T, nb::device::cpu>;

[[noreturn]] inline void refuse(const std::string& text) {
  throw Error(ErrorCode::bad_argument, text);
}

// The arrays of a compressed matrix as scipy.sparse holds them.
template <Scalar T>
struct PythonMatrix {
  Index rows = 0;
  Index cols = 0;
  Order order = Order::rows;
  Numbers start;
  Numbers index;
  Values<T> value;

  Index lists() const { return order == Order::rows ? rows : cols; }
};

inline Index to_index(std::int64_t size) {
  if (size < 0 || size > INT32_MAX) refuse("matrices have fewer than 2^31 rows and columns");
  return static_cast<Index>(size);
}

// (rows, columns, by_columns, indptr, indices, data); bad types are a TypeError.
template <Scalar T>
PythonMatrix<T> to_matrix(const nb::tuple& parts) {
  PythonMatrix<T> a{to_index(nb::cast<std::int64_t>(parts[0])),
                    to_index(nb::cast<std::int64_t>(parts[1])),
                    nb::cast<bool>(parts[2]) ? Order::columns : Order::rows,
                    nb::cast<Numbers>(parts[3]),
                    nb::cast<Numbers>(parts[4]),
                    nb::cast<Values<T>>(parts[5])};
  if (a.start.shape(0) != static_cast<std::size_t>(a.lists()) + 1)
    refuse("indptr has " + std::to_string(a.start.shape(0)) + " entries; it needs one more than " +
           std::to_string(a.lists()));
  return a;
}

template <class To>
const To* data_of(const Numbers& a) {
  return static_cast<const To*>(a.data());
}

// Calls body(view) with a CompressedView; the pattern is copied only where its type differs.
// `indices` and `data` may be longer than the last start says.
template <Scalar T, Order order, class Body>
auto with_order(const PythonMatrix<T>& a, const Body& body) {
  const auto call = [&]<class Start, class Number>(const Start* start, const Number* index) {
    const auto count = static_cast<std::int64_t>(start[a.lists()]);
    if (count < 0 || count > static_cast<std::int64_t>(a.index.shape(0)) ||
        count > static_cast<std::int64_t>(a.value.shape(0)))
      refuse("indptr ends with " + std::to_string(count) + ", but there are " +
             std::to_string(a.index.shape(0)) + " indices and " + std::to_string(a.value.shape(0)) +
             " values");
    const Arrays<T, order> arrays(a.rows, a.cols, start, index, a.value.data());
    return body(arrays.view());
  };
  const bool wide_start = a.start.dtype() == nb::dtype<std::int64_t>();
  const bool wide_index = a.index.dtype() == nb::dtype<std::int64_t>();
  if ((!wide_start && a.start.dtype() != nb::dtype<std::int32_t>()) ||
      (!wide_index && a.index.dtype() != nb::dtype<std::int32_t>()))
    refuse("indptr and indices must be int32 or int64");
  if (wide_start && wide_index)
    return call(data_of<std::int64_t>(a.start), data_of<std::int64_t>(a.index));
  if (wide_start) return call(data_of<std::int64_t>(a.start), data_of<std::int32_t>(a.index));
  if (wide_index) return call(data_of<std::int32_t>(a.start), data_of<std::int64_t>(a.index));
  return call(data_of<std::int32_t>(a.start), data_of<std::int32_t>(a.index));
}

template <Scalar T, class Body>
auto with_view(const PythonMatrix<T>& a, const Body& body) {
  if (a.order == Order::rows) return with_order<T, Order::rows>(a, body);
  return with_order<T, Order::columns>(a, body);
}

// One or several vectors of an array; empty where neither axis is contiguous: Python copies then.
template <class T, class Array>
std::optional<Vectors<T>> to_vectors(const Array& a) {
  const std::size_t axes = a.ndim();
  if (axes != 1 && axes != 2) refuse("a right-hand side has one or two axes");
  const Index n = to_index(static_cast<std::int64_t>(a.shape(0)));
  const Index count = axes == 1 ? 1 : to_index(static_cast<std::int64_t>(a.shape(1)));
  const std::int64_t step = a.stride(0);
  const std::int64_t stride = axes == 1 ? 1 : a.stride(1);
  T* data = static_cast<T*>(a.data());
  if (n == 0 || count == 0) return Vectors<T>(data, n, count, n);
  if (n <= 1 || count <= 1) {
    if (count <= 1 && (step == 1 || n <= 1)) return Vectors<T>(data, n, count, n);
    if (count > 1 && stride == 1) return Vectors<T>(data, n, count, count, Layout::row_major);
    return std::nullopt;
  }
  if (stride == 1 && step >= count) return Vectors<T>(data, n, count, step, Layout::row_major);
  if (step == 1 && stride >= n) return Vectors<T>(data, n, count, stride);
  return std::nullopt;
}

// An address that Python knows as a number.
template <class T>
T* pointer_of(std::uintptr_t address) {
  return reinterpret_cast<T*>(address);  // NOLINT(performance-no-int-to-ptr): Python has no other
}

// Vectors on a device, described by Python: (pointer, n, count, leading, row_major).
template <class T>
Vectors<T> device_vectors(const nb::tuple& v) {
  return {pointer_of<T>(nb::cast<std::uintptr_t>(v[0])), to_index(nb::cast<long>(v[1])),
          to_index(nb::cast<long>(v[2])), nb::cast<long>(v[3]),
          nb::cast<bool>(v[4]) ? Layout::row_major : Layout::column_major};
}

}  // namespace echelon::python
