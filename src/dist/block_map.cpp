// dist/block_map.cpp -- arranges ranks in a grid and maps the blocks of a triangle to them.
// SPDX-License-Identifier: BSD-3-Clause
//
// Subtrees.  The parent of a supernode is the supernode of its first row below.  The root of the
// subtree with the most entries is removed, again and again, until no subtree has more than a share
// (share_of_rank) of a rank's fair load.  Then each subtree, largest first, goes to the rank with
// the least load.  Inside such a subtree there is no communication.  The supernodes above are
// mapped cyclically.
//
// Balanced.  The supernodes above are mapped so that on each level, forwards and backwards, all
// grid rows read about the same number of entries, and so do all grid columns.  Each supernode goes
// where the maxima of its levels grow least.  Ties are broken cyclically, so the parts of a wide
// supernode, each alone on its level, lie on consecutive ranks.
#include <algorithm>
#include <numeric>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "dist/supernode_of.hpp"
#include "echelon/dist.hpp"

namespace echelon {
namespace {

constexpr double share_of_rank = 0.1;  // largest subtree, relative to a rank's fair load
constexpr double most_levels = 4096;   // levels kept separate; neighbours are merged beyond
constexpr double most_looks = 5e8;     // bound on the lookups of a part's work on a level

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

// The roots of the subtrees that stay whole, largest first.
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

// The work of a supernode, by level.
using LevelWork = std::vector<std::pair<Index, double>>;

// The grid rows, or the grid columns, and the work of each on each level.
class GridSide {
 public:
  GridSide(Index parts, Index levels)
      : work_(static_cast<std::size_t>(parts) * levels, 0),
        most_(static_cast<std::size_t>(levels), 0),
        last_(static_cast<std::size_t>(parts), 0) {}

  void add(Index part, const LevelWork& levels) {
    for (const auto& [level, work] : levels) {
      double& sum = at(level, part);
      sum += work;
      most_[level] = std::max(most_[level], sum);
    }
  }
  // Chooses the part where the maxima of these levels grow least; among equals, the part with the
  // least work on these levels; then the part chosen longest ago.
  Index place(const LevelWork& levels) {
    Index best = 0;
    std::tuple<double, double, Index> least{};
    for (Index part = 0; part < static_cast<Index>(last_.size()); ++part) {
      double grows = 0, near = 0;
      for (const auto& [level, work] : levels) {
        const double before = at(level, part);
        grows += std::max(before + work - most_[level], 0.0);
        if (most_[level] > 0) near += work * (before / most_[level]);
      }
      const std::tuple here{grows, near, last_[part]};
      if (part > 0 && here >= least) continue;
      least = here;
      best = part;
    }
    add(best, levels);
    last_[best] = ++placed_;
    return best;
  }

 private:
  double& at(Index level, Index part) {
    return work_[static_cast<std::size_t>(level) * last_.size() + part];
  }

  std::vector<double> work_;  // by level and part
  std::vector<double> most_;  // by level
  std::vector<Index> last_;   // by part: when it was last chosen
  Index placed_ = 0;
};

// The work that the blocks of a row, or of a column, add to the levels of both directions.
class WorkByLevel {
 public:
  // Merges neighbouring levels if there are more than `most`.
  WorkByLevel(const Supernodes& s, Index most)
      : s_(s),
        blocks_(find_blocks(s)),
        level_{supernode_levels(blocks_, Sweep::forward),
               supernode_levels(blocks_, Sweep::backward)} {
    Offset levels = 0;
    for (const Index level : level_[0]) levels = std::max(levels, Offset{level} + 1);
    levels_ = static_cast<Index>(std::min<Offset>(levels, most));
    for (auto& sweep : level_)
      for (Index& level : sweep) level = static_cast<Index>(level * Offset{levels_} / levels);
    sum_.assign(2 * static_cast<std::size_t>(levels_), 0);
  }
  Index levels() const { return 2 * levels_; }
  Index level(Index t) const { return level_[0][t]; }  // forwards
  LevelWork of_column(Index t) {
    put(t, static_cast<double>(s_.entries(t)));
    return take();
  }
  LevelWork of_row(Index t) {
    put(t, 0.5 * s_.width(t) * (s_.width(t) + 1));
    for (const Index b : blocks_.row(t)) {
      const BlockList::Block& block = blocks_.block[b];
      put(block.col, static_cast<double>(block.rows()) * s_.width(block.col));
    }
    return take();
  }

