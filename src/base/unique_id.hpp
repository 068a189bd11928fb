// base/unique_id.hpp -- ids that no two objects of a process ever share; an address may be reused.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace echelon {

inline std::uint64_t unique_id() {
  static std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace echelon
