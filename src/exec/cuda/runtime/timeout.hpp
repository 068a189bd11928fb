// exec/cuda/runtime/timeout.hpp -- converts a timeout in milliseconds for kernels.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace echelon {

// Nanoseconds; 0: no timeout.  Any `ms` is valid, also infinity: the result plus the GPU's clock
// (nanoseconds since 1970) does not overflow, and a positive `ms` does not become 0.
inline std::uint64_t nanoseconds_of(double ms) {
  constexpr double most = 1e18;  // 31 years
  if (!(ms > 0)) return 0;
  return static_cast<std::uint64_t>(std::clamp(ms * 1e6, 1.0, most));
}

}  // namespace echelon
