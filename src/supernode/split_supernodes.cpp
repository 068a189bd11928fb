// supernode/split_supernodes.cpp -- splits supernodes into parts, each the parent of the part
// before it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  Inverting a block of width w costs w^3/3 operations; inverting its k parts, with the
// products below them, costs about w^3/k.  The parts are also better conditioned than the whole.  A
// solve reads as much as before and has k steps in place of one.
#include <algorithm>

#include "echelon/supernode.hpp"

namespace echelon {
namespace {

// Width of all parts but the last: whole strips, as equal as possible.
Index part_width(Index w, Index max_panel_columns) {
  constexpr Index strip = PanelShape::strip;
  const Index parts = (w + max_panel_columns - 1) / max_panel_columns;
  return ((w + parts - 1) / parts + strip - 1) / strip * strip;
}

// next_of(t, begin): the first column after the part that begins there.
template <class Next>
Supernodes split(const Supernodes& s, const Next& next_of) {
  Supernodes out;
  out.n = s.n;
  for (Index t = 0; t < s.count(); ++t) {
    const Index end = s.first[t + 1];
    for (Index begin = s.first[t]; begin < end;) {
      begin = std::min(next_of(t, begin), end);
      out.first.push_back(begin);
      for (Index i = begin; i < end; ++i) out.row.push_back(i);
      out.row.insert(out.row.end(), s.rows(t).begin(), s.rows(t).end());
      out.row_start.push_back(static_cast<Offset>(out.row.size()));
    }
  }
  return out;
}

}  // namespace

Supernodes split_supernodes(const Supernodes& s, Index max_panel_columns) {
  return split(
      s, [&](Index t, Index begin) { return begin + part_width(s.width(t), max_panel_columns); });
}

Supernodes split_supernodes(const Supernodes& s, std::span<const Index> first) {
  return split(s, [&](Index, Index begin) { return *std::ranges::upper_bound(first, begin); });
}

}  // namespace echelon
