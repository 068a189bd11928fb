// factor/reorder.cpp -- permutes a matrix into the order of its factorization.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/reorder.hpp"

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "factor/ordering.hpp"

namespace echelon {
namespace {

// Entry (i,j) moves to (position i, position j), or to its mirrored position if only the lower
// triangle is kept and the entry would leave it.
template <class T>
Csr<T> move_entries(const Csr<T>& a, Half half, const std::vector<Index>& order) {
  std::vector<Index> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[order[k]] = static_cast<Index>(k);
  Coo<T> moved{a.rows, a.cols, {}, {}, {}};
  moved.row.reserve(a.index.size());
  moved.col.reserve(a.index.size());
  moved.value.reserve(a.index.size());
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      Index row = position[i], col = position[a.index[p]];
      const bool mirror = half == Half::lower && col > row;
      if (mirror) std::swap(row, col);
      moved.row.push_back(row);
      moved.col.push_back(col);
      moved.value.push_back(conjugate_if(mirror, a.value[p]));
    }
  return to_csr(moved);
}

}  // namespace

template <Scalar T>
Reordered<T> reorder(const MatrixView<T>& a, Half half, Ordering wanted) {
  Reordered<T> out;
  out.rows = SortedInput<T>(a, half, Order::rows).take_rows();
  out.used = wanted;
  if (wanted == Ordering::natural) return out;
  out.order = find_order(find_adjacency(out.rows.pattern()), wanted, &out.used);
  out.rows = move_entries(out.rows, half, out.order);
  return out;
}

#define ECHELON_INSTANTIATE(T) template Reordered<T> reorder(const MatrixView<T>&, Half, Ordering);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
