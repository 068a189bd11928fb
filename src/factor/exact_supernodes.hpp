// factor/exact_supernodes.hpp -- the supernodes of a triangle in panels, without the explicit zeros
// of the panels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/factor.hpp"

namespace echelon {

struct ExactSupernodes {
  Supernodes supernodes;  // each lies inside one panel
  Offset nonzeros = 0;    // nonzero values and all diagonal entries
};

// The explicit zeros allowed in a supernode with this many entries: one in 128, which bounds their
// total; and up to 64 more, but never more than a quarter of the entries. 64 zeros cost less than a
// further panel (SupernodeOptions::panel_work).
constexpr Offset zeros_allowed(Offset entries) {
  return entries / 128 + std::min<Offset>(64, entries / 4);
}

// Reads each value below the diagonal once and treats zeros as missing entries.  The supernodes
// contain every nonzero and at most the allowed zeros.
template <Scalar T>
ExactSupernodes find_exact_supernodes(const Panels<T>& panels, Index threads = 0);

}  // namespace echelon
