// tests/dist/patterns.hpp -- supernodes at random, as ranks share them out.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/dist.hpp"

namespace echelon::test {

// `count` supernodes up to `max_panel_columns` wide; each reaches about `reach` of those after it,
// by some of their rows.
Supernodes random_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed);

// A complete factor's pattern: every member's rows are rows of its parent too.
Supernodes closed_supernodes(Index count, Index max_panel_columns, double reach, unsigned seed);

}  // namespace echelon::test
