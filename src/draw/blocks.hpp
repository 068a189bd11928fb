// draw/blocks.hpp -- the blocks of supernodes, one after the other.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/draw.hpp"

namespace echelon {

// Calls body(I, K), column after column: the diagonal block, then those below it.
template <class Body>
void for_each_block_of(const Supernodes& s, Index k, const Body& body) {
  body(k, k);
  const std::span<const Index> rows = s.rows(k);
  Index i = k;
  for (auto row = rows.begin(); row != rows.end();) {
    i = static_cast<Index>(std::upper_bound(s.first.begin() + i, s.first.end(), *row) -
                           s.first.begin()) -
        1;
    body(i, k);
    row = std::lower_bound(row, rows.end(), s.first[i + 1]);
  }
}

template <class Body>
void for_each_block(const Supernodes& s, const Body& body) {
  for (Index k = 0; k < s.count(); ++k) for_each_block_of(s, k, body);
}

inline Offset count_blocks(const Supernodes& s) {
  Offset count = 0;
  for_each_block(s, [&](Index, Index) { ++count; });
  return count;
}

}  // namespace echelon
