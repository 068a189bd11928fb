// bindings/python/src/triangular.hpp -- what the classes Solver and DirectSolver of Python have in
// common: solves of arrays on the host or on a device, the report.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string_view>

#include "bind.hpp"
#include "reports.hpp"
#include "shared.hpp"

namespace echelon::python {

template <class S, Scalar T>
class Triangular {
 public:
  Triangular(S solver, Backend backend) : shared_(std::move(solver), backend) {}

  // False where the layout of b or x asks for a copy.
  bool solve(const Input<T>& b, const Output<T>& x, T alpha, std::string_view part,
             std::string_view op, Index threads) {
    const auto from = to_vectors<const T>(b);
    const auto to = to_vectors<T>(x);
    if (!from || !to || from->layout != to->layout) return false;
    run(*from, *to, solve_options<T>(alpha, part, op, threads, 0));
    return true;
  }
  void solve_device(const nb::tuple& b, const nb::tuple& x, T alpha, std::string_view part,
                    std::string_view op, std::uintptr_t stream) {
    shared_.require_device();
    run(device_vectors<const T>(b), device_vectors<T>(x),
        solve_options<T>(alpha, part, op, 0, stream));
  }
  void check() { shared_.check(); }
  nb::dict report() const { return to_dict(shared_.solver().report()); }
  std::string text() const {
    std::ostringstream out;
    out << shared_.solver();
    return out.str();
  }
  const S& solver() const { return shared_.solver(); }
  template <class Body>
  void update(const Body& body) {
    shared_.update(body);
  }

  template <class Class>
  static void bind_common(Class& c) {
    c.def("solve", &Triangular::solve, nb::arg("b").noconvert(), nb::arg("x").noconvert(),
          nb::arg("alpha"), nb::arg("part"), nb::arg("op"), nb::arg("threads"))
        .def("solve_device", &Triangular::solve_device)
        .def("check", &Triangular::check)
        .def("report", &Triangular::report)
        .def("text", &Triangular::text);
  }

 private:
  void run(const Vectors<const T>& b, const Vectors<T>& x, const SolveOptions<T>& o) {
    shared_.solve([&](const S& s, auto& space) { s.solve(space, b, x, o); });
  }
  Shared<S> shared_;
};

}  // namespace echelon::python
