// dist/local_plan.cpp -- builds one rank's plan for a triangle: its blocks, and its parents and
// children in the trees.
// SPDX-License-Identifier: BSD-3-Clause
//
// Trees.  The ranks with a block of a matrix column all lie in one column of the grid, those with a
// block of a matrix row in one row.  A tree numbers these ranks from the root on, cyclically around
// the grid.  In a binary tree, the rank at place p has the children at places 2p+1 and 2p+2; in a
// flat tree, all others are children of the root.  The trees follow from the structure alone, so
// building them needs no communication.
#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "echelon/dist.hpp"

namespace echelon {
namespace {

class PlanMaker {
 public:
  PlanMaker(const Supernodes& s, const BlockList& blocks, const BlockMap& map, Index rank,
            TreeShape shape)
      : s_(s), blocks_(blocks), map_(map), shape_(shape) {
    my_row_ = map.grid.row_of(rank);
    my_col_ = map.grid.col_of(rank);
    plan_.n = s.n;
    plan_.rank = rank;
    plan_.ranks = map.grid.size();
  }

  LocalPlan make() {
    find_members();
    number_nodes();
    lay_columns();
    find_trees(plan_.column, column_ranks_);
    find_trees(plan_.across, row_ranks_);
    list_rows();
    lay_diagonals();
    return std::move(plan_);
  }

 private:
  bool has_column(Index t) const { return map_.col[t] == my_col_; }
  bool has_row(Index t) const { return map_.row[t] == my_row_; }
  bool has_diagonal(Index t) const { return has_row(t) && has_column(t); }

  // For the matrix columns of this rank's grid column and the matrix rows of its grid row: the
  // coordinates of the ranks that have blocks of them.  A coordinate may occur several times.
  void find_members() {
    column_ranks_.resize(s_.count());
    row_ranks_.resize(s_.count());
    mine_.assign(s_.count(), 0);
    const auto note = [](std::vector<Index>& list, Index a) {
      if (list.empty() || list.back() != a) list.push_back(a);
    };
    for (Index t = 0; t < s_.count(); ++t) {
      if (has_diagonal(t)) mine_[t] = 1;
      if (has_column(t))
        for (const BlockList::Block& b : blocks_.column(t)) {
          note(column_ranks_[t], map_.row[b.row]);
          if (has_row(b.row)) mine_[t] = mine_[b.row] = 1;
        }
      if (has_row(t))
        for (const Index b : blocks_.row(t)) note(row_ranks_[t], map_.col[blocks_.block[b].col]);
    }
  }

  void number_nodes() {
    plan_.first = s_.first;
    plan_.root.resize(s_.count());
    plan_.local_of.assign(s_.count(), -1);
    plan_.start.assign(1, 0);
    for (Index t = 0; t < s_.count(); ++t) {
      plan_.root[t] = map_.root(t);
      if (!mine_[t]) continue;
      plan_.local_of[t] = plan_.nodes();
      plan_.node.push_back(t);
      plan_.start.push_back(plan_.start.back() + s_.width(t));
    }
  }

  void lay_columns() {
    plan_.row_start.assign(1, 0);
    plan_.value_start.assign(1, 0);
    plan_.block_start.assign(1, 0);
    for (Index c = 0; c < plan_.nodes(); ++c) {
      const Index t = plan_.node[c];
      if (has_column(t))
        for (const BlockList::Block& b : blocks_.column(t)) {
          if (!has_row(b.row)) continue;
          const Index r = plan_.local_of[b.row];
          const auto begin = static_cast<Offset>(plan_.row.size());
          for (Offset p = b.begin; p < b.end; ++p)
            plan_.row.push_back(plan_.start[r] + s_.row[p] - s_.first[b.row]);
          plan_.block.push_back({c, r, begin, static_cast<Offset>(plan_.row.size())});
        }
      plan_.row_start.push_back(static_cast<Offset>(plan_.row.size()));
      plan_.block_start.push_back(static_cast<Index>(plan_.block.size()));
      plan_.value_start.push_back(plan_.value_start.back() +
                                  rectangle_size(plan_.width(c), plan_.height(c)));
    }
  }

