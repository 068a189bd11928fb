// bindings/python/src/bind.hpp -- what the files of the extension give the module.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays.hpp"
#include "echelon/solve_options.hpp"

namespace echelon::python {

template <Scalar T>
inline constexpr const char* suffix = nullptr;  // NumPy's letter for T
template <>
inline constexpr const char* suffix<float> = "f";
template <>
inline constexpr const char* suffix<double> = "d";
template <>
inline constexpr const char* suffix<std::complex<float>> = "F";
template <>
inline constexpr const char* suffix<std::complex<double>> = "D";

// Calls body.operator()<T>() for the four scalars.
template <class Body>
void for_scalars(const Body& body) {
  body.template operator()<float>();
  body.template operator()<double>();
  body.template operator()<std::complex<float>>();
  body.template operator()<std::complex<double>>();
}

template <Scalar T>
SolveOptions<T> solve_options(T alpha, std::string_view part, std::string_view op, Index threads,
                              std::uintptr_t stream) {
  return {.alpha = alpha,
          .part = parse<Part>("part", part),
          .op = parse<Op>("op", op),
          .threads = threads,
          .stream = pointer_of<void>(stream)};
}

void bind_solver(nb::module_& m);
void bind_direct(nb::module_& m);
void bind_smoother(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_cache(nb::module_& m);
void bind_page(nb::module_& m);

}  // namespace echelon::python
