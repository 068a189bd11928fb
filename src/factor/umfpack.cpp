// factor/umfpack.cpp -- LU factorization by UMFPACK.
// SPDX-License-Identifier: BSD-3-Clause
//
// P (R A) Q = L U.  UMFPACK gives copies: L by rows with its unit diagonal, U by columns, the pivot
// rows P and columns Q, and the scaling R, which it multiplies by or divides by.  It has double
// precision only: float is factored in double and rounded.
#include <umfpack.h>

#include <algorithm>
#include <array>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "factor/double_columns.hpp"
#include "factor/matching.hpp"
#include "factor/ordering.hpp"
#include "factor/umfpack_library.hpp"

namespace echelon {
namespace {

void check(int status, const char* call) {
  if (status == UMFPACK_OK || status == UMFPACK_WARNING_singular_matrix) return;
  if (status == UMFPACK_ERROR_out_of_memory)
    throw Error(ErrorCode::out_of_memory, std::string(call) + ": not enough memory");
  throw Error(ErrorCode::backend_failed,
              std::string(call) + " failed with status " + std::to_string(status));
}

// UMFPACK's objects; the destructor frees them.
template <bool complex_values>
struct Session {
  const UmfpackLibrary& umfpack = umfpack_library();
  std::array<double, UMFPACK_CONTROL> control{};
  std::array<double, UMFPACK_INFO> info{};
  void* symbolic = nullptr;
  void* numeric = nullptr;

  Session() { umfpack.defaults(control.data()); }
  ~Session() {
    free_symbolic();
    if constexpr (complex_values)
      umfpack.complex_free_numeric(&numeric);
    else
      umfpack.free_numeric(&numeric);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void free_symbolic() {
    if constexpr (complex_values)
      umfpack.complex_free_symbolic(&symbolic);
    else
      umfpack.free_symbolic(&symbolic);
  }

  void analyze(int n, const int* start, const int* row, const double* value) {
    if constexpr (complex_values)
      check(umfpack.complex_symbolic(n, n, start, row, value, nullptr, &symbolic, control.data(),
                                     info.data()),
            "umfpack_zi_symbolic");
    else
      check(umfpack.symbolic(n, n, start, row, value, &symbolic, control.data(), info.data()),
            "umfpack_di_symbolic");
  }

  void factorize(const int* start, const int* row, const double* value) {
    if constexpr (complex_values)
      check(umfpack.complex_numeric(start, row, value, nullptr, symbolic, &numeric, control.data(),
                                    info.data()),
            "umfpack_zi_numeric");
    else
      check(umfpack.numeric(start, row, value, symbolic, &numeric, control.data(), info.data()),
            "umfpack_di_numeric");
  }
};

double ordering_code(Ordering order) {
  switch (order) {
    case Ordering::automatic:
      return UMFPACK_ORDERING_CHOLMOD;  // AMD or COLAMD, and METIS if their fill is large
    case Ordering::metis:
      return UMFPACK_ORDERING_METIS;
    case Ordering::amd:
      return UMFPACK_ORDERING_AMD;
    case Ordering::natural:
      break;
  }
  return UMFPACK_ORDERING_NONE;
}

// Where the diagonal is not preferred, pivots below a tenth cost accuracy and gain no sparsity.
template <bool complex_values>
void apply(const FactorOptions& o, Session<complex_values>& session) {
  auto& control = session.control;
  const double threshold = std::min(o.pivot_threshold, o.symmetric_mode ? 0.1 : 1.0);
  control[UMFPACK_ORDERING] = ordering_code(o.order);
  control[UMFPACK_PIVOT_TOLERANCE] = std::max(threshold, 0.1);
  control[UMFPACK_SYM_PIVOT_TOLERANCE] = threshold;
  control[UMFPACK_SCALE] = o.scale ? UMFPACK_SCALE_SUM : UMFPACK_SCALE_NONE;
  if (o.match) control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
}

template <bool complex_values>
bool keeps_diagonal(const Session<complex_values>& session) {
  return session.info[UMFPACK_STRATEGY_USED] == UMFPACK_STRATEGY_SYMMETRIC;
}

template <bool complex_values>
std::string ordering_used(const Session<complex_values>& session) {
  switch (static_cast<int>(session.info[UMFPACK_ORDERING_USED])) {
    case UMFPACK_ORDERING_METIS:
      return "metis";
    case UMFPACK_ORDERING_NONE:
      return "natural";
    default:  // AMD of A + A' in the symmetric strategy, else COLAMD
      return keeps_diagonal(session) ? "amd" : "colamd";
  }
}

// L, U, P, Q and R as UMFPACK gives them.
template <class Wide>
struct Arrays {
  Csr<Wide> l;
  Csc<Wide> u;
  std::vector<int> l_start, u_start, row_order, col_order;
  std::vector<double> scale;
  int multiply = 0;  // 1: rows are multiplied by the scale, 0: divided

