// model/block_levels.hpp -- blocks as the nodes of a pass's graph, and their levels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes are numbered: the diagonal blocks first, by supernode, then those below them as BlockList
// has them.
#pragma once

#include <vector>

#include "echelon/forecast.hpp"

namespace echelon {

class BlockLevels {
 public:
  BlockLevels(const Supernodes& s, Way way);

  Index diagonals() const { return s_.count(); }
  Index nodes() const { return diagonals() + static_cast<Index>(blocks_.block.size()); }
  Index levels() const { return levels_; }
  Index level(Index node) const { return level_[node]; }
  BlockAt at(Index node) const {
    if (node < diagonals()) return {node, node};
    const BlockList::Block& b = blocks_.block[node - diagonals()];
    return {b.row, b.col};
  }
  // A node one level before it that it waits for; -1 on the first level.
  Index before(Index node) const;
  const BlockList& blocks() const { return blocks_; }

 private:
  Index source(const BlockList::Block& b) const { return forwards_ ? b.col : b.row; }
  Index target(const BlockList::Block& b) const { return forwards_ ? b.row : b.col; }

  const Supernodes& s_;
  const bool forwards_;
  BlockList blocks_;
  std::vector<Index> level_;
  Index levels_ = 0;
};

// Which ranks besides the root take part in the sums and in the answers of each supernode, and
// whether one of them is on another node than the root.
struct Talks {
  struct Talk {
    std::vector<Index> ranks;  // rising
    bool leaves_node = false;

    Index others() const { return static_cast<Index>(ranks.size()); }
  };
  std::vector<Talk> sum, answer;
};
Talks find_talks(const BlockList& blocks, const BlockMap& map, Way way, Index node_ranks);

// Messages one after the other where `others` ranks take part.
double messages_in_turn(Index others, TreeShape tree);

}  // namespace echelon
