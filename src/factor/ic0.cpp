// factor/ic0.cpp -- IC(0): Cholesky factorization that keeps only the entries of A's pattern.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Row by row (up-looking).  Entry l(i,j) starts as a(i,j), less the product of rows i and
// j of L before column j; row i is scattered into a dense vector while its entries are computed.
//
// Reference.  Saad, Iterative Methods for Sparse Linear Systems (2003), section 10.3.
#include <cmath>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "factor/incomplete.hpp"

namespace echelon {
namespace {

// The rows of L overwrite A's lower triangle; the diagonal entry is the last of its row.
template <class T>
struct InPlace {
  Reordered<T>& a;
  std::vector<T> spread;  // row i of L by columns, as far as computed

  void check_diagonal(Index i) const {
    const Csr<T>& m = a.rows;
    if (m.start[i] == m.start[i + 1] || m.index[m.start[i + 1] - 1] != i)
      throw Error(ErrorCode::zero_diagonal,
                  "row " + std::to_string(a.old_number(i)) + " has no diagonal entry");
  }

  void eliminate_row(Index i) {
    auto& [rows, cols, start, index, value] = a.rows;
    check_diagonal(i);
    const Offset diagonal = start[i + 1] - 1;
    Real<T> pivot = std::real(value[diagonal]);
    for (Offset p = start[i]; p < diagonal; ++p) {
      const Index j = index[p];
      T rest = value[p];
      for (Offset q = start[j]; q < start[j + 1] - 1; ++q)
        rest -= spread[index[q]] * conjugate_if(true, value[q]);  // l(i,k) conj(l(j,k))
      value[p] = rest / value[start[j + 1] - 1];
      spread[j] = value[p];
      pivot -= std::norm(value[p]);
    }
    if (!(pivot > 0))
      throw Error(ErrorCode::not_positive_definite,
                  "the incomplete factorization meets a pivot "
                  "that is not positive in row " +
                      std::to_string(a.old_number(i)));
    value[diagonal] = std::sqrt(pivot);
    for (Offset p = start[i]; p < diagonal; ++p) spread[index[p]] = T(0);
  }
};

template <class T>
void eliminate(Reordered<T>& m, Factors<T>& f) {
  InPlace<T> work{m, std::vector<T>(static_cast<std::size_t>(f.n))};
  for (Index i = 0; i < f.n; ++i) work.eliminate_row(i);
  f.package = "ic0";
  f.kind = "IC(0)";
  f.symmetric = true;
  f.lower.columns = to_csc(CsrView<T>(m.rows));
  f.lower.nonzeros = f.lower.columns.nonzeros();
}

}  // namespace

template <Scalar T>
Factors<T> factor_ic0(const MatrixView<T>& a, const FactorOptions& o) {
  return factor_incomplete(a, Half::lower, o.order, eliminate<T>);
}

#define ECHELON_INSTANTIATE(T) \
  template Factors<T> factor_ic0(const MatrixView<T>&, const FactorOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
