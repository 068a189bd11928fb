// model/block_levels.hpp -- the dependency graph of a pass with blocks as nodes, and its levels.
// SPDX-License-Identifier: BSD-3-Clause
//
// Node numbers: first the diagonal blocks, by supernode, then the blocks below in the order of
// BlockList.
#pragma once

#include <vector>

#include "echelon/tools/forecast.hpp"

namespace echelon {

class BlockLevels {
 public:
  BlockLevels(const Supernodes& s, Sweep sweep);

  Index diagonals() const { return s_.count(); }
  Index nodes() const { return diagonals() + static_cast<Index>(blocks_.block.size()); }
  Index levels() const { return levels_; }
  Index level(Index node) const { return level_[node]; }
  BlockAt at(Index node) const {
    if (node < diagonals()) return {node, node};
    const BlockList::Block& b = blocks_.block[node - diagonals()];
    return {b.row, b.col};
  }
  // A predecessor of the node on the level before; -1 on the first level.
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

// The ranks besides the root in the reduction of the sum and in the broadcast of the answer of each
// supernode, and whether one of them is on another node than the root.
struct Talks {
  struct Talk {
    std::vector<Index> ranks;  // increasing
    bool leaves_node = false;

    Index others() const { return static_cast<Index>(ranks.size()); }
  };
  std::vector<Talk> sum, answer;
};
Talks find_talks(const BlockList& blocks, const BlockMap& map, Sweep sweep, Index node_ranks);

// Number of sequential messages in a broadcast or reduction with `others` ranks besides the root.
double messages_in_turn(Index others, TreeShape tree);

}  // namespace echelon
