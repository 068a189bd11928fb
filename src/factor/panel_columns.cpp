// factor/panel_columns.cpp -- reads panels column by column, without their explicit zeros.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The rows of a panel are sorted once.  One pass counts the nonzeros of each column, a
// second one copies them.
#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

// One column of a panel: the rows below its diagonal, by rising row.
template <class T>
struct PanelColumn {
  Index column;
  const Index* row;    // of the panel, in its order
  const Index* order;  // rows below the diagonal block, sorted
  Index inside, width, rows;
  const T* value;

  // Calls visit(row, value) for the nonzeros below the diagonal.
  template <class Visit>
  void each(const Visit& visit) const {
    for (Index k = inside + 1; k < width; ++k)
      if (value[k] != T(0)) visit(row[k], value[k]);
    for (Index k = width; k < rows; ++k)
      if (const Index p = order[k - width]; value[p] != T(0)) visit(row[p], value[p]);
  }
};

template <class T, class Body>
void each_panel_column(const Panels<T>& panels, Index threads, const Body& body) {
  parallel_items(panels.count(), thread_count(threads), [&](Index s, Index) {
    const Index first = panels.first[s], width = panels.first[s + 1] - first;
    const Index rows = panels.rows(s);
    const Index* const row = panels.row.data() + panels.row_start[s];
    std::vector<Index> order(static_cast<std::size_t>(rows - width));
    std::iota(order.begin(), order.end(), width);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return row[a] < row[b]; });
    for (Index j = 0; j < width; ++j)
      body(PanelColumn<T>{first + j, row, order.data(), j, width, rows,
                          panels.value.data() + panels.value_start[s] + Offset{j} * rows});
  });
}

[[noreturn]] void refuse_new_entry(Index i, Index j) {
  throw Error(ErrorCode::bad_argument, "the factor has a new entry in row " + std::to_string(i) +
                                           ", column " + std::to_string(j) +
                                           ": its pattern is not the one that was analyzed");
}

// Copies a column into entries [p, end) of `columns`, which may have more of them.
template <class T>
void copy_panel_column(const PanelColumn<T>& column, bool unit, Csc<T>& columns) {
  const Index j = column.column;
  Offset p = columns.start[j];
  const Offset end = columns.start[j + 1];
  if (!unit) columns.value[p++] = column.value[column.inside];
  column.each([&](Index i, T value) {
    for (; p < end && columns.index[p] < i; ++p) columns.value[p] = T(0);
    if (p == end || columns.index[p] != i) refuse_new_entry(i, j);
    columns.value[p++] = value;
  });
  for (; p < end; ++p) columns.value[p] = T(0);
}

}  // namespace

template <Scalar T>
Csc<T> columns_of(const Panels<T>& panels, Index threads) {
  const Index n = panels.count() == 0 ? 0 : panels.first.back();
  Csc<T> out{n, n, Buffer<Offset>(static_cast<std::size_t>(n) + 1, 0), {}, {}};
  const Index diagonal = panels.unit_diagonal ? 0 : 1;
  each_panel_column(panels, threads, [&](const PanelColumn<T>& column) {
    Offset count = diagonal;
    column.each([&](Index, T) { ++count; });
    out.start[column.column + 1] = count;
  });
  std::partial_sum(out.start.begin(), out.start.end(), out.start.begin());
  out.index.resize(static_cast<std::size_t>(out.start.back()));
  out.value.resize(out.index.size());
  each_panel_column(panels, threads, [&](const PanelColumn<T>& column) {
    Offset p = out.start[column.column];
    if (!panels.unit_diagonal) out.index[p++] = column.column;
    column.each([&](Index i, T) { out.index[p++] = i; });
    copy_panel_column(column, panels.unit_diagonal, out);
  });
  return out;
}

template <Scalar T>
Csc<T> columns_of(const FactorTriangle<T>& factor, Index threads) {
  const Supernodes s = exact_supernodes(factor, threads);
  Csc<T> out{s.n, s.n, Buffer<Offset>(static_cast<std::size_t>(s.n) + 1, 0), {}, {}};
  const Index diagonal = factor.panels.unit_diagonal ? 0 : 1;
  for (Index t = 0; t < s.count(); ++t)
    for (Index j = s.first[t]; j < s.first[t + 1]; ++j)
      out.start[j + 1] = out.start[j] + diagonal + (s.first[t + 1] - 1 - j) + s.height(t);
  out.index.resize(static_cast<std::size_t>(out.start.back()));
  out.value.resize(out.index.size());
  parallel_items(s.count(), thread_count(threads), [&](Index t, Index) {
    for (Index j = s.first[t]; j < s.first[t + 1]; ++j) {
      Index* const below = out.index.data() + out.start[j];
      const Index own = s.first[t + 1] - (j + 1 - diagonal);
      std::iota(below, below + own, j + 1 - diagonal);
      std::ranges::copy(s.rows(t), below + own);
    }
  });
  take_values(factor.panels, out, threads);
  return out;
}

template <Scalar T>
void take_values(const Panels<T>& panels, Csc<T>& columns, Index threads) {
  if (panels.count() == 0 || panels.first.back() != columns.cols)
    throw Error(ErrorCode::bad_argument, "the new factor has another number of unknowns");
  each_panel_column(panels, threads, [&](const PanelColumn<T>& column) {
    copy_panel_column(column, panels.unit_diagonal, columns);
  });
}

#define ECHELON_INSTANTIATE(T)                                 \
  template Csc<T> columns_of(const Panels<T>&, Index);         \
  template Csc<T> columns_of(const FactorTriangle<T>&, Index); \
  template void take_values(const Panels<T>&, Csc<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
