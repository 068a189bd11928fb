// tests/support/failing_new.hpp -- an operator new that counts, and can fail on request.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace echelon::test {

// Number of allocations that succeed before one fails; negative: none fails.
extern std::atomic<long> allocations_left;
// Number of allocations so far.
extern std::atomic<long> allocations_made;

}  // namespace echelon::test
