// factor/incomplete.hpp -- the part common to IC(0) and ILU(0): all but the elimination.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/out_of_memory.hpp"
#include "base/timer.hpp"
#include "factor/reorder.hpp"

namespace echelon {

// Factors with permutations and times. eliminate(m, f) overwrites m, the reordered matrix, and
// moves the triangles to f.
template <Scalar T, class Eliminate>
Factors<T> factor_incomplete(const MatrixView<T>& a, Half half, Ordering wanted,
                             const Eliminate& eliminate) {
  return report_bad_alloc("factorization", [&] {
    const Timer order;
    Reordered<T> m = reorder(a, half, wanted);
    Factors<T> f;
    f.order_s = order.seconds();
    f.n = a.rows;
    f.ordering = name(m.used);
    const Timer factor;
    eliminate(m, f);
    f.factor_s = factor.seconds();
    f.row_order = m.order;
    f.col_order = std::move(m.order);
    return f;
  });
}

}  // namespace echelon
