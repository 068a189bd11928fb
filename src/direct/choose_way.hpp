// direct/choose_way.hpp -- chooses how a triangle of a factorization is solved.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "direct/way.hpp"

namespace echelon {

// Returns the way with the side's values loaded.  `shared`: panels with values that serve this side
// too, or empty; replaced by the panels that were prepared last.  Throws as the constructor of
// DirectSolver does.
template <Scalar T>
Way<T> choose_way(const Side<T>& side, const Options& options, Way<T>& shared);

}  // namespace echelon
