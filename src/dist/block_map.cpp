// dist/block_map.cpp -- which rank has which block.
// SPDX-License-Identifier: BSD-3-Clause
//
// Subtrees.  The tree has the supernode of a member's first row as its parent.  The subtree with
// the most entries is cut off its root, again and again, until none has more than a share of what
// a rank should have; then the largest go to who has least.  Inside such a subtree nobody talks.
// What is left above is given out in turn.
#include <algorithm>
#include <numeric>
#include <queue>
#include <vector>

#include "dist/supernode_of.hpp"
#include "echelon/dist.hpp"

namespace echelon {
namespace {

constexpr double share_of_rank = 0.1;  // of what a rank should have, the most of one subtree

struct SupernodeTree {
  Buffer<Index> parent;  // -1: a root
  Buffer<double> work;   // entries of the subtree
};

SupernodeTree find_tree(const Supernodes& s) {
  const Buffer<Index> of = supernode_of(s.first);
  SupernodeTree tree;
  tree.parent.assign(s.count(), -1);
  tree.work.resize(s.count());
  for (Index t = 0; t < s.count(); ++t) {
    tree.work[t] = static_cast<double>(s.entries(t));
    if (s.height(t) > 0) tree.parent[t] = of[s.rows(t)[0]];
  }
  for (Index t = 0; t < s.count(); ++t)
    if (tree.parent[t] >= 0) tree.work[tree.parent[t]] += tree.work[t];
  return tree;
}

// The roots of subtrees that stay whole, the largest first.
std::vector<Index> cut_tree(const SupernodeTree& tree, double most) {
  const auto count = static_cast<Index>(tree.parent.size());
  std::vector<std::vector<Index>> children(static_cast<std::size_t>(count));
  const auto smaller = [&](Index a, Index b) {
    return tree.work[a] != tree.work[b] ? tree.work[a] < tree.work[b] : a > b;
  };
  std::priority_queue<Index, std::vector<Index>, decltype(smaller)> whole(smaller);
  for (Index t = 0; t < count; ++t)
    if (tree.parent[t] >= 0)
      children[tree.parent[t]].push_back(t);
    else
      whole.push(t);
  while (!whole.empty() && tree.work[whole.top()] > most) {
    const Index root = whole.top();
    whole.pop();
    for (const Index child : children[root]) whole.push(child);
  }
  std::vector<Index> roots;
  for (; !whole.empty(); whole.pop()) roots.push_back(whole.top());
  return roots;
}

void map_cyclic(BlockMap& map, std::span<const Index> members) {
  Index next = 0;
  for (const Index t : members) {
    map.row[t] = next % map.grid.rows;
    map.col[t] = next % map.grid.cols;
    ++next;
  }
}

void map_subtrees(const Supernodes& s, BlockMap& map) {
  const Index ranks = map.grid.size();
  const SupernodeTree tree = find_tree(s);
  const double all = static_cast<double>(s.entries());
  const std::vector<Index> roots = cut_tree(tree, share_of_rank * all / ranks);

  std::vector<double> load(static_cast<std::size_t>(ranks), 0);
  Buffer<Index> cell(s.count(), -1);  // row and column of the grid, as one number
  for (const Index root : roots) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += tree.work[root];
    cell[root] = static_cast<Index>(least - load.begin());
  }
  std::vector<Index> above;
  for (Index t = s.count(); t-- > 0;) {
    if (cell[t] < 0 && tree.parent[t] >= 0) cell[t] = cell[tree.parent[t]];
    if (cell[t] < 0) above.push_back(t);
    map.row[t] = std::max(cell[t], 0) / map.grid.cols;
    map.col[t] = std::max(cell[t], 0) % map.grid.cols;
  }
  std::reverse(above.begin(), above.end());
  map_cyclic(map, above);
}

}  // namespace

const char* name(Mapping mapping) noexcept {
  return mapping == Mapping::cyclic ? "cyclic" : "subtree";
}

BlockMap map_blocks(const Supernodes& s, const ProcessGrid& grid, Mapping mapping) {
  BlockMap map{grid, Buffer<Index>(s.count(), 0), Buffer<Index>(s.count(), 0)};
  if (mapping == Mapping::subtree && grid.size() > 1) {
    map_subtrees(s, map);
    return map;
  }
  std::vector<Index> all(static_cast<std::size_t>(s.count()));
  std::iota(all.begin(), all.end(), 0);
  map_cyclic(map, all);
  return map;
}

}  // namespace echelon
