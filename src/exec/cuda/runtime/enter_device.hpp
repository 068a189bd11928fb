// exec/cuda/runtime/enter_device.hpp -- switch to another device and back.
// SPDX-License-Identifier: BSD-3-Clause
//
// The template argument Calls has current() and use(device), which may throw, and go_back(device),
// which does not throw. exec/cuda/runtime/device.cpp implements Calls with CUDA; tests use a mock,
// because a test machine may have only one device.
#pragma once

namespace echelon {

constexpr int nowhere = -1;

// Makes `device` the current one; nowhere: changes nothing.  Returns the device to go back to, or
// nowhere.
template <class Calls>
int enter_device(Calls&& calls, int device) {
  if (device == nowhere) return nowhere;
  const int before = calls.current();
  if (before == device) return nowhere;
  calls.use(device);
  return before;
}

// Undoes enter_device.
template <class Calls>
void leave_device(Calls&& calls, int before) noexcept {
  if (before != nowhere) calls.go_back(before);
}

}  // namespace echelon
