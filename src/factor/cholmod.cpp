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
#include "factor/cholmod_library.hpp"
#include "factor/cholmod_object.hpp"
#include "factor/given_order.hpp"
#include "factor/input.hpp"
#include "factor/ordering.hpp"

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
    case Ordering::automatic:  // found before
      return CHOLMOD_GIVEN;
    case Ordering::natural:
      break;
  }
  return CHOLMOD_NATURAL;
}

// CHOLMOD's settings and the factor made with them; the destructor frees both.
struct Session {
  const CholmodLibrary& cholmod = cholmod_library();
  cholmod_common common;
  cholmod_factor* factor = nullptr;

  explicit Session(const FactorOptions& o) {
    cholmod.start(&common);
    common.print = 0;
    common.error_handler = nullptr;
    common.supernodal = o.simplicial ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    common.nmethods = 1;
    common.method[0].ordering = ordering_code(o.order);
    common.postorder = 1;
    common.quick_return_if_not_posdef = 1;
  }
  ~Session() {
    cholmod.free_factor(&factor, &common);
    cholmod.finish(&common);
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

// A in CHOLMOD's format, which ignores the other triangle.  The lower triangle by rows is the upper
// one of A' by columns; a real Hermitian matrix is its own transpose.
template <class T>
struct Input {
  SortedInput<T> lists;
  std::vector<int> start;
  Buffer<Wide<T>> wide;          // empty for double
  std::complex<double> nothing;  // CHOLMOD rejects null pointers, even without entries
  cholmod_sparse sparse{};

  explicit Input(const MatrixView<T>& a)
      : lists(a, Half::lower, is_complex<T> ? Order::columns : a.order),
        start(narrow_starts(lists.view().start, std::numeric_limits<int>::max(), "CHOLMOD")) {
    const MatrixView<T>& view = lists.view();
    sparse.nrow = sparse.ncol = static_cast<std::size_t>(a.rows);
    sparse.nzmax = view.index.size();
    sparse.p = start.data();
    sparse.i = const_cast<Index*>(view.index.data());  // NOLINT: CHOLMOD only reads its input
    if constexpr (std::same_as<T, Wide<T>>) {
      sparse.x = const_cast<T*>(view.value.data());  // NOLINT: the same
    } else {
      wide.assign(view.value.begin(), view.value.end());
      sparse.x = wide.data();
    }
    if (view.index.empty()) sparse.i = sparse.x = &nothing;
    sparse.stype = view.order == Order::rows ? 1 : -1;  // 1: reads the upper triangle
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
  session.cholmod.factorize(&a, session.factor, &session.common);
  session.check("cholmod_factorize");
  check_pivots(session, simplicial);
  if (!simplicial) return;
  session.cholmod.change_factor(a.xtype, 0, 0, 1, 1, session.factor, &session.common);
  session.check("cholmod_change_factor");
}

// `given` is null if CHOLMOD finds the order.
template <class T>
Factors<T> run(Input<T>& input, const FactorOptions& o, const GivenOrder* given) {
  const BlasThreads limit(o.threads);
  auto session = std::make_shared<Session>(o);
  const Timer order;
  if (given == nullptr) {
    session->factor = session->cholmod.analyze(&input.sparse, &session->common);
  } else {
    session->common.method[0].ordering = CHOLMOD_GIVEN;
    std::vector<int> perm(given->order.begin(), given->order.end());
    session->factor =
        session->cholmod.analyze_given(&input.sparse, perm.data(), nullptr, 0, &session->common);
  }
  session->check("cholmod_analyze");
  const double order_s = order.seconds();
  const Timer factor;
  factorize(*session, input.sparse, o.simplicial);
  const double factor_s = factor.seconds();
  Factors<T> f = see_cholmod<T>(*session->factor, o.threads);
  f.order_s = order_s;
  f.factor_s = factor_s;
  if (f.lower.in_panels() && !f.owner) f.owner = session;
  if (given != nullptr) {
    f.ordering = given->name;
    f.order_s += given->seconds;
  }
  return f;
}

}  // namespace

template <Scalar T>
Factors<T> factor_cholmod(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization", [&] {
    cholmod_library();
    Input<T> input(a);
    if (o.order != Ordering::automatic || a.rows == 0) return run<T>(input, o, nullptr);
    const GivenOrder given = find_given([&](Ordering& used) {
      return find_order(find_adjacency(input.lists.view()), o.order, &used, o.solve_on);
    });
    return run(input, o, &given);
  });
}

template <Scalar T>
Factors<T> factor_cholmod_ordered(const MatrixView<T>& a, const FactorOptions& o,
                                  const GivenOrder& given) {
  return report_bad_alloc("factorization", [&] {
    Input<T> input(a);
    return run(input, o, a.rows == 0 ? nullptr : &given);
  });
}

#define ECHELON_INSTANTIATE(T)                                                           \
  template Factors<T> factor_cholmod(const MatrixView<T>&, const FactorOptions&);        \
  template Factors<T> factor_cholmod_ordered(const MatrixView<T>&, const FactorOptions&, \
                                             const GivenOrder&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
