// analysis/level_span.hpp -- the range of levels in a range of the sweep.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/analysis.hpp"

namespace echelon {

struct LevelSpan {
  Index low, high;  // high < low if the range is empty

  Index count() const { return std::max(high - low + 1, 0); }
};

// The span of sweep positions [begin, end).
inline LevelSpan find_level_span(const DependencyGraph& g, const Levels& levels, Index begin,
                                 Index end) {
  LevelSpan span{levels.count, -1};
  for (Index k = begin; k < end; ++k) {
    const Index l = levels.of[g.unknown(k)];
    span.low = std::min(span.low, l);
    span.high = std::max(span.high, l);
  }
  return span;
}

}  // namespace echelon
