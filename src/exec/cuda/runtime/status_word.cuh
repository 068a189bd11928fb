// exec/cuda/runtime/status_word.cuh -- status bits that a kernel raises for the host.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace echelon {

enum StatusBit : unsigned {
  status_not_finite = 1,
  status_gave_up = 2,  // a wait inside a kernel hit its timeout; some answers are missing
};
constexpr int status_words = 2;  // one word per bit: plain stores suffice, no atomics over the bus

// `status` is DeviceStatus::device().  Each word is zero or the one bit that it stands for.
__device__ inline void raise_status(unsigned* status, StatusBit bit) {
  static_cast<volatile unsigned*>(status)[bit - 1] = bit;
}

}  // namespace echelon
