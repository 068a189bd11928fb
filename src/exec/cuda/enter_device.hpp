// exec/cuda/enter_device.hpp -- to another device and back, whoever makes the calls.
// SPDX-License-Identifier: BSD-3-Clause
//
// Calls has current() and use(device), which throw, and go_back(device), which does not: CUDA's in
// exec/cuda/device.cpp, a test's where there are not several devices.
#pragma once

namespace echelon {

constexpr int nowhere = -1;

// Makes the device the current one; nowhere: leaves it as it is.  Gives what to go back to.
template <class Calls>
int enter_device(Calls&& calls, int device) {
  if (device == nowhere) return nowhere;
  const int before = calls.current();
  if (before == device) return nowhere;
  calls.use(device);
  return before;
}

// Undoes it.
template <class Calls>
void leave_device(Calls&& calls, int before) noexcept {
  if (before != nowhere) calls.go_back(before);
}

}  // namespace echelon
