// exec/cpu/batch/batch_kernels.hpp -- the solve of systems that lie side by side, per vector unit.
// SPDX-License-Identifier: BSD-3-Clause
//
// A group is as many systems as 64 bytes hold real numbers, on every machine.  Entry p of the
// matrix is a line with its value in all of them; complex entries are two lines, real parts and
// then imaginary parts.  The vectors of a group are laid out alike: for each unknown, the lines of
// right-hand side 0, then those of the next.
//
// Every system sums its rows in the order of their entries, so its answer depends neither on its
// neighbours nor on the number of right-hand sides.  Units that fuse give the same bits as each
// other.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

constexpr int batch_line = 64;  // bytes
template <class R>
constexpr int batch_lanes = batch_line / static_cast<int>(sizeof(R));
constexpr int most_batch_columns = 4;  // right-hand sides at a time: 1, 2 or 4

template <class R>
struct BatchGroup {
  Index n;
  bool unit;
  bool divides;  // the diagonal is stored as it is, not as its reciprocal
  const Index* row;
  const Index* start;
  const Index* index;
  const R* value;

  Index end(Index k) const { return unit ? start[k + 1] : start[k + 1] - 1; }
};

// The lines of one right-hand side of a group.
template <class R>
struct BatchLines {
  R* data;
  Offset row;        // numbers from one unknown to the next
  Index plane_bits;  // 1 for complex numbers, else 0
};

template <class R>
struct BatchKernels {
  // x = M^-1 x, or M^-T x, in all lanes.
  using Solve = void (*)(const BatchGroup<R>& group, R* x);
  Solve solve[2][2][3];  // [real, complex][M, its transpose][1, 2 or 4 right-hand sides]
  // Copies `count` neighbouring real numbers of every system of a full group, whose vectors are
  // `apart` real numbers apart.
  void (*copy_in)(const R* b, Offset apart, Index count, const BatchLines<R>& to);
  // Also sets probe[lane] to zero, or to NaN if one of the numbers is not finite.
  void (*copy_out)(const BatchLines<R>& from, Index count, R* x, Offset apart, R* probe);
};

// The kernels of one vector unit.
struct AllBatchKernels {
  BatchKernels<double> in_double;
  BatchKernels<float> in_float;
};

// The kernels of a unit, selected and refused as in find_vector_unit.
template <class R>
const BatchKernels<R>& batch_kernels(VectorUnit unit);

}  // namespace echelon
