// supernode/merge_supernodes.cpp -- merges neighbouring supernodes where this adds few zeros.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Supernodes are pushed by rising position onto a stack of groups.  A new supernode p
// absorbs the group c on top of the stack if c's first row lies in p (p is its parent in the
// elimination tree) or, if siblings may be merged, both have the same parent, and if the merged
// panel pays off.  The larger p may then absorb the group before.  The merged panel has the rows of
// p and the rows of c beyond p, |U| in total:
//
//   zeros added = wc (wp + |U| - hc) + wp (|U| - hp)
//
// No zeros are added exactly if the rows of c are all of p and then the rows of p: the same
// structure.  Amalgamation also accepts zeros that cost less than the saving: the overhead of one
// panel and of the rows of c.
//
// A level of a solve costs waiting, however little is in it.  So on the longest paths, where
// merging saves a level, zeros may also cost as much as the level: a budget that the supernodes of
// a level share, if they are on paths that are nearly as long as the longest one.  The zeros that
// are added for levels double the factor at most.
//
// Cost.  |U| is at least the larger of its parts, so most candidates are rejected without reading
// rows.  The others read the rows once; by that bound p has few more rows than a multiple of those
// of c.  For a complete factor the rows of c beyond p are rows of p, and nothing is copied;
// otherwise the union is built.
//
// Reference.  Ashcraft and Grimes, ACM Trans. Math. Software 15 (1989), 291-309.
#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "supernode/paths.hpp"

namespace echelon {
namespace {

// By supernode: the zeros that saving its level may cost.
Buffer<double> find_level_budgets(const Supernodes& s, const Buffer<Index>& owner,
                                  double level_work) {
  constexpr Index deep = 100;      // levels; in fewer, what panels read is most of the time
  constexpr double nearly = 0.75;  // of the longest path; shorter ones have time to spare
  const Buffer<Index> to = find_paths_to(s, owner, [](Index) { return 1; });
  const Buffer<Index> from = find_paths_from(s, owner);
  Index longest = 0;
  for (Index t = 0; t < s.count(); ++t) longest = std::max(longest, to[t] + from[t]);
  if (longest < deep) return {};
  const auto is_long = [&](Index t) { return to[t] + from[t] >= nearly * longest; };
  Buffer<Index> sharers(static_cast<std::size_t>(longest) + 1, 0);  // by level
  for (Index t = 0; t < s.count(); ++t) sharers[to[t]] += is_long(t);
  Buffer<double> budget(static_cast<std::size_t>(s.count()), 0);
  for (Index t = 0; t < s.count(); ++t)
    if (is_long(t)) budget[t] = level_work / sharers[to[t]];
  return budget;
}

// A run of supernodes merged into one.
struct Group {
  Index first;  // columns [first, last)
  Index last;
  Index height;
  const Index* given;  // its rows in the input, or null: they are at united[united_start ..)
  Offset united_start;
  Offset zeros;  // explicit zeros added by merging
};

// Number of rows of `some` that are not in `all`.
Index count_missing(std::span<const Index> some, std::span<const Index> all) {
  Index missing = 0;
  auto p = all.begin();
  for (const Index i : some) {
    while (p != all.end() && *p < i) ++p;
    missing += p == all.end() || *p != i;
  }
  return missing;
}

class Merger {
 public:
  Merger(Merging merging, const SupernodeOptions& o, const Supernodes& s)
      : merging_(merging), options_(o) {
    groups_.reserve(static_cast<std::size_t>(s.count()));
    if (merging == Merging::same || !(o.merge_siblings || o.level_work > 0)) return;
    owner_ = find_owners(s);
    if (o.level_work <= 0) return;
    budget_ = find_level_budgets(s, owner_, o.level_work);
    left_ = static_cast<double>(std::max(s.entries(), least_total));
  }

  void add(Index first, Index last, std::span<const Index> rows) {
    Group p{first,
            last,
            static_cast<Index>(rows.size()),
            rows.data(),
            static_cast<Offset>(united_.size()),
            0};
    while (!groups_.empty() && absorb(groups_.back(), p)) groups_.pop_back();
    groups_.push_back(p);
  }

  Supernodes result(Index n) const {
    Supernodes s;
    s.n = n;
    s.first.resize(groups_.size() + 1);
    s.row_start.resize(groups_.size() + 1);
    Offset end = 0;
    for (std::size_t t = 0; t < groups_.size(); ++t) {
      s.first[t] = groups_[t].first;
      s.row_start[t] = end;
      end += groups_[t].height;
    }
    s.first.back() = n;
    s.row_start.back() = end;
    s.row.resize(static_cast<std::size_t>(end));
    for (std::size_t t = 0; t < groups_.size(); ++t)
      std::ranges::copy(rows(groups_[t]), s.row.begin() + s.row_start[t]);
    return s;
  }

