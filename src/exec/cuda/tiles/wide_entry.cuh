// exec/cuda/tiles/wide_entry.cuh -- copies right-hand sides of any layout into rows by position,
// before a wide pass of method tree.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cuda/tiles/wide_block.cuh"

namespace echelon {

// Copies 32 rows of 8 right-hand sides into `rows`: those of block (x, y) of a grid.  The tile in
// shared memory turns columns into rows.
constexpr int entry_threads = 256;
struct WideEntry {
  TileVectors<double> sides;
  double* rows;
  Index width;

  __device__ void run(Index block, Index eight, double (&tile)[32][9]) const {
    const Index k = static_cast<Index>(threadIdx.x), n = sides.vectors.n;
    const bool by_rows = sides.vectors.b_step == 1;
    const Index row = by_rows ? k % 32 : k / 8, column = by_rows ? k / 32 : k % 8;
    if (32 * block + row < n)
      tile[row][column] = sides.right_side(32 * block + row, 8 * eight + column);
    __syncthreads();
    if (32 * block + k / 8 < n)
      rows[(Offset{32} * block + k / 8) * width + 8 * eight + k % 8] = tile[k / 8][k % 8];
  }
};

}  // namespace echelon
