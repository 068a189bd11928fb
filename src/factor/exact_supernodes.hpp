// factor/exact_supernodes.hpp -- the supernodes of a triangle in panels, without the zeros that
// the panels store.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>

#include "echelon/factor.hpp"

namespace echelon {

struct ExactSupernodes {
  Supernodes supernodes;  // inside the panels: none reaches over two
  Offset nonzeros = 0;    // values that are not zero, every diagonal entry included
};

// How many zeros a supernode of so many entries may hold: one in 128, which bounds what all of
// them hold too much; and in small ones up to 64 more, which is less than what a panel costs
// besides its entries (SupernodeOptions::panel_work), but never more than a quarter.
constexpr Offset zeros_allowed(Offset entries) {
  return entries / 128 + std::min<Offset>(64, entries / 4);
}

// Reads each value below the diagonal once.  What is zero is taken as no entry.  The supernodes
// hold every nonzero, and no more zeros than are allowed.
template <Scalar T>
ExactSupernodes find_exact_supernodes(const Panels<T>& panels, Index threads = 0);

}  // namespace echelon
