// numeric/diagonal_of.hpp -- the value of a diagonal entry, with duplicates added.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>

#include "echelon/analysis.hpp"

namespace echelon {

// For a pattern that has a diagonal.
template <class T>
T diagonal_of(const PackedPattern& pattern, std::span<const T> stored, Index unknown) {
  T d = stored[pattern.diagonal[unknown]];
  const auto below = [](const ExtraDiagonal& e, Index i) { return e.unknown < i; };
  for (auto e = std::lower_bound(pattern.extra.begin(), pattern.extra.end(), unknown, below);
       e != pattern.extra.end() && e->unknown == unknown; ++e)
    d += stored[e->source];
  return d;
}

}  // namespace echelon
