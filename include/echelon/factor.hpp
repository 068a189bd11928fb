// echelon/factor.hpp -- factors of other libraries and of our own incomplete factorizations, as two
// triangles with permutations and scalings.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after supernode.hpp; feeds direct.hpp.
//
//   echelon::Factors<double> f = echelon::factor_cholmod(a);    // A = P' L L' P
//   echelon::DirectSolver<double> solver(std::move(f));
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "echelon/matrix.hpp"
#include "echelon/supernode.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A lower triangle in dense panels, as CHOLMOD and SuperLU store it.  `value` points into the
// package's memory; the small arrays are copies.
template <Scalar T>
struct Panels {
  Buffer<Index> first;         // size count+1: panel s is columns [first[s], first[s+1])
  Buffer<Offset> row_start;    // size count+1
  Buffer<Index> row;           // rows of s: its own columns first, then those below in any order
  Buffer<Offset> value_start;  // size count: row k of column j is value[start + j*rows + k]
  std::span<const T> value;
  bool unit_diagonal = false;  // the diagonal is 1 and its stored entries are not read

  Index count() const { return first.empty() ? 0 : static_cast<Index>(first.size()) - 1; }
  Index rows(Index s) const { return static_cast<Index>(row_start[s + 1] - row_start[s]); }
};

// One triangle of a factorization, always stored as a lower triangle N by columns: L itself, or the
// transpose of U.  Either panels or columns; the other is empty.
template <Scalar T>
struct FactorTriangle {
  Panels<T> panels;
  Csc<T> columns;              // sorted; the diagonal, if stored, is the first entry of its column
  bool unit_diagonal = false;  // for `columns`: not stored, taken as 1 (panels have their own flag)
  Supernodes supernodes;  // of panels: without most explicit zeros of the package (see nonzeros);
                          // of columns: the caller's, or empty
  Offset nonzeros = 0;    // exact count, with the diagonal (also of a unit triangle)

  bool in_panels() const { return panels.count() > 0; }
};

// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j), where R and C are diagonal scalings.
template <Scalar T>
struct Factors {
  Index n = 0;
  std::string package;      // "cholmod", "superlu", "umfpack", "klu", ...
  std::string kind;         // "LL' supernodal", "LDL' simplicial", "LU", "ILU(0)", ...
  std::string ordering;     // the one used: "metis", "amd", "colamd", "mmd" (minimum degree on A +
                            // A'), "natural", "postorder" (natural, postordered), "given"; of KLU
                            // "btf+amd", ..., if there are several diagonal blocks
  std::string reason;       // of factor_automatic: why this one, and why others were left
  Index refine_steps = 0;   // of factor_automatic: steps of refinement (DirectSolver::solve with A)
                            // that a backward error of rounding takes
  bool symmetric = false;   // U is the conjugate transpose of L and not stored
  FactorTriangle<T> lower;  // N = L
  FactorTriangle<T> upper;  // N = the transpose of U; empty if symmetric
  std::vector<T> diagonal;  // D; empty: all 1
  std::vector<Index> row_order, col_order;    // size n; empty: identity
  std::vector<Real<T>> row_scale, col_scale;  // size n; empty: 1
  double order_s = 0;                         // seconds: ordering and symbolic analysis
  double factor_s = 0;                        // seconds: numeric factorization
  std::shared_ptr<void> owner;                // owns the memory the panels point to
};

// The supernodes of the package, with its explicit zeros; if the package has none, those found from
// the pattern.
template <Scalar T>
ECHELON_EXPORT Supernodes package_supernodes(const FactorTriangle<T>& factor, Index threads = 0);
// The same without explicit zeros, except where removing them does not pay.
template <Scalar T>
ECHELON_EXPORT Supernodes exact_supernodes(const FactorTriangle<T>& factor, Index threads = 0);

// The nonzeros of panels as sorted columns.  Explicit zeros are dropped, except on the diagonal; a
// unit diagonal is not stored.  O(values).
template <Scalar T>
ECHELON_EXPORT Csc<T> columns_of(const Panels<T>& panels, Index threads = 0);
// The same with all entries of the triangle's exact supernodes: a few zeros stay, so that entries
// that are zero by chance may become nonzero with new values.
template <Scalar T>
ECHELON_EXPORT Csc<T> columns_of(const FactorTriangle<T>& factor, Index threads = 0);
// Replaces the values of `columns` by those of `panels`.  Throws bad_argument if these have a
// nonzero where `columns` has no entry.
template <Scalar T>
ECHELON_EXPORT void take_values(const Panels<T>& panels, Csc<T>& columns, Index threads = 0);

// amd: AMD for CHOLMOD, KLU, ILU(0) and IC(0); for UMFPACK AMD or COLAMD; for SuperLU COLAMD or, in
// symmetric mode, minimum degree.
// automatic: of AMD and METIS on A + A', the one with less fill in a symmetric factorization;
// METIS, whose elimination trees are wider, where the difference is small.  For solves on a GPU the
// height of the trees counts, too.  SuperLU outside its
// symmetric mode takes COLAMD; UMFPACK takes AMD or COLAMD, and METIS if their fill is large.
enum class Ordering { metis, amd, natural, automatic };
constexpr auto names(Ordering) {
  return name_table<Ordering>({{Ordering::metis, "metis"},
                               {Ordering::amd, "amd"},
                               {Ordering::natural, "natural"},
                               {Ordering::automatic, "automatic"}});
}

