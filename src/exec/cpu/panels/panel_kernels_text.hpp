// exec/cpu/panels/panel_kernels_text.hpp -- the panel kernels, compiled once per
// vector unit by echelon_vector_units (cmake/EchelonTarget.cmake).
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exec/cpu/panels/panel_pull_text.hpp"
#include "exec/cpu/panels/panel_push_text.hpp"

// Kernels take the operands of a product, and their loops stay in one function, so that sums stay
// in registers.  Offsets inside a strip fit an int.
// NOLINTBEGIN(readability-function-size,readability-function-cognitive-complexity)
// NOLINTBEGIN(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
namespace echelon {
namespace {

template <class S, class R, bool C>
void push(const S* a, Index groups, Index m, const R* x, Offset ldx, R* y, Index k, bool add) {
  switch (groups) {
    case 1:
      return push_groups<S, R, C, 1>(a, m, x, ldx, y, k, add);
    case 2:
      return push_groups<S, R, C, 2>(a, m, x, ldx, y, k, add);
    case 3:
      return push_groups<S, R, C, 3>(a, m, x, ldx, y, k, add);
    default:
      return push_groups<S, R, C, 4>(a, m, x, ldx, y, k, add);
  }
}

template <class S, class R, bool C>
void pull(const S* a, Index groups, Index m, const R* v, R* y, Offset ldy, Index k, Offset ahead,
          bool add) {
  switch (groups) {
    case 1:
      return pull_groups<S, R, C, 1>(a, m, v, y, ldy, k, ahead, add);
    case 2:
      return pull_groups<S, R, C, 2>(a, m, v, y, ldy, k, ahead, add);
    case 3:
      return pull_groups<S, R, C, 3>(a, m, v, y, ldy, k, ahead, add);
    default:
      return pull_groups<S, R, C, 4>(a, m, v, y, ldy, k, ahead, add);
  }
}

template <class S, class R>
constexpr PanelKernels<S, R> kernels{{push<S, R, false>, push<S, R, true>},
                                     {pull<S, R, false>, pull<S, R, true>}};
constexpr AllPanelKernels all_kernels{kernels<double, double>, kernels<float, float>,
                                      kernels<float, double>};

}  // namespace

extern const AllPanelKernels ECHELON_OF_UNIT(panel_kernels) = all_kernels;

}  // namespace echelon
// NOLINTEND(bugprone-implicit-widening-of-multiplication-result,bugprone-branch-clone)
// NOLINTEND(readability-function-size,readability-function-cognitive-complexity)
