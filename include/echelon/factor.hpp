// echelon/factor.hpp -- factorizations of other libraries, and our own incomplete ones, as two
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

// A lower triangle in dense panels, as CHOLMOD and SuperLU keep theirs.  The values are theirs
// too; the small arrays are copies.
template <Scalar T>
struct Panels {
  Buffer<Index> first;         // size count+1: panel s is columns [first[s], first[s+1])
  Buffer<Offset> row_start;    // size count+1
  Buffer<Index> row;           // rows of s: its own columns in turn, then those below, any order
  Buffer<Offset> value_start;  // size count: row k of column j is value[start + j*rows + k]
  std::span<const T> value;
  bool unit_diagonal = false;  // the diagonal is 1; what is stored there is not read

  Index count() const { return first.empty() ? 0 : static_cast<Index>(first.size()) - 1; }
  Index rows(Index s) const { return static_cast<Index>(row_start[s + 1] - row_start[s]); }
};

// One triangle of a factorization, always as a lower triangle N by columns: L itself, or the
// transpose of U.  In panels, or compressed; the other one is empty.
template <Scalar T>
struct FactorTriangle {
  Panels<T> panels;
  Csc<T> columns;              // sorted; the diagonal is the first entry of a column, if stored
  bool unit_diagonal = false;  // of `columns`: not stored, taken as 1 (panels have their own)
  Supernodes supernodes;       // of panels: without the zeros the package keeps, but for a few
                               // (see nonzeros); of columns: the caller's, or empty
  Offset nonzeros = 0;         // exact, the diagonal included (of a unit triangle too)

  bool in_panels() const { return panels.count() > 0; }
};

// (R A C)(row_order[i], col_order[j]) = (L D U)(i, j), where R and C are diagonal scalings.
template <Scalar T>
struct Factors {
  Index n = 0;
  std::string package;      // "cholmod", "superlu", ...
  std::string kind;         // "LL' supernodal", "LDL' simplicial", "LU", "ILU(0)", ...
  std::string ordering;     // as used: "metis", "amd", "colamd", "mmd" (minimum degree on
                            // A + A'), "natural", "postorder" (natural but for that), "given"
  bool symmetric = false;   // U is the conjugate transpose of L and kept once
  FactorTriangle<T> lower;  // N = L
  FactorTriangle<T> upper;  // N = the transpose of U; empty if symmetric
  std::vector<T> diagonal;  // D; empty if it is 1
  std::vector<Index> row_order, col_order;    // size n; empty: as they are
  std::vector<Real<T>> row_scale, col_scale;  // size n; empty: 1
  double order_s = 0;                         // seconds: ordering and symbolic analysis
  double factor_s = 0;                        // seconds: numeric factorization
  std::shared_ptr<void> owner;                // keeps alive what the panels look into
};

// The supernodes a triangle came with, as the package keeps them, its explicit zeros included;
// those of the pattern where it has none.
template <Scalar T>
ECHELON_EXPORT Supernodes package_supernodes(const FactorTriangle<T>& factor, Index threads = 0);
// And without: only what is nonzero, as far as it pays to tell.
template <Scalar T>
ECHELON_EXPORT Supernodes exact_supernodes(const FactorTriangle<T>& factor, Index threads = 0);

// amd: AMD for CHOLMOD and our own; for SuperLU COLAMD or, in symmetric mode, minimum degree.
enum class Ordering { metis, amd, natural };

struct FactorOptions {
  Ordering order = Ordering::metis;
  bool simplicial = false;       // CHOLMOD: column by column, LDL'
  bool scale = true;             // SuperLU: equilibrate rows and columns where it helps
  double pivot_threshold = 1;    // SuperLU: 1 is partial pivoting, 0 keeps the diagonal
  bool symmetric_mode = true;    // SuperLU: where the pattern is symmetric, lower that to 0.1 at
                                 // most; its fill is then close to Cholesky's.  So does its ILU
  double drop_tolerance = 1e-4;  // SuperLU's ILU
  double fill_factor = 10;       // SuperLU's ILU
  Index threads = 0;             // of BLAS inside the packages, and of what we do with their
                                 // factors; 0: as BLAS is set, and all

