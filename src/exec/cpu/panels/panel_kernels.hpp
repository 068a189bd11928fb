// exec/cpu/panels/panel_kernels.hpp -- the two products with a strip of a panel, per vector unit.
// SPDX-License-Identifier: BSD-3-Clause
//
// A strip is stored column-major, with `groups` groups of 8 rows (PanelShape).  Complex numbers are
// split inside a group: 8 real parts, then 8 imaginary parts.  The short vectors that belong to the
// rows of a strip are split as well: PanelVector.  S is the stored type, R the type of the
// arithmetic; both are real.
//
// The builds per unit differ in vector length and in fused multiply-add, not in the order of sums:
// a unit gives the same bits for one right-hand side and for many, and all units that fuse (avx2,
// avx512) give the same bits as each other.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

struct PanelVector {
  static constexpr int lanes = 8;  // = PanelShape::group
  static constexpr int rows = 32;  // = PanelShape::strip
};

template <class S, class R>
struct PanelKernels {
  // y(rows of the strip) += A x, for m columns and k right-hand sides; y = A x unless `add`. x:
  // vectors of m numbers, ldx apart; y: planes of 32 rows, one per vector (two if complex).
  using Push = void (*)(const S* a, Index groups, Index m, const R* x, Offset ldx, R* y, Index k,
                        bool add);
  // y(m columns) += A' v, or y = A' v; v is laid out like y above, y like x above.  `ahead`: bytes
  // from the read position to the prefetch position.
  using Pull = void (*)(const S* a, Index groups, Index m, const R* v, R* y, Offset ldy, Index k,
                        Offset ahead, bool add);
  Push push[2];  // real, complex
  Pull pull[2];
};

// The kernels of one vector unit.
struct AllPanelKernels {
  PanelKernels<double, double> in_double;
  PanelKernels<float, float> in_float;
  PanelKernels<float, double> mixed;
};

// The kernels of a unit, selected and refused as in find_vector_unit.
template <class S, class R>
const PanelKernels<S, R>& panel_kernels(VectorUnit unit);

}  // namespace echelon