struct FactorOptions {
  Ordering order = Ordering::metis;
  bool simplicial = false;          // CHOLMOD: column by column, as LDL'
  Backend solve_on = Backend::cpu;  // where solves will run.  On a GPU long chains of columns cost
                                    // more than entries: automatic orders and factors are shallow
  bool scale = true;           // SuperLU: equilibrate rows and columns if it helps; UMFPACK, KLU:
                               // scale rows
  double pivot_threshold = 1;  // LU: 1 is partial pivoting, 0 keeps the diagonal
  bool symmetric_mode = true;  // SuperLU: if the pattern is symmetric, use at most 0.1 as the
                               // threshold; fill is then close to Cholesky's.  UMFPACK, KLU: at
                               // most 0.1 for every pattern
  bool match = false;  // SuperLU, UMFPACK, KLU: first move large entries to the diagonal, and scale
                       // all entries by them (a matching of largest product); the order is then one
                       // for A + A', and scale is not used
  double drop_tolerance = 1e-4;  // SuperLU's ILU
  double fill_factor = 10;       // SuperLU's ILU
  Index threads = 0;  // of BLAS in the packages, and of our work on their factors; 0: the BLAS
                      // setting, and all threads

  template <class Visitor>
  void visit(Visitor&& v) {
    v("order", order, "fill-reducing order");
    v("simplicial", simplicial, "CHOLMOD: a simplicial LDL' factor");
    v("solve_on", solve_on, "where solves will run, for automatic orders and factors");
    v("scale", scale, "SuperLU: equilibrate; UMFPACK, KLU: scale rows");
    v("pivot_threshold", pivot_threshold,
      "LU: least size of a diagonal pivot, relative to the largest entry");
    v("symmetric_mode", symmetric_mode,
      "LU: prefer diagonal pivots (SuperLU: if the pattern is symmetric)");
    v("match", match, "LU: first move large entries to the diagonal and scale by them");
    v("drop_tolerance", drop_tolerance, "SuperLU ILU: drop entries below this share");
    v("fill_factor", fill_factor, "SuperLU ILU: at most this many times the entries of A");
    v("threads", threads, "BLAS threads of the package, 0 to keep the current setting");
  }
};

// All factorizations take matrices by rows (Csr, CsrView) and by columns (Csc, CscView), whose
// arrays must live during the call only.  They throw bad_argument for a matrix that is not square,
// not_finite with row and column of an entry, and out_of_memory.
//
// Which values are copied before the package sees them, if lists are sorted and have no duplicates:
//
//                  by rows                      by columns
//   CHOLMOD        none; complex: transposed    none           (float: rounded up to double)
//   SuperLU        transposed                   none           (scaled: a copy)
//   UMFPACK, KLU   transposed                   none           (float: rounded up to double)
//   ILU(0), IC(0)  a copy to overwrite          transposed, to overwrite
//
// SuperLU reads columns only; CHOLMOD reads rows of a real matrix as columns of its transpose.
// Unsorted lists and duplicates are sorted and added up in a copy.

// The names of packages for factor_by_name that work here: CHOLMOD, UMFPACK and KLU are loaded at
// run time, if they are installed.
std::vector<std::string> factor_packages();

// Every positive definite matrix passes this quick test.  Values may differ by rounding; lists need
// not be sorted.  O(n + nnz).
struct HermitianTest {
  bool hermitian = false;          // the same pattern and values as its conjugate transpose
  bool positive_diagonal = false;  // found only if it is Hermitian
  std::string why;                 // the first place where either fails, counted from 0; or empty
};
template <Scalar T>
ECHELON_EXPORT HermitianTest test_hermitian(const MatrixView<T>& a);

// A factorization chosen by the matrix.
//
//   Hermitian, up to rounding   LL' (CHOLMOD) if the diagonal is positive.  If that finds the
//   matrix
//                               not positive definite, or the diagonal is not positive: LDL'
//                               (CHOLMOD) without pivoting, which is checked.
//   any other                   LU: KLU where little work per entry is predicted (circuits), else
//                               SuperLU or UMFPACK.
//
// For solves on a GPU (o.solve_on), an LU whose columns form long chains is compared with one of
// matched rows in an order for A + A', and the one that should be solved sooner is kept.
//
// LDL' and LU are checked by one solve with one step of refinement.  If the backward error is not
// that of rounding, LDL' is replaced by LU, and LU by LU with partial pivoting.  `reason` says what
// was tried, and why it was left.  Packages that are not installed are left out.  Reads all of A.
// Throws what the last factorization tried throws; backend_missing without a package for LU.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_automatic(const MatrixView<T>& a,
                                           const FactorOptions& o = {.order = Ordering::automatic});