  template <class Visitor>
  void visit(Visitor&& v) {
    v("order", order, "metis, amd or natural");
    v("simplicial", simplicial, "CHOLMOD: a simplicial LDL' factor");
    v("scale", scale, "SuperLU: equilibrate");
    v("pivot_threshold", pivot_threshold, "SuperLU: share of the largest entry the diagonal needs");
    v("symmetric_mode", symmetric_mode,
      "SuperLU: prefer diagonal pivots if the pattern is symmetric");
    v("drop_tolerance", drop_tolerance, "SuperLU ILU: entries below this share are dropped");
    v("fill_factor", fill_factor, "SuperLU ILU: at most this many times the entries of A");
    v("threads", threads, "BLAS threads of the package, 0 as it is set");
  }
};

const char* name(Ordering order) noexcept;
// The ordering of a name.  Throws bad_argument, listing the names.
Ordering parse_ordering(std::string_view text);

// All factorizations throw bad_argument for a matrix that is not square, not_finite with the row
// and column of an entry, and out_of_memory.

// The names of factor_by_name that work in this build.
std::vector<std::string> factor_packages();

// A = L L' (Hermitian positive definite; the lower triangle is read) or, simplicial, L D L', which
// takes indefinite matrices too if no pivot is zero.  float is factored in double and rounded.
// Throws backend_missing; not_positive_definite with the column of A; bad_argument (not square),
// out_of_memory, backend_failed.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_cholmod(const CsrView<T>& a, const FactorOptions& o = {});

// P A Q = L U with partial pivoting.  Throws backend_missing; singular with the column of A;
// bad_argument (not square, too large for SuperLU), out_of_memory.  SuperLU itself ends the program
// when one of its small arrays cannot be had.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_superlu(const CsrView<T>& a, const FactorOptions& o = {});
// The same with dropping: SuperLU's ILUTP.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_superlu_ilu(const CsrView<T>& a, const FactorOptions& o = {});

// Our own, without fill and without pivoting; rows and columns stay where they are unless
// o.order says otherwise (natural is what most users of ILU(0) expect, and is not the default
// of FactorOptions).  IC(0) reads the lower triangle.  Throws zero_diagonal (no diagonal entry, or
// a pivot that is zero), not_positive_definite (IC(0)), both with the row; bad_argument,
// backend_missing (the ordering), out_of_memory.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_ilu0(const CsrView<T>& a, const FactorOptions& o = {});
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_ic0(const CsrView<T>& a, const FactorOptions& o = {});

// "cholmod", "superlu", "superlu_ilu", "ilu0" or "ic0".  Throws bad_argument for another name.
template <Scalar T>
ECHELON_EXPORT Factors<T> factor_by_name(const std::string& package, const CsrView<T>& a,
                                         const FactorOptions& o = {});

// The caller's own factors: L and U as compressed triangles of any kind, with the partition of
// either (Supernodes::first) or empty ones.  Copies the entries; those given twice are added up.
// Throws bad_argument (not lower or upper as solved with, sizes differ, bad partition),
// not_triangular, zero_diagonal.
template <Scalar T>
ECHELON_EXPORT Factors<T> factors_of(const Triangle<T>& lower, const Triangle<T>& upper,
                                     std::span<const Index> lower_first = {},
                                     std::span<const Index> upper_first = {});

// Factors the caller made, looked into where they lie: a cholmod_factor (int indices, LL' or
// LDL', real or complex double), or SuperLU's L and U with its permutations (SuperMatrix of the
// precision T).  They must outlive what is returned.  Declared without the packages' headers:
// pass the pointers as they are.  Throws backend_missing, bad_argument for a form not known.
template <Scalar T>
ECHELON_EXPORT Factors<T> load_cholmod(const void* cholmod_factor);
template <Scalar T>
ECHELON_EXPORT Factors<T> load_superlu(const void* lower, const void* upper, const int* perm_r,
                                       const int* perm_c);

// The same of a matrix that owns its arrays, and of one listed by columns, which is first listed by
// rows.
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
#pragma GCC visibility pop
