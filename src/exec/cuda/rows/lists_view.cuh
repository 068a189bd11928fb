// exec/cuda/rows/lists_view.cuh -- the device view of a packed triangle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/runtime/device_offsets.cuh"
#include "exec/cuda/runtime/device_scalar.cuh"

namespace echelon {

// T is a DeviceScalar.
template <class T>
struct ListsView {
  Index n;
  const Index* order;  // the k-th unknown
  DeviceOffsets start;
  const Index* index;  // unknowns, or as passed to set_pattern
  const T* value;
  const T* diagonal;  // the k-th, stored as `form` says; null if it is unit
  DiagonalForm form;

  // The k-th diagonal entry as stored, and s divided by the diagonal entry.
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
