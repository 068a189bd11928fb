// exec/cuda/rows/device_lists.cuh -- a packed triangle in device memory: lists of rows or columns
// in the order of the plan.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/rows/lists_view.cuh"
#include "exec/cuda/runtime/device_array.cuh"

namespace echelon {

template <Scalar T>
class DeviceLists {
 public:
  using D = DeviceScalar<T>;

  // `index`: the indices of the pattern's lists, as unknowns or renumbered (for example as
  // positions).
  void set_pattern(const PackedPattern& pattern, const Buffer<Index>& index) {
    n_ = pattern.n;
    order_.assign(pattern.order);
    low_.assign(pattern.start.low());
    base_.assign(pattern.start.base());
    index_.assign(index);
  }

  // The pattern must be the same on every call; only the first call copies it.
  void load(const PackedPattern& pattern, const PackedValues<T>& values) {
    if (low_.size() == 0) set_pattern(pattern, pattern.index);
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
  Offset bytes() const { return bytes_of(order_, low_, base_, index_, value_, diagonal_); }
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
