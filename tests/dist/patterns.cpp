// tests/dist/patterns.cpp -- random supernodes, as distributed over ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include "dist/patterns.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace echelon::test {
namespace {

struct Maker {
  Maker(Index count, Index max_panel_columns, unsigned seed) : draw(seed) {
    for (Index k = 0; k < count; ++k)
      s.first.push_back(s.first.back() +
                        std::uniform_int_distribution<Index>(1, max_panel_columns)(draw));
    s.n = s.first.back();
  }
  bool chance(double share) { return std::uniform_real_distribution<>(0, 1)(draw) < share; }
  // Some rows of member t, at least one.
  void add_rows(Index t, std::set<Index>& rows) {
    rows.insert(std::uniform_int_distribution<Index>(s.first[t], s.first[t + 1] - 1)(draw));
    for (Index i = s.first[t]; i < s.first[t + 1]; ++i)
      if (chance(0.5)) rows.insert(i);
  }

  Supernodes s;
  std::mt19937 draw;
};

Supernodes make(Index count, Index max_panel_columns, double reach, unsigned seed, bool closed) {
  Maker m(count, max_panel_columns, seed);
  std::vector<std::set<Index>> rows(static_cast<std::size_t>(count));
  for (Index t = 0; t < count; ++t) {
    for (Index u = t + 1; u < count; ++u)
      if (m.chance(reach / count)) m.add_rows(u, rows[t]);
    if (!closed || rows[t].empty()) continue;
    const auto parent = static_cast<std::size_t>(
        std::upper_bound(m.s.first.begin(), m.s.first.end(), *rows[t].begin()) - m.s.first.begin() -
        1);
    for (const Index i : rows[t])
      if (i >= m.s.first[parent + 1]) rows[parent].insert(i);
  }
  for (Index t = 0; t < count; ++t) {
    m.s.row.insert(m.s.row.end(), rows[t].begin(), rows[t].end());
    m.s.row_start.push_back(static_cast<Offset>(m.s.row.size()));
  }
  check_supernodes(m.s);
  return m.s;
}

}  // namespace

Supernodes random_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed) {
  return make(count, max_panel_columns, reach, seed, false);
}
Supernodes closed_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed) {
  return make(count, max_panel_columns, reach, seed, true);
}

}  // namespace echelon::test
