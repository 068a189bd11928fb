// factor/upper_rows.cpp -- gathers the rows of SuperLU's U from its panels and its columns.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A transposition by counting.  Each thread takes a piece of the columns and counts its
// entries per row, which gives its own positions in all rows.  A row begins with its part of the
// diagonal block, which has the lowest columns; the entries of the pieces follow in column order.
// So the rows are sorted, and the same for any number of threads.
//
// Cost.  Two passes over U; one counter per row and thread.
#include "factor/upper_rows.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Offset entries_grain = 1 << 15;  // fewer are not worth a thread

// The data shared by the passes.
template <class T>
struct Gathering {
  const Panels<T>& panels;
  const UpperColumns<T>& columns;
  Index n;
  std::vector<Index>
      cut;              // first column of each piece; pieces have about the same number of entries
  Buffer<Offset> next;  // piece t stores its next entry of row i at next[t*n + i]

  Index parts() const { return static_cast<Index>(cut.size()) - 1; }
};

// Calls body(i, j, value) for the upper half of the panel's diagonal block, row by row.
template <class T, class Body>
void each_in_block(const Panels<T>& panels, Index s, const Body& body) {
  const Index first = panels.first[s], width = panels.first[s + 1] - first;
  const Offset rows = panels.rows(s);
  const T* const value = panels.value.data() + panels.value_start[s];
  for (Index i = 0; i < width; ++i)
    for (Index j = i; j < width; ++j)
      if (i == j || value[j * rows + i] != T(0)) body(first + i, first + j, value[j * rows + i]);
}

template <class T>
Index panel_of(const Panels<T>& panels, Index j) {
  return static_cast<Index>(std::upper_bound(panels.first.begin(), panels.first.end(), j) -
                            panels.first.begin() - 1);
}

template <class T>
std::vector<Index> cut_columns(const UpperColumns<T>& columns, Index n, Index threads) {
  const Offset total = columns.start.back();
  const auto parts = std::clamp<Offset>(std::min(total / entries_grain, total / std::max(n, 1)), 1,
                                        thread_count(threads));
  std::vector<Index> cut{0};
  for (Index part = 1; part < parts; ++part) {
    const auto at = std::lower_bound(columns.start.begin(), columns.start.end() - 1,
                                     piece_begin(total, part, static_cast<Index>(parts)));
    cut.push_back(static_cast<Index>(at - columns.start.begin()));
  }
  cut.push_back(n);
  return cut;
}

// Runs body(column, first column of its panel, part) for all columns, pieces in parallel.
template <class T, class Body>
void each_column(const Gathering<T>& g, const Body& body) {
  parallel_pieces(g.parts(), 1, g.parts(), [&](Offset, Offset, Index part) {
    if (g.cut[part] == g.cut[part + 1]) return;
    Index s = panel_of(g.panels, g.cut[part]);
    for (Index j = g.cut[part]; j < g.cut[part + 1]; ++j) {
      while (j >= g.panels.first[s + 1]) ++s;
      body(j, g.panels.first[s], part);
    }
  });
}

template <class T>
void count_columns(Gathering<T>& g) {
  g.next.assign(static_cast<std::size_t>(g.n) * g.parts(), 0);
  each_column(g, [&](Index j, Index above, Index part) {
    Offset* const count = g.next.data() + Offset{part} * g.n;
    for (int p = g.columns.start[j]; p < g.columns.start[j + 1]; ++p) {
      const int i = g.columns.row[p];
      if (static_cast<unsigned>(i) >= static_cast<unsigned>(above))
        throw Error(ErrorCode::bad_argument, "column " + std::to_string(j) +
                                                 " of U has an entry in row " + std::to_string(i) +
                                                 ", which is not above its supernode");
      count[i] += g.columns.value[p] != T(0) ? 1 : 0;
    }
  });
}

// Converts counts to positions; on entry start[i] is the count of row i in its diagonal block.
template <class T>
void sum_counts(Gathering<T>& g, Buffer<Offset>& start) {
  Offset sum = 0;
  for (Index i = 0; i < g.n; ++i) {
    const Offset in_block = std::exchange(start[i], sum);
    sum += in_block;
    for (Index part = 0; part < g.parts(); ++part)
      sum += std::exchange(g.next[Offset{part} * g.n + i], sum);
  }
  start[g.n] = sum;
}

template <class T>
void fill_blocks(const Gathering<T>& g, Csc<T>& out, Index threads) {
  parallel_pieces(g.panels.count(), 64, threads, [&](Offset begin, Offset end, Index) {
    for (auto s = static_cast<Index>(begin); s < end; ++s) {
      Index row = -1;
      Offset q = 0;
      each_in_block(g.panels, s, [&](Index i, Index j, T value) {
        if (i != std::exchange(row, i)) q = out.start[i];
        out.index[q] = j;
        out.value[q++] = value;
      });
    }
  });
}

template <class T>
void fill_columns(Gathering<T>& g, Csc<T>& out) {
  each_column(g, [&](Index j, Index, Index part) {
    Offset* const next = g.next.data() + Offset{part} * g.n;
    for (int p = g.columns.start[j]; p < g.columns.start[j + 1]; ++p) {
      const T value = g.columns.value[p];
      if (value == T(0)) continue;
      const Offset q = next[g.columns.row[p]]++;
      out.index[q] = j;
      out.value[q] = value;
    }
  });
}

}  // namespace

template <Scalar T>
Csc<T> gather_upper_rows(const Panels<T>& panels, const UpperColumns<T>& columns, Index threads) {
  const auto n = static_cast<Index>(columns.start.size()) - 1;
  const Index team = thread_count(threads);
  Gathering<T> g{panels, columns, n, cut_columns(columns, n, team), {}};
  count_columns(g);
  Csc<T> out{n, n, Buffer<Offset>(static_cast<std::size_t>(n) + 1, 0), {}, {}};
  parallel_pieces(panels.count(), 64, team, [&](Offset begin, Offset end, Index) {
    for (auto s = static_cast<Index>(begin); s < end; ++s)
      each_in_block(panels, s, [&](Index i, Index, T) { ++out.start[i]; });
  });
  sum_counts(g, out.start);
  out.index.resize(static_cast<std::size_t>(out.start.back()));
  out.value.resize(static_cast<std::size_t>(out.start.back()));
  fill_blocks(g, out, team);
  fill_columns(g, out);
  return out;
}

#define ECHELON_INSTANTIATE(T) \
  template Csc<T> gather_upper_rows(const Panels<T>&, const UpperColumns<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
