// factor/superlu.cpp -- LU and incomplete LU factorization by SuperLU.
// SPDX-License-Identifier: BSD-3-Clause
//
// Limitations of SuperLU.  If it cannot allocate one of its small arrays, it prints a line and ends
// the program (superlu_abort_and_exit).  Its ILU does the same if dropping leaves a column without
// rows.  For a structurally singular matrix it would read past its arrays; such a matrix is
// rejected before.  It counts the values of L and U in int and does not detect an overflow.
#include <algorithm>
#include <limits>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "factor/input.hpp"
#include "factor/matching.hpp"
#include "factor/ordering.hpp"
#include "factor/structural_rank.hpp"
#include "factor/superlu_object.hpp"

namespace echelon {
namespace {

static_assert(sizeof(int_t) == sizeof(Index), "SuperLU must be built with 32-bit indices");

enum class Dropping { none, small_entries };

[[noreturn]] void refuse_singular(const std::string& why) {
  throw Error(ErrorCode::singular, "the matrix is singular: " + why);
}

// A matrix of SuperLU with its own function to free it.
struct Owned {
  SuperMatrix matrix{};
  void (*destroy)(SuperMatrix*);

  explicit Owned(void (*how)(SuperMatrix*)) : destroy(how) {}
  ~Owned() { release(); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  void release() {
    if (matrix.Store != nullptr) destroy(&matrix);
    matrix.Store = nullptr;
  }
};

struct Statistics {
  SuperLUStat_t counts{};

  Statistics() { StatInit(&counts); }
  ~Statistics() { StatFree(&counts); }
  Statistics(const Statistics&) = delete;
  Statistics& operator=(const Statistics&) = delete;
};

// SuperLU first allocates this many times the entries of A for L and U, counted in int.
Offset most_entries() { return std::numeric_limits<int>::max() / std::max(sp_ienv(6), 1); }

// A by columns, scaled in place, and its permutations.
template <class T>
struct System {
  SortedInput<T> columns;
  std::vector<int> start;
  bool symmetric;  // pattern is symmetric
  std::vector<int> perm_r, perm_c, tree;
  NCformat store{};
  SuperMatrix matrix{};

