// factor/klu.cpp -- LU factorization by KLU, in block triangular form.
// SPDX-License-Identifier: BSD-3-Clause
//
// KLU gives P (R A) Q = L U + F: L and U are block diagonal, and F holds what lies above the
// blocks.  It solves block by block from the last one.  Two triangles take their place exactly:
//
//   L U + F = L (U + G),  where L G = F,
//
// and L stays block diagonal.  A row of F in a block of one row stays as it is, since that block of
// L is 1.  In larger blocks G has fill, the same as LU without blocks would have in this order.  If
// G is more than twice F and than L and U together, the matrix is factored again as one block, and
// the sparser of both is kept.
#include <klu.h>

#include <algorithm>
#include <limits>

#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "factor/choose_lu.hpp"
#include "factor/double_columns.hpp"
#include "factor/klu_library.hpp"
#include "factor/matching.hpp"
#include "factor/ordering.hpp"
#include "factor/solve_columns.hpp"

namespace echelon {
namespace {

// The ordering that was asked for, and those that were used for some block.
struct BlockOrders {
  Ordering wanted;
  Backend solve_on;
  bool amd = false, metis = false;

  std::string text() const {
    if (amd && metis) return "amd and metis";
    return amd ? "amd" : metis ? "metis" : "natural";
  }
};

// KLU calls this for each block larger than 3 rows; 0 reports a failure.
int order_block(int n, int* start, int* row, int* order, klu_common* common) {
  try {
    auto& orders = *static_cast<BlockOrders*>(common->user_data);
    std::vector<Offset> starts(start, start + n + 1);
    std::vector<Index> rows(row, row + start[n]);
    for (int j = 0; j < n; ++j) std::sort(rows.begin() + start[j], rows.begin() + start[j + 1]);
    const Adjacency g = find_adjacency(Pattern{Order::columns, n, n, starts, rows});
    Ordering used;
    const std::vector<Index> found = find_order(g, orders.wanted, &used, orders.solve_on);
    orders.amd = orders.amd || used == Ordering::amd;
    orders.metis = orders.metis || used == Ordering::metis;
    std::copy(found.begin(), found.end(), order);
    return std::max(start[n], 1);  // entries of L; KLU only adds them up
  } catch (...) {
    return 0;
  }
}

// KLU's settings and objects; the destructor frees them.
struct Session {
  const KluLibrary& klu = klu_library();
  klu_common common;
  BlockOrders orders;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;

  Session(const FactorOptions& o, bool in_blocks) : orders{o.order, o.solve_on} {
    klu.defaults(&common);
    common.btf = in_blocks ? 1 : 0;
    common.scale = o.scale ? 2 : 0;  // by the largest entry of a row, or not at all
    common.tol = std::min(o.pivot_threshold, o.symmetric_mode ? 0.1 : 1.0);
    common.ordering = o.order == Ordering::amd ? 0 : 3;  // 3: order_block
    common.user_order = order_block;
    common.user_data = &orders;
  }
  ~Session() {
    klu.free_symbolic(&symbolic, &common);
    klu.free_numeric(&numeric, &common);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void check(bool made, const char* call) const {
    if (common.status == KLU_SINGULAR)
      throw Error(ErrorCode::singular, "the matrix is singular: column " +
                                           std::to_string(common.singular_col) +
                                           " has no nonzero pivot");
    if (made && common.status == KLU_OK) return;
    if (common.status == KLU_OUT_OF_MEMORY)
      throw Error(ErrorCode::out_of_memory, std::string(call) + ": not enough memory");
    throw Error(ErrorCode::backend_failed,
                std::string(call) + (common.status == KLU_TOO_LARGE
                                         ? ": the factors are too large for KLU's int indices"
                                         : " failed with status " + std::to_string(common.status)));
  }
};

// L, U and F as KLU gives them, by columns, with unsorted rows.
template <class Wide>
struct Arrays {
  Csc<Wide> l, u, f;
  std::vector<int> row_order, col_order;
  std::vector<double> scale;  // by pivot; rows are divided by it
};

template <class Wide>
void shape(Csc<Wide>& m, int n, int entries) {
  m.rows = m.cols = n;
  m.index.resize(entries);
  m.value.resize(entries);
}

template <class Wide>
void join(Csc<Wide>& m, const std::vector<int>& start, const std::vector<double>& re,
          const std::vector<double>& im) {
  m.start.assign(start.begin(), start.end());
  for (std::size_t p = 0; p < m.value.size(); ++p) {
    if constexpr (is_complex<Wide>)
      m.value[p] = {re[p], im[p]};
    else
      m.value[p] = re[p];
  }
}

template <class Wide>
Arrays<Wide> extract(Session& s) {
  Arrays<Wide> a;
  const int n = s.numeric->n;
  const std::array entries{s.numeric->lnz, s.numeric->unz, s.numeric->nzoff};
  std::array<Csc<Wide>*, 3> parts{&a.l, &a.u, &a.f};
  std::array<std::vector<int>, 3> start;
  std::array<std::vector<double>, 3> re, im;
  for (int k = 0; k < 3; ++k) {
    shape(*parts[k], n, entries[k]);
    start[k].resize(n + 1);
    re[k].resize(entries[k]);
    im[k].resize(is_complex<Wide> ? entries[k] : 0);
  }
  a.row_order.resize(n), a.col_order.resize(n), a.scale.resize(n);
  std::vector<int> block(n + 1);
  const auto rows = [&](int k) { return parts[k]->index.data(); };
  int done = 0;
  if constexpr (is_complex<Wide>)
    done = s.klu.complex_extract(s.numeric, s.symbolic, start[0].data(), rows(0), re[0].data(),
                                 im[0].data(), start[1].data(), rows(1), re[1].data(), im[1].data(),
                                 start[2].data(), rows(2), re[2].data(), im[2].data(),
                                 a.row_order.data(), a.col_order.data(), a.scale.data(),
                                 block.data(), &s.common);
  else
    done = s.klu.extract(s.numeric, s.symbolic, start[0].data(), rows(0), re[0].data(),
                         start[1].data(), rows(1), re[1].data(), start[2].data(), rows(2),
                         re[2].data(), a.row_order.data(), a.col_order.data(), a.scale.data(),
                         block.data(), &s.common);
  s.check(done != 0, "klu_extract");
  for (int k = 0; k < 3; ++k) join(*parts[k], start[k], re[k], im[k]);
  return a;
}

// U + G with L G = F; the columns of L, U and F are not sorted, those of the result are not either.
template <class Wide>
Csc<Wide> join_blocks(const Arrays<Wide>& a) {
  if (a.f.nonzeros() == 0) return a.u;
  SparseLowerSolve<Wide> solve(a.l);
  Csc<Wide> u{a.u.rows, a.u.cols, Buffer<Offset>(1, 0), {}, {}};
  u.index.reserve(a.u.index.size() + a.f.index.size());
  u.value.reserve(a.u.index.size() + a.f.index.size());
  for (Index j = 0; j < u.cols; ++j) {
    solve.append_column(a.f, j, u);
    for (Offset p = a.u.start[j]; p < a.u.start[j + 1]; ++p) {
      u.index.push_back(a.u.index[p]);
      u.value.push_back(a.u.value[p]);
    }
    u.start.push_back(static_cast<Offset>(u.index.size()));
  }
  return u;
}

template <class T>
struct Result {
  Factors<T> factors;
  Offset joined = 0;  // entries of G
  Offset above = 0;   // entries of F

