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
  std::string package;      // "cholmod", "superlu", ...
  std::string kind;         // "LL' supernodal", "LDL' simplicial", "LU", "ILU(0)", ...
  std::string ordering;     // the one used: "metis", "amd", "colamd", "mmd" (minimum degree on A +
                            // A'), "natural", "postorder" (natural, postordered), "given"
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
Supernodes package_supernodes(const FactorTriangle<T>& factor, Index threads = 0);
// The same without explicit zeros, except where removing them does not pay.
template <Scalar T>
Supernodes exact_supernodes(const FactorTriangle<T>& factor, Index threads = 0);

// amd: AMD for CHOLMOD, ILU(0) and IC(0); for SuperLU COLAMD or, in symmetric mode, minimum degree.
enum class Ordering { metis, amd, natural };

struct FactorOptions {
  Ordering order = Ordering::metis;
  bool simplicial = false;     // CHOLMOD: column by column, as LDL'
  bool scale = true;           // SuperLU: equilibrate rows and columns if it helps
  double pivot_threshold = 1;  // SuperLU: 1 is partial pivoting, 0 keeps the diagonal
  bool symmetric_mode = true;  // SuperLU and its ILU: if the pattern is symmetric, use at most 0.1
                               // as the threshold; fill is then close to Cholesky's
  double drop_tolerance = 1e-4;  // SuperLU's ILU
  double fill_factor = 10;       // SuperLU's ILU
  Index threads = 0;  // of BLAS in the packages, and of our work on their factors; 0: the BLAS
                      // setting, and all threads

  template <class Visitor>
  void visit(Visitor&& v) {
    v("order", order, "metis, amd or natural");
    v("simplicial", simplicial, "CHOLMOD: a simplicial LDL' factor");
    v("scale", scale, "SuperLU: equilibrate");
    v("pivot_threshold", pivot_threshold,
      "SuperLU: least size of a diagonal pivot, relative to the largest entry");
    v("symmetric_mode", symmetric_mode,
      "SuperLU: prefer diagonal pivots if the pattern is symmetric");
    v("drop_tolerance", drop_tolerance, "SuperLU ILU: drop entries below this share");
    v("fill_factor", fill_factor, "SuperLU ILU: at most this many times the entries of A");
    v("threads", threads, "BLAS threads of the package, 0 to keep the current setting");
  }
};

const char* name(Ordering order) noexcept;
// Throws bad_argument that lists the names.
Ordering parse_ordering(std::string_view text);

// All factorizations throw bad_argument for a matrix that is not square, not_finite with row and
// column of an entry, and out_of_memory.

// The names for factor_by_name that work in this build.
std::vector<std::string> factor_packages();

// A = L L' (Hermitian positive definite; reads the lower triangle) or, if simplicial, L D L', which
// also accepts indefinite matrices without a zero pivot. float is factored in double and rounded.
// Throws backend_missing; not_positive_definite with the column of A; bad_argument (not square),
// out_of_memory, backend_failed.
template <Scalar T>
Factors<T> factor_cholmod(const CsrView<T>& a, const FactorOptions& o = {});

// P A Q = L U with partial pivoting.  Throws backend_missing; singular with the column of A;
// bad_argument (not square, too large for SuperLU), out_of_memory.  SuperLU itself ends the program
// if it cannot allocate one of its small arrays.
template <Scalar T>
Factors<T> factor_superlu(const CsrView<T>& a, const FactorOptions& o = {});
// The same with dropping: SuperLU's ILUTP.
template <Scalar T>
Factors<T> factor_superlu_ilu(const CsrView<T>& a, const FactorOptions& o = {});

// Our own ILU(0) and IC(0), without fill or pivoting.  Set o.order to natural to keep the order of
// rows and columns, as most users of ILU(0) expect; it is not the default of FactorOptions.  IC(0)
// reads the lower triangle.  Throws zero_diagonal (a missing diagonal entry or a zero pivot),
// not_positive_definite (IC(0)), both with the row; bad_argument, backend_missing (the ordering),
// out_of_memory.
template <Scalar T>
Factors<T> factor_ilu0(const CsrView<T>& a, const FactorOptions& o = {});
template <Scalar T>
Factors<T> factor_ic0(const CsrView<T>& a, const FactorOptions& o = {});

