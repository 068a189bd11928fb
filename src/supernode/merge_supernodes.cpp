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

#include "echelon/supernode.hpp"

namespace echelon {
namespace {

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
    if (merging == Merging::same || !o.merge_siblings) return;
    owner_.resize(static_cast<std::size_t>(s.n));
    for (Index t = 0; t < s.count(); ++t)
      std::fill(owner_.begin() + s.first[t], owner_.begin() + s.first[t + 1], t);
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
    return static_cast<double>(added) <= options_.panel_work + options_.row_work * c.height;
  }

  bool is_dense_enough(const Group& c, const Group& p, Offset zeros, Offset height) const {
    const Offset w = p.last - c.first, entries = w * (w + 1) / 2 + w * height;
    return static_cast<double>(zeros) <= options_.merge_zeros * static_cast<double>(entries);
  }

  // Whether c and p have the same parent: the input supernode of their first rows.
  bool are_siblings(const Group& c, const Group& p) const {
    return !owner_.empty() && p.height > 0 && owner_[rows(c).front()] == owner_[rows(p).front()];
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
    if (!pays(c, added) || (added > 0 && !is_dense_enough(c, p, zeros, height))) return false;
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
  Buffer<Index> owner_;  // by position, if siblings are merged
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