  Offset entries() const { return factors.lower.nonzeros + factors.upper.nonzeros; }
  bool filled() const { return joined > 2 * above && joined > 2 * (entries() - joined); }
};

std::string ordering_used(const Session& s) {
  const std::string in_block = s.orders.wanted == Ordering::amd ? "amd" : s.orders.text();
  return s.symbolic->nblocks > 1 ? "btf+" + in_block : in_block;
}

template <class T>
Result<T> run_once(const DoubleColumns<T>& columns, const FactorOptions& o, bool in_blocks) {
  using Wide = InDouble<T>;
  Session s(o, in_blocks);
  Result<T> r;
  Factors<T>& f = r.factors;
  f.n = columns.n();
  const Timer order;
  int* const start = const_cast<int*>(columns.start.data());   // NOLINT: KLU only reads them
  int* const row = const_cast<int*>(columns.row());            // NOLINT
  double* const value = const_cast<double*>(columns.value());  // NOLINT
  s.symbolic = s.klu.analyze(f.n, start, row, &s.common);
  s.check(s.symbolic != nullptr, "klu_analyze");
  f.order_s = order.seconds();
  f.ordering = ordering_used(s);
  const Timer factor;
  s.numeric = (is_complex<T> ? s.klu.complex_factor : s.klu.factor)(start, row, value, s.symbolic,
                                                                    &s.common);
  s.check(s.numeric != nullptr, "klu_factor");
  const Arrays<Wide> a = extract<Wide>(s);
  const Csc<Wide> u = join_blocks(a);
  r.above = a.f.nonzeros();
  r.joined = u.nonzeros() - a.u.nonzeros();
  f.lower = unit_lower_columns<T>(to_csr(CscView<Wide>(a.l)));
  f.upper = upper_rows_as_columns<T>(u);
  f.row_order.assign(a.row_order.begin(), a.row_order.end());
  f.col_order.assign(a.col_order.begin(), a.col_order.end());
  f.row_scale.resize(a.scale.size());
  for (Index k = 0; k < f.n; ++k)
    f.row_scale[a.row_order[k]] = static_cast<Real<T>>(1 / a.scale[k]);
  f.factor_s = factor.seconds();
  return r;
}

template <class T>
Factors<T> run(const MatrixView<T>& a, const FactorOptions& o) {
  klu_library();
  const DoubleColumns<T> columns(a, "KLU");
  Result<T> r;
  r.factors.ordering = name(o.order);
  if (a.rows > 0) r = run_once(columns, o, true);
  if (r.filled()) {
    Result<T> whole = run_once(columns, o, false);
    whole.factors.order_s += r.factors.order_s;
    whole.factors.factor_s += r.factors.factor_s;
    if (whole.entries() < r.entries()) r = std::move(whole);
  }
  r.factors.package = "klu";
  r.factors.kind = "LU";
  return std::move(r.factors);
}

}  // namespace

LuForecast forecast_lu(const Pattern& a) {
  LuForecast forecast;
  if (a.cols == 0 || a.nonzeros() > std::numeric_limits<int>::max()) return forecast;
  try {
    Session s({.order = Ordering::amd}, true);
    std::vector<int> start(a.start.begin(), a.start.end());
    auto* const row = const_cast<int*>(a.index.data());  // NOLINT: KLU only reads it
    s.symbolic = s.klu.analyze(a.cols, start.data(), row, &s.common);
    if (s.symbolic == nullptr || s.common.structural_rank < a.cols) return forecast;
    const klu_symbolic& found = *s.symbolic;
    return {true, found.lnz + found.unz, found.est_flops, found.nblocks};
  } catch (const Error& error) {
    if (error.code() != ErrorCode::backend_missing) throw;
    return forecast;
  }
}

template <Scalar T>
Factors<T> factor_klu(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization",
                          [&] { return o.match ? factor_matched(a, o, run<T>) : run(a, o); });
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_klu(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
