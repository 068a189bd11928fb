// smoother/symmetric_pattern.cpp -- whether the two triangles of a matrix mirror each other.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The rows of one triangle are visited from the first on.  For an entry (i,j) the
// next column of row j of the other triangle must be i, because rows are visited in the order in
// which a sorted row j lists them.  In the end all columns of all rows must have been matched.
#include <algorithm>

#include "smoother/plan.hpp"

namespace echelon {
namespace {

// The lists of a pattern, each sorted: the pattern's own if they are sorted, else a copy.
class SortedLists {
 public:
  explicit SortedLists(const PackedPattern& pattern)
      : pattern_(pattern), index_(pattern.index.data()) {
    bool sorted = true;
    for (Index k = 0; k < pattern.n && sorted; ++k)
      sorted = std::is_sorted(index_ + pattern.start[k], index_ + pattern.start[k + 1]);
    if (sorted) return;
    copy_ = pattern.index;
    for (Index k = 0; k < pattern.n; ++k)
      std::sort(copy_.begin() + pattern.start[k], copy_.begin() + pattern.start[k + 1]);
    index_ = copy_.data();
  }
  std::span<const Index> list(Index k) const {
    return {index_ + pattern_.start[k], index_ + pattern_.start[k + 1]};
  }

 private:
  const PackedPattern& pattern_;
  const Index* index_;
  Buffer<Index> copy_;
};

}  // namespace

bool has_symmetric_pattern(const PackedPattern& near, const PackedPattern& across) {
  const auto n = static_cast<std::size_t>(near.n);
  Buffer<Index> position(n);
  for (Index k = 0; k < near.n; ++k) position[near.order[k]] = k;
  const SortedLists rows(near);
  Buffer<Index> asked(n, 0);  // by unknown: columns of that row of `near` matched so far
  for (Index i = 0; i < near.n; ++i) {
    const Index k = position[i];
    for (Offset p = across.start[k]; p < across.start[k + 1]; ++p) {
      const Index j = across.index[p];
      const auto row = rows.list(position[j]);
      Index& next = asked[j];
      if (next > 0 && row[next - 1] == i) continue;  // (i,j) is given more than once
      const Index before = next;
      while (next < static_cast<Index>(row.size()) && row[next] == i) ++next;
      if (next == before) return false;
    }
  }
  for (Index k = 0; k < near.n; ++k)
    if (asked[near.order[k]] != near.start[k + 1] - near.start[k]) return false;
  return true;
}

}  // namespace echelon
