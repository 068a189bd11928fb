// bindings/python/src/smoother.cpp -- GaussSeidel for Python, one class per scalar.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/smoother.hpp"

#include <sstream>

#include "bind.hpp"
#include "pictures.hpp"
#include "reports.hpp"
#include "shared.hpp"

namespace echelon::python {
namespace {

template <Scalar T>
class PySmoother {
 public:
  PySmoother(GaussSeidel<T> smoother, Backend backend) : shared_(std::move(smoother), backend) {}

  static PySmoother* make(const nb::tuple& matrix, std::string_view direction,
                          std::string_view form, double omega, const Settings& settings) {
    const PythonMatrix<T> a = to_matrix<T>(matrix);
    const SmootherOptions options{.direction = parse<Sweep>("direction", direction),
                                  .form = parse<SweepForm>("form", form),
                                  .omega = omega,
                                  .solver = to_options(settings)};
    const nb::gil_scoped_release released;
    return with_view<T>(a, [&](const auto& view) {
      return new PySmoother(GaussSeidel<T>(view, options), options.solver.backend);
    });
  }
  void update(const Values<T>& values) {
    shared_.update([&](GaussSeidel<T>& s) { s.update({values.data(), values.shape(0)}); });
  }
  // False where the layout of b or x asks for a copy.
  bool solve(const Input<T>& b, const Output<T>& x, Index sweeps, std::string_view guess,
             Index threads) {
    const auto from = to_vectors<const T>(b);
    const auto to = to_vectors<T>(x);
    if (!from || !to || from->layout != to->layout) return false;
    run(*from, *to, {sweeps, parse<Guess>("guess", guess), threads});
    return true;
  }
  void solve_device(const nb::tuple& b, const nb::tuple& x, Index sweeps, std::string_view guess,
                    std::uintptr_t stream) {
    shared_.require_device();
    run(device_vectors<const T>(b), device_vectors<T>(x),
        {sweeps, parse<Guess>("guess", guess), 0, pointer_of<void>(stream)});
  }
  void check() { shared_.check(); }
  const GaussSeidel<T>& solver() const { return shared_.solver(); }
  nb::dict report() const { return to_dict(shared_.solver().report()); }
  std::string text() const {
    std::ostringstream out;
    out << shared_.solver();
    return out.str();
  }

 private:
  void run(const Vectors<const T>& b, const Vectors<T>& x, const SweepOptions& o) {
    shared_.solve([&](const GaussSeidel<T>& s, auto& space) { s.solve(space, b, x, o); });
  }
  Shared<GaussSeidel<T>> shared_;
};

}  // namespace

void bind_smoother(nb::module_& m) {
  for_scalars([&]<Scalar T>() {
    using Self = PySmoother<T>;
    nb::class_<Self> c(m, (std::string("GaussSeidel_") + suffix<T>).c_str());
    bind_pictures<Self>(c);
    c.def_static("make", &Self::make)
        .def("update", &Self::update, nb::arg("values").noconvert())
        .def("solve", &Self::solve, nb::arg("b").noconvert(), nb::arg("x").noconvert(),
             nb::arg("sweeps"), nb::arg("guess"), nb::arg("threads"))
        .def("solve_device", &Self::solve_device)
        .def("check", &Self::check)
        .def("report", &Self::report)
        .def("text", &Self::text);
  });
}

}  // namespace echelon::python
