// echelon/tools/messages.hpp -- measures what messages between MPI ranks and between GPUs take, for
// the models of machines.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after mpi.hpp and machine.hpp.  The libraries echelon_mpi and echelon_nvshmem.
#pragma once

#include <mpi.h>

#include <vector>

#include "echelon/mpi.hpp"

#pragma GCC visibility push(default)
namespace echelon {

struct PingPongOptions {
  Index largest = 65536;  // bytes per message; the sizes are powers of two from 8
  Index repeats = 21;     // passes of 32 messages; the median counts
  double timeout_s = 60;  // the call fails after so long without a message; 0: never
};
// Messages between rank 0 and another rank, in both directions in turn.
struct MessageTimes {
  Index other = 1;
  bool same_node = true;
  std::vector<double> bytes;      // of the values, without what the engine adds
  std::vector<double> seconds;    // half of a round trip
  std::vector<double> send_s;     // in the call that sends
  std::vector<double> receive_s;  // in the poll that receives a message
  std::vector<double> poll_s;     // in a poll that receives nothing
};
// Collective; the same result on all ranks.  Measures with the first other rank on the node of rank
// 0 and with the first rank on another node, if they exist.  The other ranks sleep.  Throws
// bad_argument for one rank, and backend_failed; the communicator must not be used after that.
std::vector<MessageTimes> measure_messages(MPI_Comm comm, Engine engine,
                                           const PingPongOptions& o = {});
// A barrier in which the waiting ranks sleep.
void wait_asleep(MPI_Comm comm);

// --- Between GPUs, in echelon_nvshmem.

// The threads that put a message: a whole block, as design coupled sends answers, or one thread, as
// it sends sums.
enum class PutBy { block, thread };
// As measure_messages: a put with a signal, and a thread block that waits for the signal, in both
// directions in turn, by the clock of the GPU.  send_s and receive_s are not measured.  Throws
// backend_missing; backend_failed if a kernel waits for two seconds.
std::vector<MessageTimes> measure_puts(MPI_Comm comm, PutBy by, const PingPongOptions& o = {});

}  // namespace echelon
#pragma GCC visibility pop
