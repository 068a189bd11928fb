// dist/distribute_factors.cpp -- prepares factors in local memory for distribution: supernodes, and
// a function that gives their rows.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/instantiate.hpp"
#include "echelon/dist.hpp"

namespace echelon {

template <Scalar T>
FillRows<T> rows_of_factor(const Supernodes& s, const FactorTriangle<T>& factor) {
  // Caches the last panel: several ranks ask for rows of the same panel in turn.
  struct Cache {
    BlockPlan plan;
    FillPanel<T> fill;
    Buffer<T> panel;
    Buffer<Index> where;
    Index held = -1;
  };
  auto cache = std::make_shared<Cache>();
  cache->plan.n = s.n;
  cache->plan.supernodes = s;
  cache->fill = fill_from_factor<T>(cache->plan, factor);
  cache->where.resize(2 * static_cast<std::size_t>(s.n));
  return [cache](Index k, std::span<const Index> rows, T* columns, Offset ld) {
    Cache& c = *cache;
    const Supernodes& nodes = c.plan.supernodes;
    const Index w = nodes.width(k);
    const Offset height = Offset{w} + nodes.height(k);
    if (c.held != k) {
      c.held = -1;
      c.panel.assign(static_cast<std::size_t>(w * height), T(0));
      c.fill(k, 0, w, c.panel.data(), height, c.where.data());
      c.held = k;
    }
    Offset place = w;
    const auto below = nodes.rows(k);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Offset from = rows[i] - nodes.first[k];
      if (from >= w) {
        while (below[static_cast<std::size_t>(place - w)] < rows[i]) ++place;
        from = place;
      }
      for (Index j = 0; j < w; ++j)
        columns[j * ld + static_cast<Offset>(i)] =
            c.panel[static_cast<std::size_t>(j * height + from)];
    }
  };
}

namespace {

// Splits supernodes to at most `max_panel_columns` columns: at whole strips, or narrower than a
// strip if asked for.
Supernodes cut(const Supernodes& s, Index max_panel_columns) {
  if (max_panel_columns >= PanelShape::strip) return split_supernodes(s, max_panel_columns);
  Buffer<Index> first(1, 0);
  for (Index t = 0; t < s.count(); ++t)
    while (first.back() < s.first[t + 1])
      first.push_back(std::min(first.back() + max_panel_columns, s.first[t + 1]));
  return regroup(s, first);
}

}  // namespace

template <Scalar T>
RankFactors<T> distribute_factors(const Factors<T>& f, Index max_panel_columns,
                                  const SupernodeOptions& o) {
  RankFactors<T> out;
  out.n = f.n;
  out.package = f.package;
  out.kind = f.kind;
  out.ordering = f.ordering;
  out.symmetric = f.symmetric;
  out.nnz = f.lower.nonzeros + (f.symmetric ? f.lower : f.upper).nonzeros;
  // Blocks narrower than a strip are not merged.
  max_panel_columns = std::max<Index>(max_panel_columns, 1);
  const Supernodes exact = exact_supernodes(f.lower);
  out.lower =
      cut(max_panel_columns < PanelShape::strip ? exact
                                                : merge_supernodes(exact, Merging::amalgamate, o),
          max_panel_columns);
  out.lower_rows = rows_of_factor(out.lower, f.lower);
  if (!f.symmetric) {
    out.upper = regroup(exact_supernodes(f.upper), out.lower.first);
    out.upper_rows = rows_of_factor(out.upper, f.upper);
  }
  out.diagonal = f.diagonal;
  out.row_order = f.row_order;
  out.col_order = f.col_order;
  out.row_scale = f.row_scale;
  out.col_scale = f.col_scale;
  return out;
}

#define ECHELON_INSTANTIATE(T)                                                      \
  template FillRows<T> rows_of_factor(const Supernodes&, const FactorTriangle<T>&); \
  template RankFactors<T> distribute_factors(const Factors<T>&, Index, const SupernodeOptions&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
