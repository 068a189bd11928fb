// factor/cholmod.cpp -- Cholesky factorization by CHOLMOD.
// SPDX-License-Identifier: BSD-3-Clause
//
// CHOLMOD of SuiteSparse 5 has double precision only: float is factored in double and rounded.  Its
// int interface is limited to 2^31 values of L.
#include <cholmod.h>

#include <limits>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "factor/cholmod_object.hpp"
#include "factor/input.hpp"

namespace echelon {
namespace {

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

int ordering_code(Ordering order) {
  switch (order) {
    case Ordering::metis:
      return CHOLMOD_METIS;
    case Ordering::amd:
      return CHOLMOD_AMD;
    case Ordering::natural:
      break;
  }
  return CHOLMOD_NATURAL;
}

// CHOLMOD's settings and the factor made with them; the destructor frees both.
struct Session {
  cholmod_common common;
  cholmod_factor* factor = nullptr;

  explicit Session(const FactorOptions& o) {
    cholmod_start(&common);
    common.print = 0;
    common.error_handler = nullptr;
    common.supernodal = o.simplicial ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = ordering_code(o.order);
    common.postorder = 1;
    common.quick_return_if_not_posdef = 1;
  }
  ~Session() {
    cholmod_free_factor(&factor, &common);
    cholmod_finish(&common);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Converts CHOLMOD's status to an Error.  Codes above CHOLMOD_OK are warnings.
  void check(const char* call) const {
    if (common.status >= CHOLMOD_OK && factor != nullptr) return;
    if (common.status == CHOLMOD_OUT_OF_MEMORY)
      throw Error(ErrorCode::out_of_memory, std::string(call) + ": not enough memory");
    if (common.status == CHOLMOD_TOO_LARGE)
      throw Error(ErrorCode::backend_failed,
                  std::string(call) + ": the factor is too large for CHOLMOD's int indices");
    throw Error(ErrorCode::backend_failed,
                std::string(call) + " failed with status " + std::to_string(common.status));
  }
};

// The lower triangle of A in CHOLMOD's format.
template <class T>
struct Input {
  Csc<T> columns;
  std::vector<int> start;
  Buffer<Wide<T>> wide;  // empty for double
  cholmod_sparse sparse{};

  explicit Input(const CsrView<T>& a)
      : columns(sorted_columns(CsrView<T>(extract_triangle(a, Uplo::lower)))),
        start(narrow_starts(columns.start, std::numeric_limits<int>::max(), "CHOLMOD")) {
    columns.index.reserve(1);  // CHOLMOD rejects null pointers, even without entries
    columns.value.reserve(1);
    wide.reserve(1);
    sparse.nrow = sparse.ncol = static_cast<std::size_t>(a.rows);
    sparse.nzmax = columns.index.size();
    sparse.p = start.data();
    sparse.i = columns.index.data();
    if constexpr (std::same_as<T, Wide<T>>) {
      sparse.x = columns.value.data();
    } else {
      wide.assign(columns.value.begin(), columns.value.end());
      sparse.x = wide.data();
    }
    sparse.stype = -1;
    sparse.itype = CHOLMOD_INT;
    sparse.xtype = is_complex<T> ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
    sparse.dtype = CHOLMOD_DOUBLE;
    sparse.sorted = 1;
    sparse.packed = 1;
  }
};

// LL' needs positive pivots, LDL' only nonzero ones.
void check_pivots(const Session& session, bool simplicial) {
  const cholmod_factor& l = *session.factor;
  if (session.common.status != CHOLMOD_NOT_POSDEF && l.minor == l.n) return;
  const int column = static_cast<const int*>(l.Perm)[std::min(l.minor, l.n - 1)];
  throw Error(ErrorCode::not_positive_definite,
              "the matrix is not positive definite: the pivot of column " + std::to_string(column) +
                  (simplicial ? " is zero" : " is not positive"));
}

void factorize(Session& session, cholmod_sparse& a, bool simplicial) {
  cholmod_factorize(&a, session.factor, &session.common);
  session.check("cholmod_factorize");
  check_pivots(session, simplicial);
  if (!simplicial) return;
  cholmod_change_factor(a.xtype, 0, 0, 1, 1, session.factor, &session.common);
  session.check("cholmod_change_factor");
}

template <class T>
Factors<T> run(const CsrView<T>& a, const FactorOptions& o) {
  check_input(a);
  const BlasThreads limit(o.threads);
  Input<T> input(a);
  auto session = std::make_shared<Session>(o);
  const Timer order;
  session->factor = cholmod_analyze(&input.sparse, &session->common);
  session->check("cholmod_analyze");
  const double order_s = order.seconds();
  const Timer factor;
  factorize(*session, input.sparse, o.simplicial);
  const double factor_s = factor.seconds();
  Factors<T> f = see_cholmod<T>(*session->factor, o.threads);
  f.order_s = order_s;
  f.factor_s = factor_s;
  if (f.lower.in_panels() && !f.owner) f.owner = session;
  return f;
}

}  // namespace

template <Scalar T>
Factors<T> factor_cholmod(const CsrView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization", [&] { return run(a, o); });
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_cholmod(const CsrView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
