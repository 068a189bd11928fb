// bindings/c/handles.hpp -- what is behind the opaque handles of the C interface.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "echelon/direct.hpp"
#include "echelon/matrix.hpp"
#include "echelon/smoother.hpp"
#include "guard.hpp"

#pragma GCC visibility push(default)

// Starts and indices are the caller's, or copies where their type or base differs from ours.
struct echelon_matrix {
  echelon_type type = ECHELON_DOUBLE;
  echelon::Index n = 0;
  echelon::Index base = 0;
  echelon::Order order = echelon::Order::rows;
  echelon::Uplo uplo = echelon::Uplo::lower;
  echelon::TriangleOptions read_as;
  std::span<const echelon::Offset> start;
  std::span<const echelon::Index> index;
  const void* values = nullptr;
  echelon::Buffer<echelon::Offset> own_start;
  echelon::Buffer<echelon::Index> own_index;
  std::shared_ptr<void> owner;  // of a matrix from a file

  template <echelon::Scalar T>
  std::span<const T> values_as() const {
    return {static_cast<const T*>(values), index.size()};
  }
  template <echelon::Scalar T>
  echelon::Triangle<T> triangle() const {
    return {{{order, n, n, start, index}, uplo, read_as.op, read_as.diagonal, read_as.outside},
            values_as<T>()};
  }
};

namespace echelon::c {

// How the solves of one caller differ from the plain one.
struct Call {
  Part part = Part::full;
  Op op = Op::none;
  Index threads = 0;
  Index nrhs = 1;
  Offset ldb = 0, ldx = 0;
  Layout layout = Layout::column_major;
  Index sweeps = 1;
  Guess guess = Guess::given;
  Index steps = RefineOptions().steps;
  void* stream = nullptr;
  bool has_alpha = false;
  std::complex<double> alpha = 1;  // holds every scalar type exactly

