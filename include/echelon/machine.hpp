// echelon/machine.hpp -- a machine as the models see it: what reading, waiting and messages cost.
// SPDX-License-Identifier: BSD-3-Clause
//
// Steer it.  Comes after types.hpp; feeds forecast.hpp.
//
// A machine is a small text file.  A line is a key and its words, '#' begins a comment, numbers are
// seconds, bytes and bytes a second:
//
//   name         Cori KNL
//   kind         cpu
//   node_ranks   64                                       # that share a node
//   read_alone   262144:6.1e9 16777216:5.2e9              # bytes a second of one rank, by the
//   read_shared  262144:6.1e9 16777216:1.3e9              # bytes it reads over and over
//   task_s       3e-7
//   message      payload network 8:1.4e-6 1024:1.9e-6     # seconds, by bytes
//   busy         payload network 3e-7 2e-7 3e-8           # of that, sender and receiver; a look
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// A measured curve: y at rising x.  Between two points by the logarithm of x; beyond them the
// nearest.
struct Curve {
  std::vector<double> x, y;

  bool empty() const { return x.empty(); }
  double at(double place) const;
};

// Messages from one rank to another, as a ping-pong finds them.
struct MessageCost {
  Curve seconds;         // by bytes, powers of two: from the call that sends to the answer seen
  double send_s = 0;     // of that, what keeps the sender busy,
  double receive_s = 0;  // and the receiver
  double look_s = 0;     // of a look that finds none, which a rank does between its tasks

  // Of the smallest message, and what a larger one takes beyond it.  Sizes count as the next power
  // of two; beyond the last point at the speed between the last two.
  double latency_s() const { return seconds.empty() ? 0 : seconds.y.front(); }
  double transfer_s(double bytes) const;
  double time(double bytes) const { return latency_s() + transfer_s(bytes); }
};

// Two ranks are on one node or on two.
struct Messages {
  MessageCost node, network;
};

enum class MachineKind {
  cpu,  // a rank is a core
  gpu,  // a rank is a GPU
};

struct Machine {
  std::string name;
  std::string source;  // where its numbers come from
  MachineKind kind = MachineKind::cpu;
  Index node_ranks = 1;                      // ranks that share a node
  std::map<std::string, Messages> messages;  // by engine: payload, counter, two_sided, put_signal

  // Reading: bytes a second of one rank, by the bytes it reads over and over.  `alone`: others of
  // the node are idle; `shared`: all of them read.
  Curve read_alone, read_shared;
  // Tasks: a sum (of a supernode, its diagonal block included) or a product (all blocks of a rank
  // in one column).  A pass of one rank that never waits takes task_s for each, row_s for each row
  // of a product (once: the sum it is added to is in there), and what reading its values takes.
  double task_s = 0;  // of a sum or of a product, each, besides what it reads
  double row_s = 0;   // of a row of a product besides its entries

  // One process: threads of a CPU, thread blocks of a GPU.
  double wake_s = 0;     // of a solve before its first task: a team of threads, a launch
  double hop_s = 0;      // from a number written by one thread, or block, to another that waits
  double barrier_s = 0;  // of all threads; of a GPU, a launch for each level

  // Of a GPU: what one thread block reads at least and at most, and how many reach all there is.
  double block_least = 0, block_most = 0;
  Index blocks = 1;

  // What one of `ranks` ranks on a node reads a second when it reads so many bytes again and again.
  double read_speed(double bytes, Index ranks) const;
  // Throws bad_argument that names the machine's engines.
  const MessageCost& message(const std::string& engine, bool same_node) const;
};

// Throws bad_file that names the file, the line and the key.
Machine read_machine(const std::string& path);
Machine read_machine(std::istream& in, const std::string& name);
void write_machine(std::ostream& out, const Machine& machine);

// Those that come with the library, by name ("cori-knl"), and one of them.  Throws bad_argument.
std::vector<std::string> known_machines();
Machine known_machine(const std::string& name);

}  // namespace echelon
#pragma GCC visibility pop
