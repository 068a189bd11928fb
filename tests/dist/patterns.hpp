// tests/dist/patterns.hpp -- random supernodes, as distributed over ranks.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/dist.hpp"

namespace echelon::test {

// `count` supernodes up to `max_panel_columns` wide; each has some rows in about `reach` of the
// supernodes after it.
Supernodes random_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed);

// The pattern of a complete factor: all rows of a supernode beyond its parent are rows of the
// parent.
Supernodes closed_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed);

}  // namespace echelon::test
