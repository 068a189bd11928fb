// exec/cuda/panels/device_values.cuh -- the panels of a plan in device memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/runtime/device_array.cuh"

namespace echelon {

// The device copy of BlockValues.
template <Scalar T>
struct DeviceValues {
  DeviceArray<T> value;  // size plan.values(); empty if `low` is used instead
  DeviceArray<Low<T>> low;
  DeviceArray<BlockForm> form;

  void assign(const BlockValues<T>& host) {
    value.assign(host.value);
    low.assign(host.low);
    form.assign(host.form);
  }
  Offset bytes() const { return static_cast<Offset>(value.bytes() + low.bytes()); }

  // Calls visit(pointer to the stored values): float or double.
  template <class Visit>
  void with_values(const Visit& visit) const {
    if (low.size() > 0)
      visit(reinterpret_cast<const Real<Low<T>>*>(low.data()));
    else
      visit(reinterpret_cast<const Real<T>*>(value.data()));
  }
};

}  // namespace echelon
