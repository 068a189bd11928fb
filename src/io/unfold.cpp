// io/unfold.cpp -- makes a symmetric, skew or Hermitian matrix from its lower triangle.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Row i of the matrix is row i of the triangle, followed by column i of the triangle below
// its diagonal, mirrored.  Both are sorted, and the second begins where the first ends.
#include <algorithm>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "io/entries.hpp"

namespace echelon {
namespace {

// The first entry of column i below the diagonal; a diagonal entry comes before it.
template <class T>
Offset below_diagonal(const Csc<T>& columns, Index i) {
  const Offset begin = columns.start[i];
  const bool diagonal = begin < columns.start[i + 1] && columns.index[begin] == i;
  return begin + (diagonal ? 1 : 0);
}

}  // namespace

template <Scalar T>
Csr<T> unfold(const Csr<T>& lower, Symmetry symmetry) {
  const Csc<T> columns = to_csc(CsrView<T>(lower));
  Csr<T> a{lower.rows, lower.cols, Buffer<Offset>(lower.start.size()), {}, {}};
  a.start[0] = 0;
  for (Index i = 0; i < a.rows; ++i)
    a.start[i + 1] = a.start[i] + (lower.start[i + 1] - lower.start[i]) +
                     (columns.start[i + 1] - below_diagonal(columns, i));
  a.index.resize(static_cast<std::size_t>(a.start.back()));
  a.value.resize(static_cast<std::size_t>(a.start.back()));

  parallel_pieces(a.rows, 1 << 12, thread_count(0), [&](Offset begin, Offset end, Index) {
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const Offset p = lower.start[i];
      const Offset length = lower.start[i + 1] - p;
      std::copy_n(lower.index.data() + p, length, a.index.data() + a.start[i]);
      std::copy_n(lower.value.data() + p, length, a.value.data() + a.start[i]);
      Offset q = a.start[i] + length;
      for (Offset c = below_diagonal(columns, i); c < columns.start[i + 1]; ++c, ++q) {
        a.index[q] = columns.index[c];
        a.value[q] = mirrored(columns.value[c], symmetry);  // a(i,j) from a(j,i)
      }
    }
  });
  return a;
}

#define ECHELON_INSTANTIATE(T) template Csr<T> unfold(const Csr<T>&, Symmetry);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
