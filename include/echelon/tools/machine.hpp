// echelon/tools/machine.hpp -- a machine as the models see it: the cost of reading, waiting and
// messages.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after types.hpp; feeds forecast.hpp.
//
// A machine is a small text file.  A line is a key and its values, '#' begins a comment; units are
// seconds, bytes and bytes per second:
//
//   name         Cori KNL
//   kind         cpu
//   node_ranks   64                                       # ranks per node
//   read_alone   262144:6.1e9 16777216:5.2e9              # bytes per second of one rank, by the
//   read_shared  262144:6.1e9 16777216:1.3e9              # bytes it reads repeatedly
//   task_s       3e-7
//   message      payload network 8:1.4e-6 1024:1.9e-6     # seconds, by bytes
//   busy         payload network 3e-7 2e-7 3e-8           # seconds: sender, receiver, empty poll
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A measured curve: y at rising x.  Interpolated in the logarithm of x; constant beyond both ends.
struct Curve {
  std::vector<double> x, y;

  bool empty() const { return x.empty(); }
  double at(double place) const;
};

// Message times between two ranks, measured by ping-pong.
struct MessageCost {
  Curve seconds;         // by bytes, powers of two: from the send call to the answer seen
  double send_s = 0;     // of that, the time that the sender is busy,
  double receive_s = 0;  // and the receiver
  double poll_s = 0;     // of a poll without result, which a rank does between tasks

  // Time of the smallest message, and the extra time of a larger one.  Sizes are rounded up to a
  // power of two; beyond the last point, extrapolated with the bandwidth between the last two.
  double latency_s() const { return seconds.empty() ? 0 : seconds.y.front(); }
  double transfer_s(double bytes) const;
  double time(double bytes) const { return latency_s() + transfer_s(bytes); }
};

// Both ranks on one node, or on two nodes.
struct Messages {
  MessageCost node, network;
};

enum class MachineKind {
  cpu,  // a rank is a core
  gpu,  // a rank is a GPU
};
constexpr auto names(MachineKind) {
  return name_table<MachineKind>({{MachineKind::cpu, "cpu"}, {MachineKind::gpu, "gpu"}});
}

struct Machine {
  std::string name;
  std::string source;  // origin of the numbers
  MachineKind kind = MachineKind::cpu;
  Index node_ranks = 1;                      // ranks per node
  std::map<std::string, Messages> messages;  // by engine: payload, counter, two_sided, put_signal

  // Bytes per second of one rank, as a function of the bytes it reads repeatedly.  `alone`: the
  // other ranks of the node are idle; `shared`: all of them read.
  Curve read_alone, read_shared;
  // A task is a sum (of a supernode, with its diagonal block) or a product (all blocks of a rank in
  // one column).  A pass of one rank that never waits takes task_s per task, row_s per row of a
  // product (including its share of the sum), and the time to read the values.
  double task_s = 0;  // per sum or product, besides reading
  double row_s = 0;   // per row of a product, besides its entries

  // One process: threads of a CPU, thread blocks of a GPU.
  double wake_s = 0;     // start of a solve: wake a team of threads, or a launch
  double hop_s = 0;      // from a write by one thread (or thread block) to another that polls
  double barrier_s = 0;  // of all threads; on a GPU, a launch per level

  // GPU: bytes per second of one thread block, least and most, and the number of thread blocks that
  // reach the full bandwidth.
  double block_least = 0, block_most = 0;
  Index blocks = 1;

  // Bytes per second of one of `ranks` ranks on a node that repeatedly read `bytes` bytes each.
  double read_speed(double bytes, Index ranks) const;
  // Throws bad_argument that lists the machine's engines.
  const MessageCost& message(const std::string& engine, bool same_node) const;
};

// Throws bad_file that names the file, the line and the key.
Machine read_machine(const std::string& path);
Machine read_machine(std::istream& in, const std::string& name);
void write_machine(std::ostream& out, const Machine& machine);

// The names of the machines that come with the library ("cori-knl"), and the machine of a name.
// Throws bad_argument.
std::vector<std::string> known_machines();
Machine known_machine(const std::string& name);

}  // namespace echelon
#pragma GCC visibility pop
