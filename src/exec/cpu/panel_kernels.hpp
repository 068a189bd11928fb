// exec/cpu/panel_kernels.hpp -- the two products with a strip of a panel, for each vector unit.
// SPDX-License-Identifier: BSD-3-Clause
//
// A strip is kept by columns, `groups` groups of 8 rows each (PanelShape).  Complex numbers are
// kept apart inside a group: 8 real parts, then 8 imaginary ones.  The short vectors that go
// with the rows of a strip are kept apart as well: StripVector.  S is what is stored, R what is
// computed in; both are real types.
//
// The builds of the text differ in vector length and in fused multiply-add, not in the order of
// sums: a unit gives the same bits for one right-hand side and for many, and all units that fuse
// (avx2, avx512) give the same as each other.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

struct PanelVector {
  static constexpr int lanes = 8;  // = PanelShape::group
  static constexpr int rows = 32;  // = PanelShape::strip
};

template <class S, class R>
struct PanelKernels {
  // y(rows of the strip) += A x, for m columns and k right-hand sides; y = A x unless `add`.
  // x: vectors of m numbers, ldx apart; y: planes of 32 rows, one a vector (two if complex).
  using Push = void (*)(const S* a, Index groups, Index m, const R* x, Offset ldx, R* y, Index k,
                        bool add);
  // y(m columns) += A' v, or y = A' v, v as y above, y as x above.  `ahead`: bytes from what is
  // used to what is to be fetched meanwhile.
  using Pull = void (*)(const S* a, Index groups, Index m, const R* v, R* y, Offset ldy, Index k,
                        Offset ahead, bool add);
  Push push[2];  // real, complex
  Pull pull[2];
};

// What is compiled once per unit.
struct AllPanelKernels {
  PanelKernels<double, double> in_double;
  PanelKernels<float, float> in_float;
  PanelKernels<float, double> mixed;
};

// Those of a unit, as find_vector_unit finds it; throws likewise.
template <class S, class R>
const PanelKernels<S, R>& panel_kernels(VectorUnit unit);

}  // namespace echelon
