// bindings/python/src/mpi.cpp -- the extension echelon._mpi_core: MpiSolver for Python.
// SPDX-License-Identifier: BSD-3-Clause
//
// It contains a copy of the library of its own; nothing but arrays and the class of errors crosses
// to echelon._core.  A communicator comes as its Fortran handle, so that mpi4py is not needed here.
#include "echelon/mpi.hpp"

#include <array>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "bind.hpp"
#include "errors.hpp"
#include "factors.hpp"
#include "shared.hpp"

namespace echelon::python {
namespace {

MPI_Comm communicator(int handle) {
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized == 0) refuse("MPI is not initialized: import mpi4py.MPI first");
  MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
  if (comm == MPI_COMM_NULL) refuse("the communicator is MPI.COMM_NULL");
  return comm;
}

// The lowest rank for which `ok` is false, or -1; the largest and the least `count` of all ranks
// that have one (not -1).  Collective.
nb::tuple agree(int handle, bool ok, Index count) {
  MPI_Comm comm = communicator(handle);
  std::array<int, 3> all{};
  int ranks = 1;
  {
    const nb::gil_scoped_release released;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const std::array<int, 3> mine{ok ? -ranks : -rank, count, count < 0 ? -INT32_MAX : -count};
    MPI_Allreduce(mine.data(), all.data(), 3, MPI_INT, MPI_MAX, comm);
  }
  return nb::make_tuple(-all[0] == ranks ? -1 : -all[0], all[1], -all[2]);
}

nb::dict to_dict(const Spread& s) {
  nb::dict d;
  d["least"] = s.least;
  d["mean"] = s.mean;
  d["most"] = s.most;
  return d;
}

nb::dict to_dict(const MpiReport& r) {
  nb::dict d;
  d["n"] = r.n;
  d["nnz"] = r.nnz;
  d["method"] = r.method;
  d["reason"] = r.reason;
  d["ranks"] = r.ranks;
  d["grid"] = std::to_string(r.grid.rows) + "x" + std::to_string(r.grid.cols);
  d["tree"] = name(r.tree);
  d["mapping"] = name(r.mapping);
  d["package"] = r.package;
  d["kind"] = r.kind;
  d["ordering"] = r.ordering;
  d["supernodes"] = r.supernodes;
  d["levels"] = r.levels;
  d["entries"] = r.entries;
  d["uninverted_blocks"] = r.uninverted_blocks;
  d["analysis_s"] = r.analysis_s;
  d["setup_s"] = r.setup_s;
  d["bytes"] = r.bytes;
  d["stored_bytes"] = to_dict(r.stored_bytes);
  d["window_bytes"] = to_dict(r.window_bytes);
  d["solves"] = r.solves;
  d["solve_s"] = to_dict(r.solve_s);
  d["messages"] = to_dict(r.messages);
  d["message_bytes"] = to_dict(r.message_bytes);
  d["engine"] = name(r.engine);
  d["compute_s"] = to_dict(r.compute_s);
  d["communicate_s"] = to_dict(r.communicate_s);
  return d;
}

// Rank 0 gives factors, then all ranks call set_up.
template <Scalar T>
class PyRanks {
 public:
  explicit PyRanks(const Settings& settings) {
    for (const auto& [path, text] : settings) set_by_name(options_, path, text);
  }

  void factor(const nb::tuple& a, const std::string& package, const Settings& how) {
    factors_.emplace(factors_by<T>(a, package, how));
  }
  void take_lu(const nb::tuple& l, const nb::tuple& u, const Values<std::int32_t>& row_order,
               const Values<std::int32_t>& col_order) {
    factors_.emplace(factors_lu<T>(l, u, row_order, col_order));
  }
  // Collective, as all below.
  void set_up(int handle) {
    MPI_Comm comm = communicator(handle);
    const std::optional<Factors<T>> given = std::exchange(factors_, std::nullopt);
    const nb::gil_scoped_release released;
    if (solver_)
      solver_->update(given ? &*given : nullptr);
    else
      solver_.emplace(comm, given ? &*given : nullptr, options_);
  }
  bool solve(const Input<T>& b, const Output<T>& x, T alpha, const std::string& part,
             const std::string& op) {
    const auto from = to_vectors<const T>(b);
    const auto to = to_vectors<T>(x);
    if (!from || !to || from->layout != to->layout) return false;
    const SolveOptions<T> o{
        .alpha = alpha, .part = parse<Part>("part", part), .op = parse<Op>("op", op)};
    const nb::gil_scoped_release released;
    solver().solve(*from, *to, o);
    return true;
  }
  nb::tuple report() {
    std::optional<MpiReport> r;
    {
      const nb::gil_scoped_release released;
      r = solver().report();
    }
    std::ostringstream text;
    text << *r;
    return nb::make_tuple(to_dict(*r), text.str());
  }
  std::pair<Index, Index> rows() const { return {solver().rows().begin, solver().rows().end}; }
  void close() { solver_.reset(); }

 private:
  const MpiSolver<T>& solver() const {
    if (!solver_) refuse("this solver is closed");
    return *solver_;
  }

  MpiOptions options_;
  std::optional<Factors<T>> factors_;  // on rank 0, until they are distributed
  std::optional<MpiSolver<T>> solver_;
};

}  // namespace

NB_MODULE(_mpi_core, m) {
  bind_errors(m);
  m.def("agree", &agree);
  m.def("factor_packages", &factor_packages);
  for_scalars([&]<Scalar T>() {
    using Self = PyRanks<T>;
    nb::class_<Self>(m, (std::string("MpiSolver_") + suffix<T>).c_str())
        .def(nb::init<const Settings&>())
        .def("factor", &Self::factor)
        .def("take_lu", &Self::take_lu)
        .def("set_up", &Self::set_up)
        .def("solve", &Self::solve, nb::arg("b").noconvert(), nb::arg("x").noconvert(),
             nb::arg("alpha"), nb::arg("part"), nb::arg("op"))
        .def("report", &Self::report)
        .def("rows", &Self::rows)
        .def("close", &Self::close);
  });
}

}  // namespace echelon::python
