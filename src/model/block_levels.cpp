// model/block_levels.cpp -- the dependency graph of a pass with blocks as nodes, and its levels.
// SPDX-License-Identifier: BSD-3-Clause
#include "model/block_levels.hpp"

#include <algorithm>
#include <cmath>

namespace echelon {

BlockLevels::BlockLevels(const Supernodes& s, Sweep sweep)
    : s_(s), forwards_(sweep == Sweep::forward), blocks_(find_blocks(s)) {
  level_.assign(static_cast<std::size_t>(nodes()), 0);
  for (Index k = 0; k < diagonals(); ++k) {
    const Index t = forwards_ ? k : diagonals() - 1 - k;
    levels_ = std::max(levels_, level_[t] + 1);
    const auto reach = [&](Index b) {
      const Index node = diagonals() + b, to = target(blocks_.block[b]);
      level_[node] = level_[t] + 1;
      level_[to] = std::max(level_[to], level_[node] + 1);
    };
    if (forwards_)
      for (Index b = blocks_.start[t]; b < blocks_.start[t + 1]; ++b) reach(b);
    else
      for (const Index b : blocks_.row(t)) reach(b);
  }
}

Index BlockLevels::before(Index node) const {
  if (level_[node] == 0) return -1;
  if (node >= diagonals()) return source(blocks_.block[node - diagonals()]);
  const auto found = [&](Index b) { return level_[diagonals() + b] + 1 == level_[node]; };
  if (forwards_) {
    for (const Index b : blocks_.row(node))
      if (found(b)) return diagonals() + b;
  } else {
    for (Index b = blocks_.start[node]; b < blocks_.start[node + 1]; ++b)
      if (found(b)) return diagonals() + b;
  }
  return -1;
}

Talks find_talks(const BlockList& blocks, const BlockMap& map, Sweep sweep, Index node_ranks) {
  const auto count = static_cast<Index>(blocks.start.size()) - 1;
  Talks talks;
  const auto finish = [&](Talks::Talk& talk, Index root) {
    std::vector<Index>& ranks = talk.ranks;
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::erase(ranks, root);
    for (const Index r : ranks) talk.leaves_node |= r / node_ranks != root / node_ranks;
  };
  for (Index t = 0; t < count; ++t) {
    Talks::Talk column, row;
    for (const BlockList::Block& b : blocks.column(t)) column.ranks.push_back(map.owner(b.row, t));
    for (const Index b : blocks.row(t)) row.ranks.push_back(map.owner(t, blocks.block[b].col));
    finish(column, map.root(t));
    finish(row, map.root(t));
    if (sweep == Sweep::backward) std::swap(column, row);
    talks.sum.push_back(std::move(row));
    talks.answer.push_back(std::move(column));
  }
  return talks;
}

double messages_in_turn(Index others, TreeShape tree) {
  return tree == TreeShape::flat || others <= 2 ? others : std::log2(others);
}

}  // namespace echelon
