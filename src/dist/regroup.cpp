// dist/regroup.cpp -- the supernodes of a triangle for another partition of its columns.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>

#include "dist/supernode_of.hpp"
#include "echelon/dist.hpp"

namespace echelon {

Supernodes regroup(const Supernodes& s, std::span<const Index> first) {
  if (first.empty() || first.front() != 0 || first.back() != s.n ||
      !std::is_sorted(first.begin(), first.end()))
    throw Error(ErrorCode::bad_argument, "a partition must rise from 0 to " + std::to_string(s.n));
  Supernodes out;
  out.n = s.n;
  Buffer<Index> mark(s.n, -1);
  Index t = 0;  // the first supernode of s that reaches into the group
  for (std::size_t g = 0; g + 1 < first.size(); ++g) {
    const Index begin = first[g], end = first[g + 1];
    const auto take = [&](Index i) {
      if (i < end || mark[i] == begin) return;
      mark[i] = begin;
      out.row.push_back(i);
    };
    while (t < s.count() && s.first[t + 1] <= begin) ++t;
    for (Index u = t; u < s.count() && s.first[u] < end; ++u) {
      for (Index i = end; i < s.first[u + 1]; ++i) take(i);  // its triangle, beyond the group
      for (const Index i : s.rows(u)) take(i);
    }
    std::sort(out.row.begin() + out.row_start.back(), out.row.end());
    out.first.push_back(end);
    out.row_start.push_back(static_cast<Offset>(out.row.size()));
  }
  return out;
}

}  // namespace echelon
