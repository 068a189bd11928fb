// exec/cuda/device_values.cuh -- the panels of a plan in the memory of the device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/numeric.hpp"
#include "exec/cuda/device_array.cuh"

namespace echelon {

// Panels on the device, as BlockValues has them with the host.
template <Scalar T>
struct DeviceValues {
  DeviceArray<T> value;  // size plan.values(), or
  DeviceArray<Low<T>> low;
  DeviceArray<BlockForm> form;

  void assign(const BlockValues<T>& host) {
    value.assign(host.value);
    low.assign(host.low);
    form.assign(host.form);
  }
  Offset bytes() const { return static_cast<Offset>(value.bytes() + low.bytes()); }

  // Calls visit(values as they are stored): a pointer to float or double.
  template <class Visit>
  void with_values(const Visit& visit) const {
    if (low.size() > 0)
      visit(reinterpret_cast<const Real<Low<T>>*>(low.data()));
    else
      visit(reinterpret_cast<const Real<T>*>(value.data()));
  }
};

}  // namespace echelon
