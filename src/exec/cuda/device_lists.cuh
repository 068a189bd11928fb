// exec/cuda/device_lists.cuh -- a packed triangle in the memory of the device: lists of rows or
// columns in the order of the plan.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/device_array.cuh"
#include "exec/cuda/device_offsets.cuh"
#include "exec/cuda/device_scalar.cuh"

namespace echelon {

// What kernels see of a triangle.  T is a DeviceScalar.
template <class T>
struct ListsView {
  Index n;
  const Index* order;  // the k-th unknown
  DeviceOffsets start;
  const Index* index;  // unknowns
  const T* value;
  const T* diagonal;  // the k-th, in the form said below; null if it is unit
  DiagonalForm form;

  // s over the k-th diagonal entry.
  __device__ T divide(T s, Index k) const {
    if (form == DiagonalForm::unit) return s;
    return form == DiagonalForm::reciprocal ? s * diagonal[k] : s / diagonal[k];
  }
};

template <Scalar T>
class DeviceLists {
 public:
  using D = DeviceScalar<T>;

  // The same pattern each time; it is copied the first time only.
  void load(const PackedPattern& pattern, const PackedValues<T>& values) {
    if (low_.size() == 0) {
      n_ = pattern.n;
      order_.assign(pattern.order);
      low_.assign(pattern.start.low());
      base_.assign(pattern.start.base());
      index_.assign(pattern.index);
    }
    value_.assign(values.value);
    diagonal_.assign(values.diagonal);
    form_ = values.form;
  }

  ListsView<D> view() const {
    return {n_,
            order_.data(),
            {low_.data(), base_.data()},
            index_.data(),
            reinterpret_cast<const D*>(value_.data()),
            reinterpret_cast<const D*>(diagonal_.data()),
            form_};
  }
  Offset nonzeros() const { return static_cast<Offset>(index_.size()); }

 private:
  Index n_ = 0;
  DeviceArray<Index> order_;
  DeviceArray<std::uint32_t> low_;
  DeviceArray<Offset> base_;
  DeviceArray<Index> index_;
  DeviceArray<T> value_, diagonal_;
  DiagonalForm form_ = DiagonalForm::unit;
};

}  // namespace echelon
