// exec/cuda/lists_view.cuh -- what kernels see of a packed triangle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/device_offsets.cuh"
#include "exec/cuda/device_scalar.cuh"

namespace echelon {

// What kernels see of a triangle.  T is a DeviceScalar.
template <class T>
struct ListsView {
  Index n;
  const Index* order;  // the k-th unknown
  DeviceOffsets start;
  const Index* index;  // unknowns, or as set_pattern was given them
  const T* value;
  const T* diagonal;  // the k-th, in the form said below; null if it is unit
  DiagonalForm form;

  // The k-th diagonal entry as it is kept, and s over one.
  __device__ T kept_diagonal(Index k) const {
    return form == DiagonalForm::unit ? zero_of(T{}) : diagonal[k];
  }
  __device__ T divide_by(T s, T kept) const {
    if (form == DiagonalForm::unit) return s;
    return form == DiagonalForm::reciprocal ? s * kept : s / kept;
  }
  __device__ T divide(T s, Index k) const { return divide_by(s, kept_diagonal(k)); }
};

}  // namespace echelon
