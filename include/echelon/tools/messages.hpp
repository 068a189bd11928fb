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
  Index largest = 65536;  // bytes of a message; from 8 on, by powers of two
  Index repeats = 21;     // passes of 32 messages, of which the median is taken
  double timeout_s = 60;  // without a message for so long it is given up; 0: never
};
// Between rank 0 and another, to and fro.
struct MessageTimes {
  Index other = 1;
  bool same_node = true;
  std::vector<double> bytes;      // numbers in it; what the engine adds is not counted
  std::vector<double> seconds;    // half of the way there and back
  std::vector<double> send_s;     // inside the call that sends,
  std::vector<double> receive_s;  // and inside the one that brings it
  std::vector<double> look_s;     // inside one that brings nothing
};
// Collective, the same on all ranks: with the first rank on the node of rank 0, and with the first
// on another, where there are such.  The others sleep.  Throws bad_argument for one rank,
// backend_failed; after that the ranks need not be at the same place.
std::vector<MessageTimes> measure_messages(MPI_Comm comm, Engine engine,
                                           const PingPongOptions& o = {});
// A barrier that leaves the core to others.
void wait_asleep(MPI_Comm comm);

// --- Between GPUs, in echelon_nvshmem.

// Who puts a message: all threads of a block, as answers are sent in design coupled, or one thread,
// as sums are.
enum class PutBy { block, thread };
// As measure_messages: a put, a signal after it, and a thread block that waits for that, to and fro
// by the clock of the GPU.  What keeps both busy is not measured.  Throws backend_missing,
// backend_failed when a kernel has waited for two seconds.
std::vector<MessageTimes> measure_puts(MPI_Comm comm, PutBy by, const PingPongOptions& o = {});

}  // namespace echelon
#pragma GCC visibility pop
