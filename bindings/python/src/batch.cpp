// bindings/python/src/batch.cpp -- BatchSolver for Python, one class per scalar.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/batch.hpp"

#include <sstream>

#include "bind.hpp"
#include "reports.hpp"
#include "shared.hpp"

namespace echelon::python {
namespace {

using Sizes = std::vector<std::int64_t>;

// An array of shape (systems, n) or (systems, n, k) as the vectors of one system after the other;
// steps in entries.  Empty where its memory has another order: Python copies then.
template <class T>
std::optional<Vectors<T>> batch_vectors(T* data, const Sizes& shape, const Sizes& steps) {
  const Index n = to_index(shape[1]);
  const std::int64_t systems = shape[0], sides = shape.size() == 3 ? shape[2] : 1;
  if (sides > 0 && systems > INT32_MAX / sides) refuse("there are 2^31 right-hand sides or more");
  const auto count = static_cast<Index>(systems * sides);
  if (n == 0 || count == 0) return Vectors<T>(data, n, count);
  if (sides > 1 && systems > 1 && steps[0] != sides * steps[2]) return std::nullopt;
  const std::int64_t row = steps[1], next = sides > 1 ? steps[2] : steps[0];
  if ((n == 1 || row == 1) && (count == 1 || next >= n))
    return Vectors<T>(data, n, count, count == 1 ? n : next);
  if ((count == 1 || next == 1) && (n == 1 || row >= count))
    return Vectors<T>(data, n, count, n == 1 ? count : row, Layout::row_major);
  return std::nullopt;
}
template <class T, class Array>
std::optional<Vectors<T>> batch_vectors(const Array& a) {
  if (a.ndim() != 2 && a.ndim() != 3) refuse("right-hand sides of a batch have two or three axes");
  Sizes shape, steps;
  for (std::size_t k = 0; k < a.ndim(); ++k) {
    shape.push_back(static_cast<std::int64_t>(a.shape(k)));
    steps.push_back(a.stride(k));
  }
  return batch_vectors(static_cast<T*>(a.data()), shape, steps);
}
// Described by Python: (pointer, shape, steps).
template <class T>
std::optional<Vectors<T>> batch_vectors_there(const nb::tuple& v) {
  return batch_vectors(pointer_of<T>(nb::cast<std::uintptr_t>(v[0])), nb::cast<Sizes>(v[1]),
                       nb::cast<Sizes>(v[2]));
}

// Described by Python, which keeps the array: (pointer, systems, stride, on a device).
template <Scalar T>
BatchValues<T> batch_values(const nb::tuple& v) {
  return {pointer_of<const T>(nb::cast<std::uintptr_t>(v[0])),
          to_index(nb::cast<std::int64_t>(v[1])), nb::cast<Offset>(v[2])};
}

template <Scalar T>
class PyBatch {
 public:
  PyBatch(BatchSolver<T> solver, Backend backend) : shared_(std::move(solver), backend) {}

  // `reading`: (uplo, op, diagonal, outside).
  static PyBatch* make(const nb::tuple& matrix, const nb::tuple& values, const nb::tuple& reading,
                       std::string_view form, Index width, const Settings& settings) {
    const PythonMatrix<T> a = to_matrix<T>(matrix);
    const BatchValues<T> v = batch_values<T>(values);
    const BatchOptions options{parse<BatchForm>("form", form), width, to_options(settings)};
    if (nb::cast<bool>(values[3])) require_cuda(options.solver.backend);
    const auto word = [&](std::size_t k) { return nb::cast<std::string>(reading[k]); };
    const auto which = parse<Uplo>("uplo", word(0));
    const TriangleOptions read_as{parse<Op>("op", word(1)), parse<Diagonal>("diagonal", word(2)),
                                  parse<OutsideEntries>("outside", word(3))};
    const nb::gil_scoped_release released;
    return with_view<T>(a, [&](const auto& view) {
      return new PyBatch(BatchSolver<T>(triangle(view, which, read_as), v, options),
                         options.solver.backend);
    });
  }
  void update(const nb::tuple& values) {
    const BatchValues<T> v = batch_values<T>(values);
    if (nb::cast<bool>(values[3])) shared_.require_device();
    shared_.update([&](BatchSolver<T>& s) { s.update(v); });
  }
  // False where the layout of b or x asks for a copy.
  bool solve(const Input<T>& b, const Output<T>& x, T alpha, std::string_view op, Index threads) {
    return run(batch_vectors<const T>(b), batch_vectors<T>(x),
               solve_options<T>(alpha, "full", op, threads, 0));
  }
  bool solve_device(const nb::tuple& b, const nb::tuple& x, T alpha, std::string_view op,
                    std::uintptr_t stream) {
    shared_.require_device();
    return run(batch_vectors_there<const T>(b), batch_vectors_there<T>(x),
               solve_options<T>(alpha, "full", op, 0, stream));
  }
  std::vector<Index> failed() {
    return shared_.last([](const BatchSolver<T>& s, const auto* space) {
      return space == nullptr ? s.failed() : s.failed(*space);
    });
  }
  void check() {
    shared_.last([](const BatchSolver<T>& s, const auto* space) {
      return space == nullptr ? s.check() : s.check(*space);
    });
  }
  nb::dict report() const { return to_dict(shared_.solver().report()); }
  std::string text() const {
    std::ostringstream out;
    out << shared_.solver();
    return out.str();
  }

 private:
  bool run(const std::optional<Vectors<const T>>& b, const std::optional<Vectors<T>>& x,
           const SolveOptions<T>& o) {
    if (!b || !x || b->layout != x->layout) return false;
    shared_.solve([&](const BatchSolver<T>& s, auto& space) { s.solve(space, *b, *x, o); });
    return true;
  }
  Shared<BatchSolver<T>> shared_;
};

}  // namespace

void bind_batch(nb::module_& m) {
  for_scalars([&]<Scalar T>() {
    using Self = PyBatch<T>;
    nb::class_<Self>(m, (std::string("BatchSolver_") + suffix<T>).c_str())
        .def_static("make", &Self::make)
        .def("update", &Self::update)
        .def("solve", &Self::solve, nb::arg("b").noconvert(), nb::arg("x").noconvert(),
             nb::arg("alpha"), nb::arg("op"), nb::arg("threads"))
        .def("solve_device", &Self::solve_device)
        .def("failed", &Self::failed)
        .def("check", &Self::check)
        .def("report", &Self::report)
        .def("text", &Self::text);
  });
}

}  // namespace echelon::python
