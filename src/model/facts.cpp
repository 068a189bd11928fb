// model/facts.cpp -- collects the facts about a triangle that the estimates need.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "echelon/tools/estimate.hpp"
#include "model/tuning.hpp"

namespace echelon {

namespace {

struct LevelSize {
  Index rows = 0;
  Offset entries = 0;

  // GPU threads for the level: per row, enough lanes that each has about two entries, at most 32.
  Offset threads() const {
    Offset lanes = 1;
    while (lanes < 32 && 2 * lanes * rows < entries) lanes *= 2;
    return lanes * rows;
  }
};

}  // namespace

RowFacts find_row_facts(const DependencyGraph& g, const Levels& levels) {
  RowFacts facts;
  facts.n = g.n;
  facts.nonzeros = g.nonzeros;
  facts.levels = levels.count;
  std::vector<LevelSize> sizes(static_cast<std::size_t>(levels.count));
  for (Index i = 0; i < g.n; ++i) {
    LevelSize& size = sizes[levels.of[i]];
    ++size.rows;
    size.entries += g.length[i];
  }
  facts.wide_levels =
      static_cast<Index>(std::count_if(sizes.begin(), sizes.end(), [](const LevelSize& size) {
        return size.threads() > narrow_threads;
      }));
  return facts;
}

PanelFacts find_panel_facts(const Supernodes& s) {
  PanelFacts facts;
  facts.n = s.n;
  facts.panels = s.count();
  facts.entries = s.entries();
  facts.rows = static_cast<Offset>(s.row.size());
  const LevelSets levels = find_level_sets(s);
  facts.levels = levels.count();
  for (Index l = 0; l < levels.count(); ++l) {
    Offset widest = 0;
    for (const Index member : levels.rows(l)) widest = std::max<Offset>(widest, s.width(member));
    facts.path_triangles += widest * (widest + 1) / 2;
  }
  for (Index member = 0; member < s.count(); ++member) {
    const double width = s.width(member);
    facts.invert_flops += width * width * width / 3;
  }
  return facts;
}

}  // namespace echelon
