// exec/share_values.hpp -- the values of one PE's part of a triangle, inverted where they can be
// trusted.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/share_plan.hpp"

namespace echelon {

template <Scalar T>
struct ShareValues {
  Buffer<T> value;         // size SharePlan::values
  Buffer<BlockForm> form;  // by task: triangle where a diagonal block here is to be solved with
  Buffer<char> triangle;   // by task: the diagonal block, here or elsewhere, is solved with
  Index kept_triangles = 0;
};

// Fetches rows as list_positions(plan, c, rows, true) says, node after node.  A PE that has rows of
// a column inverts its diagonal block too, and comes to the same conclusion as the one that has
// it.  Throws zero_diagonal and not_finite with the column.
template <Scalar T>
void pack_share(const LocalPlan& plan, const SharePlan& share, const FillRows<T>& fill,
                const NumericOptions& o, ShareValues<T>& out, Index threads = 0);

}  // namespace echelon
