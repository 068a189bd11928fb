// exec/mpi/measure_pairs.hpp -- what all ping-pongs share: who plays, and that all know the result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "echelon/mpi.hpp"
#include "exec/mpi/communicator.hpp"

namespace echelon {

// Collective.  Rank 0 with the first rank of its node, and with the first one of another, where
// there are such: measure(times) is called by all ranks, with `other` and `bytes` filled in, and
// fills in the rest on rank 0.  Throws bad_argument.
std::vector<MessageTimes> measure_pairs(Communicator& ranks, const PingPongOptions& o,
                                        const std::function<void(MessageTimes&)>& measure);

// Collective.  Runs body on rank 0 and on `other`; the rest sleep until both are through.  Throws
// on all ranks.
void run_asleep(Communicator& comm, Index other, const std::function<void()>& body);

}  // namespace echelon
