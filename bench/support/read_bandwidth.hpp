// bench/support/read_bandwidth.hpp -- how fast this machine reads memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/types.hpp"

namespace echelon::bench {

// Bytes a second that so many threads read together: sums over 512 MiB, shared out among them
// and first touched by those who read them; the best of several.  Takes a fraction of a second.
double read_bandwidth(Index threads);

}  // namespace echelon::bench
