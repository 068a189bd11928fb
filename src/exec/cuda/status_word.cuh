// exec/cuda/status_word.cuh -- what a kernel has to say to the host besides its answers.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace echelon {

enum StatusBit : unsigned {
  status_not_finite = 1,
  status_gave_up = 2,  // a wait inside a kernel took too long; the answers are not all there
};
constexpr int status_words = 2;  // one a bit: plain stores, which need no atomics over the bus

// `status` is DeviceStatus::device(): the word of each bit is all zero or that bit.
__device__ inline void raise_status(unsigned* status, StatusBit bit) {
  static_cast<volatile unsigned*>(status)[bit - 1] = bit;
}

}  // namespace echelon
