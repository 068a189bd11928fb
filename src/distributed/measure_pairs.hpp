// distributed/measure_pairs.hpp -- the common part of all ping-pong benchmarks: the choice of the
// two ranks, and the broadcast of the result.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include "distributed/communicator.hpp"
#include "echelon/tools/messages.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// Collective.  Pairs rank 0 with the first other rank of its node, and with the first rank of
// another node, if they exist.  All ranks call measure(times) with `other` and `bytes` set; it
// fills in the rest on rank 0.  Throws bad_argument.
std::vector<MessageTimes> measure_pairs(Communicator& ranks, const PingPongOptions& o,
                                        const std::function<void(MessageTimes&)>& measure);

// Collective.  Runs body on rank 0 and on `other`; the other ranks sleep until both return.  Throws
// on all ranks.
void run_asleep(Communicator& comm, Index other, const std::function<void()>& body);

}  // namespace echelon
#pragma GCC visibility pop
