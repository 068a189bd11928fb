// bindings/python/src/errors.hpp -- errors of the library as echelon.Error, in each extension.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays.hpp"

namespace echelon::python {

inline PyObject* error_class = nullptr;  // echelon.Error, set by the package

inline void translate(const std::exception_ptr& p, void*) {
  try {
    std::rethrow_exception(p);
  } catch (const Error& e) {
    const nb::object row = e.row() < 0 ? nb::none() : nb::cast(e.row());
    const nb::object value = nb::borrow(error_class)(e.what(), name(e.code()), row);
    PyErr_SetObject(error_class, value.ptr());
  }
}

inline void bind_errors(nb::module_& m) {
  m.def("set_error_class", [](const nb::object& type) {
    Py_XDECREF(error_class);
    error_class = nb::object(type).release().ptr();
  });
  nb::register_exception_translator(translate, nullptr);
}

}  // namespace echelon::python