 private:
  static constexpr Offset least_total = Offset{1} << 22;  // 32 MB of zeros matter to no solve

  std::span<const Index> rows(const Group& g) const {
    return {g.given != nullptr ? g.given : united_.data() + g.united_start,
            static_cast<std::size_t>(g.height)};
  }

  static Offset zeros_added(const Group& c, const Group& p, Offset merged_height) {
    const Offset wc = c.last - c.first, wp = p.last - p.first;
    return wc * (wp + merged_height - c.height) + wp * (merged_height - p.height);
  }

  bool pays(const Group& c, Offset added) const {
    if (added == 0) return true;
    if (merging_ == Merging::same) return false;
    return saves_a_panel(c, added) || saves_a_level(c, added);
  }
  bool saves_a_panel(const Group& c, Offset added) const {
    return static_cast<double>(added) <= options_.panel_work + options_.row_work * c.height;
  }
  // Whether the zeros are within the budget of the level that merging c with its parent saves.
  bool saves_a_level(const Group& c, Offset added) const {
    return !budget_.empty() &&
           static_cast<double>(added) <= std::min(budget_[owner_[c.last - 1]], left_);
  }

  bool is_dense_enough(const Group& c, const Group& p, Offset zeros, Offset height) const {
    const Offset w = p.last - c.first, entries = w * (w + 1) / 2 + w * height;
    return static_cast<double>(zeros) <= options_.merge_zeros * static_cast<double>(entries);
  }

  // Whether c and p have the same parent: the input supernode of their first rows.
  bool are_siblings(const Group& c, const Group& p) const {
    return options_.merge_siblings && !owner_.empty() && p.height > 0 &&
           owner_[rows(c).front()] == owner_[rows(p).front()];
  }

  // Merges c, right before p, into p; returns false if they are not related or it does not pay off.
  bool absorb(const Group& c, Group& p) {
    const auto child_rows = rows(c);
    if (child_rows.empty() || (child_rows.front() >= p.last && !are_siblings(c, p))) return false;
    const auto beyond = std::ranges::lower_bound(child_rows, p.last);
    const std::span<const Index> rest(beyond, child_rows.end());
    if (!pays(c, zeros_added(c, p, std::max(static_cast<Index>(rest.size()), p.height))))
      return false;

    const Index missing = count_missing(rest, rows(p));
    const Index height = p.height + missing;
    const Offset added = zeros_added(c, p, height), zeros = c.zeros + p.zeros + added;
    if (!pays(c, added)) return false;
    if (added > 0 && !(saves_a_panel(c, added) && is_dense_enough(c, p, zeros, height))) {
      if (!saves_a_level(c, added)) return false;
      left_ -= static_cast<double>(added);
    }
    if (missing > 0 || p.given == nullptr) {
      unite(rest, rows(p), c.united_start);
      p.given = nullptr;
    }
    united_.resize(static_cast<std::size_t>(c.united_start + (p.given == nullptr ? height : 0)));
    p = {c.first, p.last, height, p.given, c.united_start, zeros};
    return true;
  }

  // Writes the union over the rows of c if those were united too: the rows of p come after.
  void unite(std::span<const Index> a, std::span<const Index> b, Offset start) {
    scratch_.clear();
    std::ranges::set_union(a, b, std::back_inserter(scratch_));
    united_.resize(static_cast<std::size_t>(start));
    united_.insert(united_.end(), scratch_.begin(), scratch_.end());
  }

  Merging merging_;
  const SupernodeOptions& options_;
  Buffer<Index> owner_;    // supernode of each position, if siblings or levels matter
  Buffer<double> budget_;  // by supernode, if levels have a cost
  double left_ = 0;        // zeros that may still be added for levels
  Buffer<Group> groups_;
  std::vector<Index> united_;  // rows of the groups that differ from the input, in order
  std::vector<Index> scratch_;
};

}  // namespace

Supernodes merge_supernodes(const Supernodes& s, Merging merging, const SupernodeOptions& o) {
  Merger merger(merging, o, s);
  for (Index t = 0; t < s.count(); ++t) merger.add(s.first[t], s.first[t + 1], s.rows(t));
  return merger.result(s.n);
}

}  // namespace echelon