 private:
  void put(Index column, double work) {
    for (const Index sweep : {0, 1}) {
      const Index level = sweep * levels_ + level_[sweep][column];
      if (sum_[level] == 0) touched_.push_back(level);
      sum_[level] += work;
    }
  }
  LevelWork take() {
    LevelWork levels;
    for (const Index level : touched_) levels.emplace_back(level, std::exchange(sum_[level], 0.0));
    touched_.clear();
    return levels;
  }

  const Supernodes& s_;
  BlockList blocks_;
  std::vector<Index> level_[2];  // by way
  Index levels_ = 0;
  std::vector<double> sum_;  // by level, of the current supernode
  std::vector<Index> touched_;
};

// Maps one side of the grid.  `part` is set for all supernodes except those of `above`, which are
// placed in the given order.
template <class Work>
void spread(Index parts, std::span<const Index> above, Index levels, Buffer<Index>& part,
            const Work& work) {
  GridSide side(parts, levels);
  std::vector<char> waits(part.size(), 0);
  for (const Index t : above) waits[t] = 1;
  for (Index t = 0; t < static_cast<Index>(part.size()); ++t)
    if (!waits[t]) side.add(part[t], work(t));
  for (const Index t : above) part[t] = side.place(work(t));
}

// A column belongs to one level: place level by level, largest first.  A row belongs to many
// levels: place the largest first.
void map_balanced(const Supernodes& s, BlockMap& map, std::vector<Index> above) {
  const ProcessGrid grid = map.grid;
  const double looks = static_cast<double>(above.size() + 1) * std::max(grid.rows, grid.cols);
  WorkByLevel work(s, static_cast<Index>(std::clamp(most_looks / looks, 1.0, most_levels)));
  if (grid.cols > 1) {
    std::sort(above.begin(), above.end(), [&](Index a, Index b) {
      return std::tuple{work.level(a), s.entries(b), a} <
             std::tuple{work.level(b), s.entries(a), b};
    });
    spread(grid.cols, above, work.levels(), map.col, [&](Index t) { return work.of_column(t); });
  }
  if (grid.rows > 1) {
    std::vector<double> all(map.row.size(), 0);
    for (const Index t : above)
      for (const auto& [level, one] : work.of_row(t)) all[t] += one;
    std::sort(above.begin(), above.end(), [&](Index a, Index b) {
      return std::tuple{all[b], a} < std::tuple{all[a], b};
    });
    spread(grid.rows, above, work.levels(), map.row, [&](Index t) { return work.of_row(t); });
  }
}

// Maps the subtrees; returns the supernodes above them, in increasing order.
std::vector<Index> map_subtrees(const Supernodes& s, BlockMap& map) {
  const Index ranks = map.grid.size();
  const SupernodeTree tree = find_tree(s);
  const double all = static_cast<double>(s.entries());
  const std::vector<Index> roots = cut_tree(tree, share_of_rank * all / ranks);

  std::vector<double> load(static_cast<std::size_t>(ranks), 0);
  Buffer<Index> cell(s.count(), -1);  // rank: grid row and column in one number
  for (const Index root : roots) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += tree.work[root];
    cell[root] = static_cast<Index>(least - load.begin());
  }
  std::vector<Index> above;
  for (Index t = s.count(); t-- > 0;) {
    if (cell[t] < 0 && tree.parent[t] >= 0) cell[t] = cell[tree.parent[t]];
    if (cell[t] < 0) {
      above.push_back(t);
      continue;
    }
    map.row[t] = cell[t] / map.grid.cols;
    map.col[t] = cell[t] % map.grid.cols;
  }
  std::reverse(above.begin(), above.end());
  return above;
}

}  // namespace

ProcessGrid square_grid(Index ranks) {
  ProcessGrid grid{ranks, 1};
  for (Index cols = 2; Offset{cols} * cols <= ranks; ++cols)
    if (ranks % cols == 0) grid = {ranks / cols, cols};
  return grid;
}

BlockMap map_blocks(const Supernodes& s, const ProcessGrid& grid, Mapping mapping) {
  BlockMap map{grid, Buffer<Index>(s.count(), 0), Buffer<Index>(s.count(), 0)};
  if (grid.size() == 1) return map;
  std::vector<Index> left;
  if (mapping == Mapping::cyclic) {
    left.resize(static_cast<std::size_t>(s.count()));
    std::iota(left.begin(), left.end(), 0);
  } else {
    left = map_subtrees(s, map);
  }
  if (mapping == Mapping::balanced)
    map_balanced(s, map, std::move(left));
  else
    map_cyclic(map, left);
  return map;
}

}  // namespace echelon
