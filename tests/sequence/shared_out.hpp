// tests/sequence/shared_out.hpp -- a triangle of a sequence, distributed over ranks or PEs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/dist.hpp"
#include "sequence/engine.hpp"

namespace echelon::test {

inline Mapping mapping_of(const Setting& s) {
  return s.seed % 3 == 0 ? Mapping::cyclic : s.seed % 3 == 1 ? Mapping::subtree : Mapping::balanced;
}
inline NumericOptions numeric_of(const Setting& s) {
  NumericOptions o;
  o.largest_growth = s.growth;
  return o;
}
// The triangle alone, stored by columns.
template <Scalar T>
Csc<T> columns_of(const Triangle<T>& t) {
  Csc<T> a;
  a.rows = a.cols = t.n();
  for (Index j = 0; j < t.n(); ++j) {
    for (Offset p = t.stored.start[j]; p < t.stored.start[j + 1]; ++p)
      if (t.stored.index[p] >= j) {
        a.index.push_back(t.stored.index[p]);
        a.value.push_back(t.value[p]);
      }
    a.start.push_back(static_cast<Offset>(a.index.size()));
  }
  return a;
}

// Calls pass(right-hand sides, count) for several vectors at a time, consecutive in memory.
template <Scalar T, class Pass>
void solve_some(const Vectors<const T>& b, const Vectors<T>& x, Index rhs_per_pass,
                const Pass& pass) {
  for (Index first = 0; first < x.count; first += rhs_per_pass) {
    const Index some = std::min(rhs_per_pass, x.count - first);
    const Vectors<const T> from = b.slice(first, some);
    const Vectors<T> to = x.slice(first, some);
    std::vector<T> right;
    for (Index k = 0; k < some; ++k)
      for (Index i = 0; i < b.n; ++i)
        right.push_back(from.data[i * from.step() + k * from.stride()]);
    const std::vector<T> answer = pass(right, some);
    for (Index k = 0; k < some; ++k)
      for (Index i = 0; i < b.n; ++i)
        to.data[i * to.step() + k * to.stride()] = answer[k * b.n + i];
  }
}

}  // namespace echelon::test
