// exec/patience.hpp -- how long a kernel waits, as its clock counts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>

namespace echelon {

// Nanoseconds; 0: for ever.  Of whatever `ms` is, infinity too, it fits, and can be added to what a
// GPU's clock shows (nanoseconds since 1970) without overflow; what is not 0 does not become 0.
inline std::uint64_t nanoseconds_of(double ms) {
  constexpr double most = 1e18;  // 31 years
  if (!(ms > 0)) return 0;
  return static_cast<std::uint64_t>(std::clamp(ms * 1e6, 1.0, most));
}

}  // namespace echelon
