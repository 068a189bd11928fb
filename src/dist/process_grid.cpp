// dist/process_grid.cpp -- chooses a process grid close to a square.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/dist.hpp"

namespace echelon {

ProcessGrid square_grid(Index ranks) {
  ProcessGrid grid{ranks, 1};
  for (Index cols = 2; Offset{cols} * cols <= ranks; ++cols)
    if (ranks % cols == 0) grid = {ranks / cols, cols};
  return grid;
}

}  // namespace echelon
