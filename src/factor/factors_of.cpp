// factor/factors_of.cpp -- makes Factors from the caller's own L and U.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "base/conjugate.hpp"
#include "base/instantiate.hpp"
#include "base/out_of_memory.hpp"
#include "echelon/factor.hpp"

namespace echelon {
namespace {

template <class T>
using Column = std::vector<std::pair<Index, T>>;

// Sorts by row and adds up duplicates.
template <class T>
void sort_column(Column<T>& column) {
  std::stable_sort(column.begin(), column.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  auto last = column.begin();
  for (auto it = column.begin(); it != column.end(); ++it) {
    if (it == last) continue;
    if (it->first == last->first)
      last->second += it->second;
    else
      *++last = *it;
  }
  if (!column.empty()) column.erase(last + 1, column.end());
}

// The columns of N, from the graph, which has them without the diagonal.
template <class T>
Csc<T> columns_of(const DependencyGraph& g, const Triangle<T>& t) {
  const auto value = [&](Offset source) { return conjugate_if(t.conjugated(), t.value[source]); };
  Csc<T> out{g.n, g.n, Buffer<Offset>(1, 0), {}, {}};
  Column<T> column;
  std::size_t extra = 0;
  for (Index j = 0; j < g.n; ++j) {
    column.clear();
    if (!g.diagonal.empty()) column.push_back({j, value(g.diagonal[j])});
    for (; extra < g.extra.size() && g.extra[extra].unknown == j; ++extra)
      column.push_back({j, value(g.extra[extra].source)});
    for (Index k = 0; k < g.length[j]; ++k) {
      const Offset p = g.first[j] + k;
      column.push_back({g.index[p], value(g.from.empty() ? p : g.from[p])});
    }
    sort_column(column);
    for (const auto& [i, v] : column) {
      out.index.push_back(i);
      out.value.push_back(v);
    }
    out.start.push_back(static_cast<Offset>(out.index.size()));
  }
  return out;
}

// N is M itself if M is lower, and its transpose if M is upper: its columns are then the rows of M.
template <class T>
FactorTriangle<T> factor_triangle(const Triangle<T>& t, std::span<const Index> first) {
  FactorTriangle<T> f;
  if (t.value.size() != t.stored.index.size())
    throw Error(ErrorCode::bad_argument, "a triangle of " + std::to_string(t.stored.index.size()) +
                                             " indices has " + std::to_string(t.value.size()) +
                                             " values");
  const Order wanted = t.shape() == Uplo::lower ? Order::columns : Order::rows;
  f.columns = columns_of(find_dependency_graph(t, wanted), t);
  f.unit_diagonal = t.diagonal == Diagonal::unit;
  f.nonzeros = f.columns.nonzeros() + (f.unit_diagonal ? f.columns.rows : 0);
  if (first.empty()) return f;
  const Triangle<T> n = lower(f.columns, {.diagonal = t.diagonal});
  f.supernodes = find_supernodes(find_dependency_graph(n, Order::columns), first);
  return f;
}

}  // namespace

template <Scalar T>
Factors<T> factors_of(const Triangle<T>& lower, const Triangle<T>& upper,
                      std::span<const Index> lower_first, std::span<const Index> upper_first) {
  if (lower.shape() != Uplo::lower || upper.shape() != Uplo::upper)
    throw Error(ErrorCode::bad_argument,
                "factors_of needs op(lower) to be lower and op(upper) to be upper");
  if (lower.n() != upper.n())
    throw Error(ErrorCode::bad_argument, "L has " + std::to_string(lower.n()) + " rows and U has " +
                                             std::to_string(upper.n()));
  return report_bad_alloc("factors", [&] {
    Factors<T> f;
    f.n = lower.n();
    f.package = "given";
    f.kind = "LU";
    f.ordering = "given";
    f.lower = factor_triangle(lower, lower_first);
    f.upper = factor_triangle(upper, upper_first);
    return f;
  });
}

#define ECHELON_INSTANTIATE(T)                                                                   \
  template Factors<T> factors_of(const Triangle<T>&, const Triangle<T>&, std::span<const Index>, \
                                 std::span<const Index>);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
