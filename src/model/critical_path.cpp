// model/critical_path.cpp -- finds the critical path of a pass: blocks that cannot run in parallel.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Takes one block per level, from the last level back along the dependencies.  Then, level
// by level, replaces it by all blocks of the rank with the most blocks on this level.  On a tie the
// path's own rank stays.
//
// Reference.  Ding, Williams, Liu, Li, SIAM PP 2020, section 6 and Figure 4.
#include <algorithm>

#include "model/block_levels.hpp"

namespace echelon {
namespace {

std::vector<Index> path_back(const BlockLevels& graph) {
  std::vector<Index> path;
  for (Index node = 0; node < graph.nodes() && path.empty(); ++node)
    if (graph.level(node) == graph.levels() - 1) path.push_back(node);
  while (!path.empty() && graph.level(path.back()) > 0) path.push_back(graph.before(path.back()));
  std::reverse(path.begin(), path.end());
  return path;
}

// Nodes by level; inside a level in increasing order.
std::vector<std::vector<Index>> by_level(const BlockLevels& graph) {
  std::vector<std::vector<Index>> nodes(static_cast<std::size_t>(graph.levels()));
  for (Index node = 0; node < graph.nodes(); ++node) nodes[graph.level(node)].push_back(node);
  return nodes;
}

}  // namespace

CriticalPath find_critical_path(const RankProblem& p) {
  const BlockLevels graph(*p.supernodes, p.sweep);
  const Talks talks = find_talks(graph.blocks(), *p.map, p.sweep, p.map->grid.size());
  const std::vector<Index> initial = path_back(graph);
  const auto levels = by_level(graph);
  const auto owner = [&](Index node) {
    const BlockAt at = graph.at(node);
    return p.map->owner(at.row, at.col);
  };

  CriticalPath path;
  path.level_start.push_back(0);
  std::vector<Index> has(static_cast<std::size_t>(p.map->grid.size()), 0);
  for (Index l = 0; l < graph.levels(); ++l) {
    path.initial.push_back(graph.at(initial[l]));
    for (const Index node : levels[l]) ++has[owner(node)];
    Index chosen = owner(initial[l]);
    for (const Index node : levels[l])
      if (has[owner(node)] > has[chosen]) chosen = owner(node);
    for (const Index node : levels[l]) {
      has[owner(node)] = 0;
      if (owner(node) != chosen) continue;
      path.block.push_back(graph.at(node));
      if (node >= graph.diagonals()) continue;
      ++path.diagonals;
      path.messages += talks.sum[node].others() + talks.answer[node].others();
    }
    path.rank.push_back(chosen);
    path.level_start.push_back(path.block.size());
  }
  return path;
}

}  // namespace echelon