  explicit Arrays(const Session<is_complex<Wide>>& session) {
    int lower = 0, upper = 0, n = 0, cols = 0, pivots = 0;
    if constexpr (is_complex<Wide>)
      check(session.umfpack.complex_sizes(&lower, &upper, &n, &cols, &pivots, session.numeric),
            "umfpack_zi_get_lunz");
    else
      check(session.umfpack.sizes(&lower, &upper, &n, &cols, &pivots, session.numeric),
            "umfpack_di_get_lunz");
    l.rows = l.cols = u.rows = u.cols = n;
    l.index.resize(lower), l.value.resize(lower), u.index.resize(upper), u.value.resize(upper);
    for (auto* const start : {&l_start, &u_start}) start->resize(n + std::size_t{1});
    for (auto* const order : {&row_order, &col_order}) order->resize(n);
    scale.resize(n);
    copy(session);
    l.start.assign(l_start.begin(), l_start.end());
    u.start.assign(u_start.begin(), u_start.end());
    check_pivots(pivots);
  }

 private:
  void copy(const Session<is_complex<Wide>>& session) {
    auto* const lx = reinterpret_cast<double*>(l.value.data());
    auto* const ux = reinterpret_cast<double*>(u.value.data());
    if constexpr (is_complex<Wide>)
      check(session.umfpack.complex_arrays(l_start.data(), l.index.data(), lx, nullptr,
                                           u_start.data(), u.index.data(), ux, nullptr,
                                           row_order.data(), col_order.data(), nullptr, nullptr,
                                           &multiply, scale.data(), session.numeric),
            "umfpack_zi_get_numeric");
    else
      check(session.umfpack.arrays(l_start.data(), l.index.data(), lx, u_start.data(),
                                   u.index.data(), ux, row_order.data(), col_order.data(), nullptr,
                                   &multiply, scale.data(), session.numeric),
            "umfpack_di_get_numeric");
  }

  // UMFPACK goes on after a zero pivot; its column of U has no diagonal entry, or a zero.
  void check_pivots(int pivots) const {
    if (pivots == u.cols) return;
    for (Index j = 0; j < u.cols; ++j) {
      bool found = false;
      for (Offset p = u.start[j]; p < u.start[j + 1]; ++p)
        found = found || (u.index[p] == j && u.value[p] != Wide(0));
      if (!found)
        throw Error(ErrorCode::singular, "the matrix is singular: column " +
                                             std::to_string(col_order[j]) +
                                             " has no nonzero pivot");
    }
  }
};

template <class T>
void take(const Arrays<InDouble<T>>& a, Factors<T>& f) {
  f.lower = unit_lower_columns<T>(a.l);
  f.upper = upper_rows_as_columns<T>(a.u);
  f.row_order.assign(a.row_order.begin(), a.row_order.end());
  f.col_order.assign(a.col_order.begin(), a.col_order.end());
  for (const double scale : a.scale)
    f.row_scale.push_back(static_cast<Real<T>>(a.multiply != 0 ? scale : 1 / scale));
}

// UMFPACK tries METIS only for very large fill.  If pivots stay on the diagonal, the fill of both
// orders is known from A + A'.
template <class T>
void analyze(const DoubleColumns<T>& columns, const FactorOptions& o,
             Session<is_complex<T>>& session) {
  const auto run = [&] {
    session.analyze(columns.n(), columns.start.data(), columns.row(), columns.value());
  };
  run();
  if (o.order != Ordering::automatic || ordering_used(session) != "amd") return;
  Ordering better = Ordering::amd;
  find_order(find_adjacency(columns.lists.view()), Ordering::automatic, &better, o.solve_on);
  if (better != Ordering::metis) return;
  session.free_symbolic();
  session.control[UMFPACK_ORDERING] = UMFPACK_ORDERING_METIS;
  run();
}

template <class T>
Factors<T> run(const MatrixView<T>& a, const FactorOptions& o) {
  Session<is_complex<T>> session;
  const BlasThreads limit(o.threads);
  const DoubleColumns<T> columns(a, "UMFPACK");
  Factors<T> f;
  f.n = a.rows;
  f.package = "umfpack";
  f.kind = "LU";
  f.ordering = name(o.order);
  if (f.n == 0) return f;
  apply(o, session);
  const Timer order;
  analyze(columns, o, session);
  f.order_s = order.seconds();
  f.ordering = ordering_used(session);
  const Timer factor;
  session.factorize(columns.start.data(), columns.row(), columns.value());
  take(Arrays<InDouble<T>>(session), f);
  f.factor_s = factor.seconds();
  return f;
}

}  // namespace

template <Scalar T>
Factors<T> factor_umfpack(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization",
                          [&] { return o.match ? factor_matched(a, o, run<T>) : run(a, o); });
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_umfpack(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
