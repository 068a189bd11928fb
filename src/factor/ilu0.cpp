// factor/ilu0.cpp -- ILU(0): LU factorization that keeps only the entries of A's pattern.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Row by row, in place (IKJ).  For each entry k < i of row i, subtract the multiple of row
// k of U that eliminates this entry, but only where row i has entries.
//
// Reference.  Saad, Iterative Methods for Sparse Linear Systems (2003), section 10.3.
#include "base/instantiate.hpp"
#include "factor/incomplete.hpp"

namespace echelon {
namespace {

// The rows of L and U overwrite those of A; `diagonal` is where U begins in each.
template <class T>
struct InPlace {
  Reordered<T>& a;
  std::vector<Offset> diagonal;
  std::vector<Offset> place;  // by column: position of its entry in the current row, or -1

  [[noreturn]] void refuse(Index i, const char* what) const {
    throw Error(ErrorCode::zero_diagonal, "row " + std::to_string(a.old_number(i)) + what);
  }

  void eliminate_row(Index i) {
    auto& [rows, cols, start, index, value] = a.rows;
    for (Offset p = start[i]; p < start[i + 1]; ++p) place[index[p]] = p;
    if (place[i] < 0) refuse(i, " has no diagonal entry");
    diagonal[i] = place[i];
    for (Offset p = start[i]; p < diagonal[i]; ++p) {
      const Index k = index[p];
      value[p] /= value[diagonal[k]];  // l(i,k) = a(i,k) / u(k,k)
      for (Offset q = diagonal[k] + 1; q < start[k + 1]; ++q)
        if (const Offset at = place[index[q]]; at >= 0) value[at] -= value[p] * value[q];
    }
    if (value[diagonal[i]] == T(0)) refuse(i, " has a pivot that is zero");
    for (Offset p = start[i]; p < start[i + 1]; ++p) place[index[p]] = -1;
  }
};

// Entries [begin(i), end(i)) of each row, as a new matrix.
template <class T, class Begin, class End>
Csr<T> cut_rows(const Csr<T>& a, const Begin& begin, const End& end) {
  Csr<T> out{a.rows, a.cols, Buffer<Offset>(1, 0), {}, {}};
  for (Index i = 0; i < a.rows; ++i) {
    out.index.insert(out.index.end(), a.index.begin() + begin(i), a.index.begin() + end(i));
    out.value.insert(out.value.end(), a.value.begin() + begin(i), a.value.begin() + end(i));
    out.start.push_back(static_cast<Offset>(out.index.size()));
  }
  return out;
}

template <class T>
void eliminate(Reordered<T>& m, Factors<T>& f) {
  const auto n = static_cast<std::size_t>(f.n);
  InPlace<T> work{m, std::vector<Offset>(n), std::vector<Offset>(n, -1)};
  for (Index i = 0; i < f.n; ++i) work.eliminate_row(i);
  const auto& start = m.rows.start;
  const auto& diagonal = work.diagonal;
  f.package = "ilu0";
  f.kind = "ILU(0)";
  f.lower.columns = to_csc(CsrView<T>(cut_rows(
      m.rows, [&](Index i) { return start[i]; }, [&](Index i) { return diagonal[i]; })));
  f.lower.unit_diagonal = true;
  f.lower.nonzeros = f.lower.columns.nonzeros() + f.n;
  Csr<T> upper = cut_rows(
      m.rows, [&](Index i) { return diagonal[i]; }, [&](Index i) { return start[i + 1]; });
  f.upper.columns = {upper.cols, upper.rows, std::move(upper.start), std::move(upper.index),
                     std::move(upper.value)};  // rows of U are columns of its transpose
  f.upper.nonzeros = f.upper.columns.nonzeros();
}

}  // namespace

template <Scalar T>
Factors<T> factor_ilu0(const MatrixView<T>& a, const FactorOptions& o) {
  return factor_incomplete(a, Half::both, o.order, eliminate<T>);
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_ilu0(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
