// exec/cuda/tiles/pe_values.hpp -- the values of one PE's part of a triangle, inverted where the
// growth permits.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/pe_plan.hpp"

#pragma GCC visibility push(default)
namespace echelon {

template <Scalar T>
struct PeValues {
  Buffer<T> value;         // size PePlan::values
  Buffer<BlockForm> form;  // by task: triangle where this PE's diagonal block is not inverted
  Buffer<char> triangle;   // by task: the diagonal block, on any PE, is not inverted
  Index uninverted_blocks = 0;
};

// Fetches rows in the order of list_positions(plan, c, rows, true), node by node.  A PE with rows
// of a column inverts the column's diagonal block too, and so makes the same choice as the PE that
// owns the block.  Throws zero_diagonal and not_finite with the column.
template <Scalar T>
ECHELON_EXPORT void pack_pe(const LocalPlan& plan, const PePlan& share, const FillRows<T>& fill,
                            const NumericOptions& o, PeValues<T>& out, Index threads = 0);

}  // namespace echelon
#pragma GCC visibility pop