// "cholmod", "superlu", "superlu_ilu", "ilu0" or "ic0".  Throws bad_argument for another name.
template <Scalar T>
Factors<T> factor_by_name(const std::string& package, const CsrView<T>& a,
                          const FactorOptions& o = {});

// Factors of the caller: L and U as compressed triangles of any kind, each with a partition into
// supernodes (Supernodes::first) or an empty one.  Copies the entries; adds up duplicates.  Throws
// bad_argument (op(triangle) is not lower or upper, sizes differ, bad partition), not_triangular,
// zero_diagonal.
template <Scalar T>
Factors<T> factors_of(const Triangle<T>& lower, const Triangle<T>& upper,
                      std::span<const Index> lower_first = {},
                      std::span<const Index> upper_first = {});

// Factors that the caller made with a package, used in place: a cholmod_factor (int indices, LL' or
// LDL', real or complex double), or SuperLU's L and U with its permutations (SuperMatrix of
// precision T).  They must outlive the result.  The void pointers avoid the packages' headers.
// Throws backend_missing, bad_argument for an unsupported form.
template <Scalar T>
Factors<T> load_cholmod(const void* cholmod_factor);
template <Scalar T>
Factors<T> load_superlu(const void* lower, const void* upper, const int* perm_r, const int* perm_c);

// The same for a matrix that owns its arrays, and for one listed by columns, which is first
// converted to rows.
template <Scalar T>
Factors<T> factor_cholmod(const Csr<T>& a, const FactorOptions& o = {}) {
  return factor_cholmod(CsrView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_cholmod(const CscView<T>& a, const FactorOptions& o = {}) {
  return factor_cholmod(CsrView<T>(to_csr(a)), o);
}
template <Scalar T>
Factors<T> factor_cholmod(const Csc<T>& a, const FactorOptions& o = {}) {
  return factor_cholmod(CscView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_superlu(const Csr<T>& a, const FactorOptions& o = {}) {
  return factor_superlu(CsrView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_superlu(const CscView<T>& a, const FactorOptions& o = {}) {
  return factor_superlu(CsrView<T>(to_csr(a)), o);
}
template <Scalar T>
Factors<T> factor_superlu(const Csc<T>& a, const FactorOptions& o = {}) {
  return factor_superlu(CscView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_superlu_ilu(const Csr<T>& a, const FactorOptions& o = {}) {
  return factor_superlu_ilu(CsrView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_superlu_ilu(const CscView<T>& a, const FactorOptions& o = {}) {
  return factor_superlu_ilu(CsrView<T>(to_csr(a)), o);
}
template <Scalar T>
Factors<T> factor_superlu_ilu(const Csc<T>& a, const FactorOptions& o = {}) {
  return factor_superlu_ilu(CscView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_ilu0(const Csr<T>& a, const FactorOptions& o = {}) {
  return factor_ilu0(CsrView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_ilu0(const CscView<T>& a, const FactorOptions& o = {}) {
  return factor_ilu0(CsrView<T>(to_csr(a)), o);
}
template <Scalar T>
Factors<T> factor_ilu0(const Csc<T>& a, const FactorOptions& o = {}) {
  return factor_ilu0(CscView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_ic0(const Csr<T>& a, const FactorOptions& o = {}) {
  return factor_ic0(CsrView<T>(a), o);
}
template <Scalar T>
Factors<T> factor_ic0(const CscView<T>& a, const FactorOptions& o = {}) {
  return factor_ic0(CsrView<T>(to_csr(a)), o);
}
template <Scalar T>
Factors<T> factor_ic0(const Csc<T>& a, const FactorOptions& o = {}) {
  return factor_ic0(CscView<T>(a), o);
}

}  // namespace echelon
