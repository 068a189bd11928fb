// dist/supernode_of.hpp -- the supernode of each column.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <span>

#include "echelon/buffer.hpp"
#include "echelon/types.hpp"

namespace echelon {

// `first`: like Supernodes::first.
inline Buffer<Index> supernode_of(std::span<const Index> first) {
  Buffer<Index> of(first.back());
  for (std::size_t s = 0; s + 1 < first.size(); ++s)
    std::fill(of.begin() + first[s], of.begin() + first[s + 1], static_cast<Index>(s));
  return of;
}

}  // namespace echelon