  void list_rows() {
    plan_.in_row_start.assign(static_cast<std::size_t>(plan_.nodes()) + 1, 0);
    for (const LocalPlan::Block& b : plan_.block) ++plan_.in_row_start[b.row + 1];
    for (Index c = 0; c < plan_.nodes(); ++c) plan_.in_row_start[c + 1] += plan_.in_row_start[c];
    plan_.in_row.resize(plan_.block.size());
    Buffer<Index> next = plan_.in_row_start;
    for (std::size_t b = 0; b < plan_.block.size(); ++b)
      plan_.in_row[next[plan_.block[b].row]++] = static_cast<Index>(b);
  }

  void find_trees(RankTrees& trees, std::vector<std::vector<Index>>& members) {
    const bool down = &trees == &plan_.column;
    const Index round = down ? map_.grid.rows : map_.grid.cols;
    for (const Index t : plan_.node) {
      trees.parent.push_back(-1);
      if (down ? has_column(t) : has_row(t)) {
        const Index root = down ? map_.row[t] : map_.col[t];
        std::vector<Index>& list = members[t];
        for (Index& a : list) a = (a - root + round) % round;
        list.push_back(0);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        const auto rank_at = [&](std::size_t place) {
          const Index a = (list[place] + root) % round;
          return down ? map_.grid.rank(a, my_col_) : map_.grid.rank(my_row_, a);
        };
        const Index me = ((down ? my_row_ : my_col_) - root + round) % round;
        const auto at = std::lower_bound(list.begin(), list.end(), me);
        if (at != list.end() && *at == me)
          take_place(trees, static_cast<std::size_t>(at - list.begin()), list.size(), rank_at);
      }
      trees.child_start.push_back(static_cast<Index>(trees.child.size()));
    }
  }
  template <class RankAt>
  void take_place(RankTrees& trees, std::size_t place, std::size_t size, const RankAt& rank_at) {
    const bool binary = shape_ == TreeShape::binary;
    if (place > 0) trees.parent.back() = rank_at(binary ? (place - 1) / 2 : 0);
    const std::size_t begin = binary ? 2 * place + 1 : place == 0 ? 1 : size;
    const std::size_t end = binary ? std::min(begin + 2, size) : size;
    for (std::size_t k = begin; k < end; ++k) trees.child.push_back(rank_at(k));
  }

  void lay_diagonals() {
    BlockPlan& d = plan_.diagonals;
    d.n = s_.n;
    d.supernodes.n = s_.n;
    d.supernodes.first = s_.first;
    d.supernodes.row_start.assign(static_cast<std::size_t>(s_.count()) + 1, 0);
    d.value_start.assign(1, 0);
    plan_.diagonal.assign(plan_.nodes(), -1);
    for (Index c = 0; c < plan_.nodes(); ++c) {
      if (!has_diagonal(plan_.node[c])) continue;
      plan_.diagonal[c] = static_cast<Index>(d.order.size());
      d.order.push_back(plan_.node[c]);
      d.value_start.push_back(d.value_start.back() + panel_size(d.layout, plan_.width(c), 0));
    }
  }

  const Supernodes& s_;
  const BlockList& blocks_;
  const BlockMap& map_;
  TreeShape shape_;
  Index my_row_, my_col_;
  LocalPlan plan_;
  Buffer<char> mine_;
  std::vector<std::vector<Index>> column_ranks_, row_ranks_;
};

}  // namespace

LocalPlan make_local_plan(const Supernodes& s, const BlockMap& map, Index rank, TreeShape shape) {
  return PlanMaker(s, find_blocks(s), map, rank, shape).make();
}

std::vector<LocalPlan> make_local_plans(const Supernodes& s, const BlockMap& map, TreeShape shape,
                                        Index threads) {
  const BlockList blocks = find_blocks(s);
  std::vector<LocalPlan> plans(static_cast<std::size_t>(map.grid.size()));
  const bool few = static_cast<double>(s.count()) * map.grid.size() < 1e5;
  parallel_items(map.grid.size(), few ? 1 : thread_count(threads), [&](Index rank, Index) {
    plans[rank] = PlanMaker(s, blocks, map, rank, shape).make();
  });
  return plans;
}

}  // namespace echelon