  template <class Visitor>
  void visit(Visitor&& v) {
    v("part", part, "");
    v("op", op, "");
    v("threads", threads, "");
    v("nrhs", nrhs, "");
    v("ldb", ldb, "");
    v("ldx", ldx, "");
    v("layout", layout, "");
    v("sweeps", sweeps, "");
    v("guess", guess, "");
    v("steps", steps, "");
  }
};

// Throws bad_argument for settings that this kind of solve does not have.
inline void refuse_sweeps(const char* kind, const Call& call) {
  if (call.sweeps != 1 || call.guess != Guess::given)
    refuse(std::string(kind) + " has no sweeps and no guess; Gauss-Seidel has");
}
inline void refuse_for_refinement(const Call& call) {
  if (call.part != Part::full || call.op != Op::none || call.has_alpha || call.threads != 0)
    refuse(
        "a refined solve is of A x = b: set part=full, op=n and threads=0, and do not set alpha, "
        "or "
        "use another workspace");
}

// The solver's memory for one caller; each kind of solver has its own.
struct Space {
  virtual ~Space() = default;
};

struct Refined {
  Index steps;
  double error;
};

// A solver of any kind and scalar.  `space` is null for the solver's own.  What a kind does not
// have is refused by its name.
class AnySolver {
 public:
  virtual ~AnySolver() = default;
  virtual const char* kind() const = 0;
  virtual echelon_type type() const = 0;
  virtual Index n() const = 0;  // length of this caller's vectors
  // How many vectors a call has that does not say it.
  virtual Index least_vectors() const { return 1; }
  virtual std::unique_ptr<Space> make_space() const = 0;
  // Throws bad_argument for settings that this kind does not have.
  virtual void check_call(const Call& call) const { refuse_sweeps(kind(), call); }
  virtual void solve(Space* space, const Call& call, const void* b, void* x) const = 0;
  virtual void check(Space* space) const;
  virtual Refined refine(Space* space, const Call& call, const echelon_matrix& a, const void* b,
                         void* x) const;
  virtual void update(const echelon_matrix* a);
  virtual void update_factors(const echelon_matrix* l, const echelon_matrix* u);
  virtual void update_batch(const void* values, Offset stride);
  virtual std::vector<Index> failed(Space* space) const;
  // Throws bad_argument for an unknown field.  `number`: null if only the text is wanted.
  virtual std::string field(const std::string& name, double* number) const = 0;
  virtual std::string report() const = 0;
};

template <Scalar T>
constexpr echelon_type type_of() {
  constexpr bool wide = std::is_same_v<Real<T>, double>;
  if constexpr (is_complex<T>) return wide ? ECHELON_COMPLEX_DOUBLE : ECHELON_COMPLEX_FLOAT;
  return wide ? ECHELON_DOUBLE : ECHELON_FLOAT;
}

// Calls f.template operator()<T>().
template <class F>
auto with_type(echelon_type type, F&& f) {
  switch (type) {
    case ECHELON_FLOAT:
      return f.template operator()<float>();
    case ECHELON_DOUBLE:
      return f.template operator()<double>();
    case ECHELON_COMPLEX_FLOAT:
      return f.template operator()<std::complex<float>>();
    case ECHELON_COMPLEX_DOUBLE:
      return f.template operator()<std::complex<double>>();
  }
  refuse("there is no type " + std::to_string(static_cast<int>(type)) + "; see echelon_type");
}

template <Scalar T>
SolveOptions<T> solve_options(const Call& call) {
  SolveOptions<T> o{
      .part = call.part, .op = call.op, .threads = call.threads, .stream = call.stream};
  if (call.has_alpha) {
    if constexpr (is_complex<T>)
      o.alpha = T(static_cast<Real<T>>(call.alpha.real()), static_cast<Real<T>>(call.alpha.imag()));
    else
      o.alpha = static_cast<T>(call.alpha.real());
  }
  return o;
}
template <Scalar T>
Vectors<const T> right_sides(const Call& call, Index n, const void* b) {
  return {static_cast<const T*>(b), n, call.nrhs, call.ldb, call.layout};
}
template <Scalar T>
Vectors<T> answers(const Call& call, Index n, void* x) {
  return {static_cast<T*>(x), n, call.nrhs, call.ldx, call.layout};
}

// Throw bad_argument for NULL, and unless the matrix has this type.
const echelon_matrix& given(const echelon_matrix* matrix, const char* what);
const echelon_matrix& given(const echelon_matrix* matrix, const char* what, echelon_type type);
// The same, and throws bad_argument for what only triangles have (op, unit diagonal) and for a
// wrong pattern: the matrix as a whole is meant.
const echelon_matrix& given_whole(const echelon_matrix* matrix, const char* what,
                                  echelon_type type);
// The matrix by rows; `copy` holds it if it was given by columns.
template <Scalar T>
CsrView<T> by_rows(const echelon_matrix& a, Csr<T>& copy) {
  if (a.order == Order::rows) return {a.n, a.n, a.start, a.index, a.values_as<T>()};
  copy = to_csr(CscView<T>(a.n, a.n, a.start, a.index, a.values_as<T>()));
  return copy;
}
// What `package` makes of the matrix; what the caller's factors are.
template <Scalar T>
Factors<T> factor_matrix(const echelon_matrix* matrix, const char* what, const std::string& package,
                         const FactorOptions& o) {
  const echelon_matrix& a = given_whole(matrix, what, type_of<T>());
  if (a.order == Order::rows)
    return factor_by_name<T>(package, CsrView<T>(a.n, a.n, a.start, a.index, a.values_as<T>()), o);
  return factor_by_name<T>(package, CscView<T>(a.n, a.n, a.start, a.index, a.values_as<T>()), o);
}
template <Scalar T>
Factors<T> factors_given(const echelon_matrix* l, const echelon_matrix* u) {
  const echelon_matrix& lower = given(l, "L", type_of<T>());
  const echelon_matrix& upper = given(u, "U", type_of<T>());
  return factors_of<T>(lower.triangle<T>(), upper.triangle<T>());
}

// What solver and workspaces share: a solver lives until its last handle is destroyed.
struct Shared {
  std::unique_ptr<AnySolver> any;
  bool failed = false;  // the last update did
  Slot slot;
  Index base = 0;  // of the matrix
};

}  // namespace echelon::c

struct echelon_solver {
  std::shared_ptr<echelon::c::Shared> shared = std::make_shared<echelon::c::Shared>();
};

#pragma GCC visibility pop

namespace echelon::c {

inline Index base_of(const echelon_matrix* a) { return a == nullptr ? 0 : a->base; }

// Makes the handle of the solver that make() returns.  On failure *out is null.  `base`: of the
// rows that errors name; make() may set it.
template <class Make>
echelon_status create_solver(echelon_solver** out, const Index& base, Make&& make) noexcept {
  return guard(nullptr, base, [&] {
    if (out == nullptr) refuse("the place for the new solver is NULL");
    *out = nullptr;
    auto solver = std::make_unique<echelon_solver>();
    solver->shared->any = make();
    solver->shared->base = base;
    *out = solver.release();
  });
}

}  // namespace echelon::c