  explicit System(const MatrixView<T>& a)
      : columns(a, Half::both, Order::columns),
        start(narrow_starts(columns.view().start, most_entries(), "SuperLU")),
        symmetric(has_symmetric_pattern(columns.view())),
        perm_r(static_cast<std::size_t>(a.rows)),
        perm_c(perm_r.size()),
        tree(perm_r.size()) {
    const MatrixView<T>& view = columns.view();
    store = {start.back(), const_cast<T*>(view.value.data()),       // NOLINT: only scale()
             const_cast<Index*>(view.index.data()), start.data()};  // NOLINT: writes to them
    matrix = {SLU_NC, SuperluCalls<T>::type, SLU_GE, a.rows, a.cols, &store};
  }
  System(const System&) = delete;
  System& operator=(const System&) = delete;
};

// Scales rows and columns to a largest entry of 1, where SuperLU recommends it.
template <class T>
void scale(System<T>& system, Factors<T>& f) {
  const auto n = static_cast<std::size_t>(f.n);
  std::vector<Real<T>> row(n), col(n);
  Real<T> row_range, col_range, largest;
  int_t info = 0;
  SuperluCalls<T>::find_scales(&system.matrix, row.data(), col.data(), &row_range, &col_range,
                               &largest, &info);
  if (info > f.n) refuse_singular("column " + std::to_string(info - f.n - 1) + " is zero");
  if (info > 0) refuse_singular("row " + std::to_string(info - 1) + " is zero");
  const auto apply = [&](SuperMatrix& matrix) {
    char done[2] = "N";
    SuperluCalls<T>::apply_scales(&matrix, row.data(), col.data(), row_range, col_range, largest,
                                  done);
    return done[0];
  };
  // SuperLU decides by the three numbers; an empty matrix asks it without scaling anything.
  int_t no_entries[2] = {0, 0};
  NCformat empty{0, nullptr, nullptr, no_entries};
  SuperMatrix question{SLU_NC, SuperluCalls<T>::type, SLU_GE, 1, 1, &empty};
  const char done = apply(question);
  if (done == 'N') return;
  system.store.nzval = system.columns.own_values();
  apply(system.matrix);
  if (done == 'R' || done == 'B') f.row_scale = std::move(row);
  if (done == 'C' || done == 'B') f.col_scale = std::move(col);
}

void take_order(const std::vector<Index>& order, std::vector<int>& perm_c) {
  for (std::size_t k = 0; k < order.size(); ++k) perm_c[order[k]] = static_cast<int>(k);
}

// Orders the columns and returns the name of the ordering.  In symmetric mode SuperLU expects the
// caller to make columns of equal structure neighbours; else it sorts by its own tree.
template <class T>
std::string order_columns(System<T>& system, const FactorOptions& o, bool symmetric_mode) {
  Ordering wanted = o.order;
  if (wanted == Ordering::natural) {
    std::iota(system.perm_c.begin(), system.perm_c.end(), 0);
    return "natural";
  }
  const bool chooses = wanted == Ordering::automatic;
  if (wanted == Ordering::amd || (chooses && !symmetric_mode)) {
    get_perm_c(symmetric_mode ? MMD_AT_PLUS_A : COLAMD, &system.matrix, system.perm_c.data());
    if (!symmetric_mode) return "colamd";
  }
  const Adjacency g = find_adjacency(system.columns.view());
  std::vector<Index> order;
  if (wanted != Ordering::amd) {
    order = find_order(g, wanted, &wanted, o.solve_on);
  } else {
    order.resize(system.perm_c.size());
    for (std::size_t j = 0; j < order.size(); ++j) order[system.perm_c[j]] = static_cast<Index>(j);
  }
  take_order(symmetric_mode ? postorder(g, order) : order, system.perm_c);
  return wanted == Ordering::amd && !chooses ? "mmd" : name(wanted);
}

// In symmetric mode the diagonal is the pivot unless it is ten times smaller than the largest
// entry.  SuperLU's guide suggests 0.01 or 0, which loses digits that refinement cannot always
// restore.
constexpr double diagonal_threshold = 0.1;

superlu_options_t options_of(const FactorOptions& o, bool symmetric_mode, Dropping dropping) {
  superlu_options_t options;
  if (dropping == Dropping::none)
    set_default_options(&options);
  else
    ilu_set_default_options(&options);
  options.Fact = DOFACT;
  options.ColPerm = MY_PERMC;
  options.PrintStat = NO;
  options.SymmetricMode = symmetric_mode ? YES : NO;
  const bool prefer_diagonal = symmetric_mode || dropping == Dropping::small_entries;
  options.DiagPivotThresh =
      prefer_diagonal ? std::min(o.pivot_threshold, diagonal_threshold) : o.pivot_threshold;
  options.ILU_DropTol = o.drop_tolerance;
  options.ILU_FillFactor = o.fill_factor;
  return options;
}

// Checks SuperLU's return code.  With dropping, 1 to n is the number of replaced pivots.
void check_result(int_t info, const std::vector<int>& perm_c, Dropping dropping) {
  const auto n = static_cast<int_t>(perm_c.size());
  if (info < 0)
    throw Error(ErrorCode::backend_failed, "SuperLU rejects its argument " + std::to_string(-info));
  if (info > n) throw Error(ErrorCode::out_of_memory, "SuperLU: not enough memory for L and U");
  if (info == 0 || dropping == Dropping::small_entries) return;
  const auto column = std::find(perm_c.begin(), perm_c.end(), info - 1) - perm_c.begin();
  refuse_singular("column " + std::to_string(column) + " has no nonzero pivot");
}

// Factors the scaled and ordered system into l and u.
template <class T>
void factorize(System<T>& system, superlu_options_t options, Dropping dropping, SuperMatrix& l,
               SuperMatrix& u) {
  Owned permuted(Destroy_CompCol_Permuted);
  sp_preorder(&options, &system.matrix, system.perm_c.data(), system.tree.data(), &permuted.matrix);
  const auto call =
      dropping == Dropping::none ? SuperluCalls<T>::factorize : SuperluCalls<T>::factorize_ilu;
  Statistics statistics;
  GlobalLU_t memory;
  int_t info = 0;
  call(&options, &permuted.matrix, sp_ienv(2), sp_ienv(1), system.tree.data(), nullptr, 0,
       system.perm_c.data(), system.perm_r.data(), &l, &u, &memory, &statistics.counts, &info);
  check_result(info, system.perm_c, dropping);
}

void check_options(const FactorOptions& o) {
  if (!(o.pivot_threshold >= 0 && o.pivot_threshold <= 1))
    throw Error(ErrorCode::bad_argument, "pivot_threshold is " + std::to_string(o.pivot_threshold) +
                                             ", not between 0 and 1");
  if (!(o.drop_tolerance >= 0 && o.fill_factor > 0))
    throw Error(ErrorCode::bad_argument,
                "drop_tolerance must not be negative, and fill_factor must be positive");
}

template <class T>
Factors<T> run(const MatrixView<T>& a, const FactorOptions& o, Dropping dropping) {
  check_options(o);
  const BlasThreads limit(o.threads);
  Factors<T> f;
  f.n = a.rows;
  System<T> system(a);
  if (const Index j = find_column_without_pivot(system.columns.view()); j >= 0)
    refuse_singular("column " + std::to_string(j) +
                    " cannot have a pivot, because of the pattern alone");
  if (o.scale) scale(system, f);
  const bool symmetric_mode =
      (system.symmetric || o.match) && o.symmetric_mode && dropping == Dropping::none;
  const Timer order;
  f.ordering = order_columns(system, o, symmetric_mode);
  f.order_s = order.seconds();
  const Timer factor;
  auto l = std::make_shared<Owned>(Destroy_SuperNode_Matrix);
  Owned u(Destroy_CompCol_Matrix);
  factorize(system, options_of(o, symmetric_mode, dropping), dropping, l->matrix, u.matrix);
  f.factor_s = factor.seconds();
  if (o.order == Ordering::natural && !std::is_sorted(system.perm_c.begin(), system.perm_c.end()))
    f.ordering = "postorder";  // by SuperLU's own tree

  Factors<T> seen = see_superlu<T>({l->matrix, u.matrix, system.perm_r, system.perm_c}, o.threads);
  seen.row_scale = std::move(f.row_scale);
  seen.col_scale = std::move(f.col_scale);
  seen.order_s = f.order_s;
  seen.factor_s = f.factor_s;
  seen.ordering = f.ordering;
  seen.owner = std::move(l);
  return seen;
}

}  // namespace

template <Scalar T>
Factors<T> factor_superlu(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization", [&] {
    const auto complete = [](const MatrixView<T>& view, const FactorOptions& with) {
      return run(view, with, Dropping::none);
    };
    return o.match ? factor_matched(a, o, complete) : complete(a, o);
  });
}

template <Scalar T>
Factors<T> factor_superlu_ilu(const MatrixView<T>& a, const FactorOptions& o) {
  return report_bad_alloc("factorization", [&] {
    Factors<T> f = run(a, o, Dropping::small_entries);
    f.package = "superlu_ilu";
    f.kind = "ILUTP";
    return f;
  });
}

#define ECHELON_INSTANTIATE(T)                                                    \
  template Factors<T> factor_superlu(const MatrixView<T>&, const FactorOptions&); \
  template Factors<T> factor_superlu_ilu(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
