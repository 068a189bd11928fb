// tests/support/failing_new.hpp -- an operator new that counts, and can be made to fail.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace echelon::test {

// Allocations of the program that still succeed before one fails; negative: none fails.
extern std::atomic<long> allocations_left;
// Allocations of the program so far.
extern std::atomic<long> allocations_made;

}  // namespace echelon::test
