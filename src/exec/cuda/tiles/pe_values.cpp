// exec/cuda/tiles/pe_values.cpp -- packs and inverts the panels of one PE: whole panels, or only
// rows below the diagonal block.
// SPDX-License-Identifier: BSD-3-Clause
//
// Memory.  One panel at a time, besides the result.
#include "exec/cuda/tiles/pe_values.hpp"

#include <cmath>
#include <string>

#include "base/instantiate.hpp"
#include "base/number.hpp"

namespace echelon {
namespace {

template <class T>
void check_columns(Index first, Index w, Offset ld, const Buffer<T>& columns) {
  for (Index j = 0; j < w; ++j) {
    T probe{};
    for (Offset i = j; i < ld; ++i) probe += columns[j * ld + i] * Real<T>(0);
    if (!is_finite(probe))
      throw Error(ErrorCode::not_finite, "row or column " + std::to_string(first + j) +
                                             " of the triangle has an entry that is not finite");
    if (columns[j * ld + j] == T(0))
      throw Error(ErrorCode::zero_diagonal,
                  "the diagonal entry of row " + std::to_string(first + j) + " is zero");
  }
}

// Throws: other PEs with rows of these columns would not learn that this PE keeps the triangle.
[[noreturn]] void refuse_product(Index first, Index w) {
  throw Error(ErrorCode::not_finite,
              "columns " + std::to_string(first) + " to " + std::to_string(first + w - 1) +
                  " overflow when they are multiplied with the inverse of their diagonal block; "
                  "GPUs that share a triangle cannot hold them");
}

}  // namespace

template <Scalar T>
void pack_pe(const LocalPlan& plan, const PePlan& share, const FillRows<T>& fill,
             const NumericOptions& o, PeValues<T>& out, Index threads) {
  if (o.low_precision && !std::same_as<T, Low<T>>)
    throw Error(ErrorCode::bad_argument, "GPUs that share a triangle keep it in full precision");
  const Index tasks = share.blocks.tasks();
  out.value.assign(static_cast<std::size_t>(share.values), T(0));
  out.form.assign(tasks, BlockForm::inverse);
  out.triangle.assign(tasks, 0);
  out.uninverted_blocks = 0;
  Buffer<Index> task_of(tasks);
  for (Index t = 0; t < tasks; ++t) task_of[share.blocks.order[t]] = t;
  PanelPacker<T> packer(threads);
  std::vector<Index> rows;
  Buffer<T> columns;
  for (Index c = 0; c < plan.nodes(); ++c) {
    list_positions(plan, c, rows, true);
    if (rows.empty()) continue;
    const Index t = task_of[c], w = plan.width(c), h = plan.height(c);
    const auto ld = static_cast<Offset>(rows.size());
    columns.resize(static_cast<std::size_t>(w * ld));
    fill(plan.node[c], rows, columns.data(), ld);
    check_columns(plan.first[plan.node[c]], w, ld, columns);
    const bool here = plan.diagonal[c] >= 0;
    double growth = 0;
    const BlockForm form = packer.pack(w, h, BlockForm::inverse, o, columns, !here,
                                       out.value.data() + share.value_begin[t], growth);
    if (form != BlockForm::triangle) continue;
    if (std::isfinite(growth) && growth <= o.largest_growth)  // the same on all PEs of the column
      refuse_product(plan.first[plan.node[c]], w);
    out.triangle[t] = 1;
    if (!here) continue;
    out.form[t] = form;
    ++out.uninverted_blocks;
  }
}

#define ECHELON_INSTANTIATE(T)                                               \
  template void pack_pe(const LocalPlan&, const PePlan&, const FillRows<T>&, \
                        const NumericOptions&, PeValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
