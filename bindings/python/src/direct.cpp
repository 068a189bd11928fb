// bindings/python/src/direct.cpp -- DirectSolver for Python, one class per scalar.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/direct.hpp"

#include "factors.hpp"
#include "pictures.hpp"
#include "triangular.hpp"

namespace echelon::python {
namespace {

template <Scalar T>
using PyDirect = Triangular<DirectSolver<T>, T>;

template <Scalar T>
PyDirect<T>* make_direct(Factors<T> factors, const Settings& settings) {
  const Options options = to_options(settings);
  const nb::gil_scoped_release released;
  return new PyDirect<T>(DirectSolver<T>(std::move(factors), options), options.backend);
}

template <Scalar T>
void update_direct(PyDirect<T>& self, Factors<T> factors) {
  self.update([&](DirectSolver<T>& s) { s.update(std::move(factors)); });
}

}  // namespace

void bind_direct(nb::module_& m) {
  using Order = Values<std::int32_t>;
  using Parts = nb::tuple;
  m.def("factor_packages", &factor_packages);
  for_scalars([&]<Scalar T>() {
    using Self = PyDirect<T>;
    nb::class_<Self> c(m, (std::string("DirectSolver_") + suffix<T>).c_str());
    c.def_static(
         "factor",
         [](const Parts& a, const std::string& package, const Settings& how, const Settings& o) {
           return make_direct<T>(factors_by<T>(a, package, how), o);
         })
        .def_static(
            "take_lu",
            [](const Parts& l, const Parts& u, const Order& rows, const Order& cols,
               const Settings& o) { return make_direct<T>(factors_lu<T>(l, u, rows, cols), o); })
        .def_static("take_symmetric",
                    [](const Parts& l, const Values<T>& d, const Order& order, const Settings& o) {
                      return make_direct<T>(factors_symmetric<T>(l, d, order), o);
                    })
        .def("update_factor",
             [](Self& self, const Parts& a, const std::string& package, const Settings& how) {
               update_direct<T>(self, factors_by<T>(a, package, how));
             })
        .def("update_lu",
             [](Self& self, const Parts& l, const Parts& u, const Order& rows, const Order& cols) {
               update_direct<T>(self, factors_lu<T>(l, u, rows, cols));
             })
        .def("update_symmetric",
             [](Self& self, const Parts& l, const Values<T>& d, const Order& order) {
               update_direct<T>(self, factors_symmetric<T>(l, d, order));
             });
    Self::bind_common(c);
    bind_pictures<Self>(c);
  });
}

}  // namespace echelon::python
