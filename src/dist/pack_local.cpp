// dist/pack_local.cpp -- packs one rank's values: its diagonal blocks, and its rows below.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <vector>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "echelon/dist.hpp"

namespace echelon {
namespace {

template <class T>
void check_rows(const LocalPlan& plan, Index c, std::span<const T> columns) {
  T probe{};
  for (const T a : columns) probe += a * Real<T>(0);
  if (!is_finite(probe))
    throw Error(ErrorCode::not_finite, "a column from " + std::to_string(plan.first[plan.node[c]]) +
                                           " to " +
                                           std::to_string(plan.first[plan.node[c] + 1] - 1) +
                                           " of the triangle has an entry that is not finite");
}

}  // namespace

void list_positions(const LocalPlan& plan, Index c, std::vector<Index>& rows, bool with_diagonals) {
  rows.clear();
  const Index t = plan.node[c];
  if (plan.diagonal[c] >= 0 || (with_diagonals && plan.height(c) > 0))
    for (Index i = plan.first[t]; i < plan.first[t + 1]; ++i) rows.push_back(i);
  for (Index b = plan.block_start[c]; b < plan.block_start[c + 1]; ++b) {
    const LocalPlan::Block& block = plan.block[b];
    const Index shift = plan.first[plan.node[block.row]] - plan.start[block.row];
    for (Offset i = block.begin; i < block.end; ++i) rows.push_back(plan.row[i] + shift);
  }
}

template <Scalar T>
void pack_local(const LocalPlan& plan, const FillRows<T>& fill, const NumericOptions& o,
                LocalValues<T>& out, Index threads) {
  out.value.resize(static_cast<std::size_t>(plan.values()));
  std::vector<Index> rows;
  Buffer<T> columns, squares;  // squares: all diagonal blocks, unchanged
  Buffer<Offset> square_at(plan.first.size(), 0);
  for (Index c = 0; c < plan.nodes(); ++c) {
    list_positions(plan, c, rows);
    if (rows.empty()) continue;
    const Index t = plan.node[c], w = plan.width(c), h = plan.height(c);
    const auto ld = static_cast<Offset>(rows.size());
    columns.resize(static_cast<std::size_t>(w * ld));
    fill(t, rows, columns.data(), ld);
    check_rows<T>(plan, c, columns);
    store_rectangle(w, h, columns.data() + (ld - h), ld, out.value.data() + plan.value_start[c]);
    if (plan.diagonal[c] < 0) continue;
    square_at[t] = static_cast<Offset>(squares.size());
    for (Index j = 0; j < w; ++j)
      squares.insert(squares.end(), columns.begin() + j * ld, columns.begin() + j * ld + w);
  }
  const FillPanel<T> diagonal = [&](Index t, Index from, Index to, T* into, Offset ld, Index*) {
    const Index w = plan.first[t + 1] - plan.first[t];
    for (Index j = from; j < to; ++j)
      std::copy_n(squares.data() + square_at[t] + Offset{j} * w, w, into + (j - from) * ld);
  };
  pack_blocks<T>(plan.diagonals, diagonal, BlockForm::inverse_diagonal, o, out.diagonals, threads);
}

#define ECHELON_INSTANTIATE(T)                                                          \
  template void pack_local(const LocalPlan&, const FillRows<T>&, const NumericOptions&, \
                           LocalValues<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
