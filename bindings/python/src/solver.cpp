// bindings/python/src/solver.cpp -- Solver for Python, one class per scalar.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/solver.hpp"

#include "pictures.hpp"
#include "triangular.hpp"

namespace echelon::python {
namespace {

template <Scalar T>
using PySolver = Triangular<Solver<T>, T>;

template <Scalar T>
PySolver<T>* make_solver(const nb::tuple& matrix, std::string_view uplo, std::string_view op,
                         std::string_view diagonal, std::string_view outside,
                         const Settings& settings) {
  const PythonMatrix<T> a = to_matrix<T>(matrix);
  const Options options = to_options(settings);
  const TriangleOptions how{parse<Op>("op", op), parse<Diagonal>("diagonal", diagonal),
                            parse<OutsideEntries>("outside", outside)};
  const auto which = parse<Uplo>("uplo", uplo);
  const nb::gil_scoped_release released;
  return with_view<T>(a, [&](const auto& view) {
    return new PySolver<T>(Solver<T>(triangle(view, which, how), options), options.backend);
  });
}

}  // namespace

void bind_solver(nb::module_& m) {
  for_scalars([&]<Scalar T>() {
    using Self = PySolver<T>;
    nb::class_<Self> c(m, (std::string("Solver_") + suffix<T>).c_str());
    c.def_static("make", &make_solver<T>)
        .def(
            "update",
            [](Self& self, const Values<T>& values) {
              self.update([&](Solver<T>& s) { s.update({values.data(), values.shape(0)}); });
            },
            nb::arg("values").noconvert());
    Self::bind_common(c);
    bind_pictures<Self>(c);
  });
}

}  // namespace echelon::python