// A = L L' (Hermitian positive definite; reads the lower triangle) or, if simplicial, L D L', which
// also accepts indefinite matrices without a zero pivot. float is factored in double and rounded.
// Throws backend_missing; not_positive_definite with the column of A; bad_argument (not square),
// out_of_memory, backend_failed.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_cholmod(const MatrixView<T>& a, const FactorOptions& o = {});

// P A Q = L U with partial pivoting.  Throws backend_missing; singular with the column of A;
// bad_argument (not square, too large for SuperLU), out_of_memory.  SuperLU itself ends the program
// if it cannot allocate one of its small arrays.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_superlu(const MatrixView<T>& a, const FactorOptions& o = {});
// The same with dropping: SuperLU's ILUTP.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_superlu_ilu(const MatrixView<T>& a, const FactorOptions& o = {});

// P R A Q = L U by UMFPACK and KLU, in columns: UMFPACK for any matrix, KLU for very sparse ones
// such as circuits, which it permutes to block triangular form.  float is factored in double and
// rounded. Throw backend_missing; singular with the column of A; bad_argument (not square, too
// large), out_of_memory, backend_failed.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_umfpack(const MatrixView<T>& a,
                                         const FactorOptions& o = {.order = Ordering::automatic});
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_klu(const MatrixView<T>& a,
                                     const FactorOptions& o = {.order = Ordering::automatic});

// Our own ILU(0) and IC(0), without fill or pivoting.  Set o.order to natural to keep the order of
// rows and columns, as most users of ILU(0) expect; it is not the default of FactorOptions.  IC(0)
// reads the lower triangle.  Throws zero_diagonal (a missing diagonal entry or a zero pivot),
// not_positive_definite (IC(0)), both with the row; bad_argument, backend_missing (the ordering),
// out_of_memory.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_ilu0(const MatrixView<T>& a, const FactorOptions& o = {});
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_ic0(const MatrixView<T>& a, const FactorOptions& o = {});

// "automatic", "cholmod", "superlu", "umfpack", "klu", "superlu_ilu", "ilu0" or "ic0".  Throws
// bad_argument for another name.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_by_name(const std::string& package, const MatrixView<T>& a,
                                         const FactorOptions& o);
// The options with which the functions above are called if none are given: the order is automatic
// for factor_automatic, factor_umfpack and factor_klu.
FactorOptions factor_defaults(const std::string& package, Backend solve_on = Backend::cpu);
template <Scalar T>
Factors<T> factor_by_name(const std::string& package, const MatrixView<T>& a) {
  return factor_by_name<T>(package, a, factor_defaults(package));
}

// Factors of the caller: L and U as compressed triangles of any kind, each with a partition into
// supernodes (Supernodes::first) or an empty one.  Copies the entries; adds up duplicates.  Throws
// bad_argument (op(triangle) is not lower or upper, sizes differ, bad partition), not_triangular,
// zero_diagonal.
template <Scalar T>
ECHELON_EXPORT Factors<T> factors_of(const Triangle<T>& lower, const Triangle<T>& upper,
                                     std::span<const Index> lower_first = {},
                                     std::span<const Index> upper_first = {});

// Factors that the caller made with a package, used in place: a cholmod_factor (indices int or
// long, LL' or LDL', real or complex double; columns are copied, panels are not), or SuperLU's L
// and U with its permutations (SuperMatrix of precision T).  They must outlive the result.  The
// void pointers avoid the packages' headers. Throws backend_missing, bad_argument for an
// unsupported form.
template <Scalar T>
ECHELON_EXPORT Factors<T> load_cholmod(const void* cholmod_factor);
template <Scalar T>
ECHELON_EXPORT Factors<T> load_superlu(const void* lower, const void* upper, const int* perm_r,
                                       const int* perm_c);

// The same with T deduced, for a matrix or a view of either order: factor_cholmod(a).
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_cholmod(const A& a, const FactorOptions& o = {}) {
  return factor_cholmod<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_superlu(const A& a, const FactorOptions& o = {}) {
  return factor_superlu<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_umfpack(const A& a,
                                    const FactorOptions& o = {.order = Ordering::automatic}) {
  return factor_umfpack<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_klu(const A& a,
                                const FactorOptions& o = {.order = Ordering::automatic}) {
  return factor_klu<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_automatic(const A& a,
                                      const FactorOptions& o = {.order = Ordering::automatic}) {
  return factor_automatic<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_superlu_ilu(const A& a, const FactorOptions& o = {}) {
  return factor_superlu_ilu<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_ilu0(const A& a, const FactorOptions& o = {}) {
  return factor_ilu0<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_ic0(const A& a, const FactorOptions& o = {}) {
  return factor_ic0<ScalarOf<A>>(MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_by_name(const std::string& package, const A& a,
                                    const FactorOptions& o) {
  return factor_by_name<ScalarOf<A>>(package, MatrixView(a), o);
}
template <CompressedMatrix A>
Factors<ScalarOf<A>> factor_by_name(const std::string& package, const A& a) {
  return factor_by_name<ScalarOf<A>>(package, MatrixView(a));
}

}  // namespace echelon
#pragma GCC visibility pop
