// dist/block_list.cpp -- lists the blocks of a triangle, by columns and by rows.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "dist/supernode_of.hpp"
#include "echelon/dist.hpp"

namespace echelon {

BlockList find_blocks(const Supernodes& s) {
  const Buffer<Index> of = supernode_of(s.first);
  const auto places = static_cast<std::size_t>(s.count()) + 1;
  BlockList list;
  list.start.assign(1, 0);
  list.in_row_start.assign(places, 0);
  for (Index t = 0; t < s.count(); ++t) {
    for (Offset p = s.row_start[t]; p < s.row_start[t + 1];) {
      const Index block = of[s.row[p]];
      const Offset begin = p;
      while (p < s.row_start[t + 1] && s.row[p] < s.first[block + 1]) ++p;
      list.block.push_back({block, t, begin, p});
      ++list.in_row_start[block + 1];
    }
    list.start.push_back(static_cast<Index>(list.block.size()));
  }
  for (std::size_t i = 1; i < places; ++i) list.in_row_start[i] += list.in_row_start[i - 1];
  list.in_row.resize(list.block.size());
  Buffer<Index> next = list.in_row_start;
  for (std::size_t b = 0; b < list.block.size(); ++b)
    list.in_row[next[list.block[b].row]++] = static_cast<Index>(b);
  return list;
}

std::vector<Index> supernode_levels(const BlockList& blocks, Sweep sweep) {
  const auto count = static_cast<Index>(blocks.start.size()) - 1;
  std::vector<Index> level(static_cast<std::size_t>(count), 0);
  const auto raise = [&](Index to, Index from) {
    level[to] = std::max(level[to], level[from] + 1);
  };
  if (sweep == Sweep::forward) {
    for (Index t = 0; t < count; ++t)
      for (const BlockList::Block& b : blocks.column(t)) raise(b.row, t);
  } else {
    for (Index t = count; t-- > 0;)
      for (const Index b : blocks.row(t)) raise(blocks.block[b].col, t);
  }
  return level;
}

}  // namespace echelon
