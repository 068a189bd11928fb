// cli/rank_calibrate.cpp -- calibrate on several ranks: rank 0 alone, then its node, then messages.
// SPDX-License-Identifier: BSD-3-Clause
#include "rank_calibrate.hpp"

#include "out_file.hpp"
#include "rank_run.hpp"

namespace echelon::cli {
namespace {

// The ranks that share a node with this one.
class Node {
 public:
  Node() {
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, this_rank(), MPI_INFO_NULL, &comm_);
    MPI_Comm_size(comm_, &size_);
    int first = this_rank();
    MPI_Bcast(&first, 1, MPI_INT, 0, comm_);
    is_first_ = first == 0;
  }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() { MPI_Comm_free(&comm_); }

  MPI_Comm get() const { return comm_; }
  int size() const { return size_; }
  bool has_rank_0() const { return is_first_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int size_ = 1;
  bool is_first_ = false;
};

// Average read bandwidth per rank while all ranks of the node read; result on rank 0.
Curve read_together(const Node& node, CalibrateOptions o) {
  o.largest = std::min(o.largest, o.largest_shared / node.size());
  const Curve mine = measure_reading(o, [&] { MPI_Barrier(node.get()); });
  Curve mean = mine;
  MPI_Reduce(mine.y.data(), mean.y.data(), static_cast<int>(mine.y.size()), MPI_DOUBLE, MPI_SUM, 0,
             node.get());
  for (double& speed : mean.y) speed /= node.size();
  return mean;
}

MessageCost cost_of(const MessageTimes& times) {
  MessageCost cost{{times.bytes, times.seconds}, 0, 0, 0};
  // One value for all sizes, from the sizes that solves send most: up to 1 KiB.
  std::vector<double> send, receive, poll;
  for (std::size_t k = 0; k < times.bytes.size() && times.bytes[k] <= 1024; ++k) {
    send.push_back(times.send_s[k]);
    receive.push_back(times.receive_s[k]);
    poll.push_back(times.poll_s[k]);
  }
  cost.send_s = find_spread(send).median;
  cost.receive_s = find_spread(receive).median;
  cost.poll_s = find_spread(poll).median;
  return cost;
}

}  // namespace

CLI::App* add_rank_calibrate(CLI::App& program, CalibrateRequest& request) {
  CLI::App* const app = program.add_subcommand(
      "calibrate", "measure this machine and its messages, and write it as a machine file");
  add_calibrate_flags(*app, request);
  return app;
}

void run_rank_calibrate(const CalibrateRequest& request, const RankMeasures& measures) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2)
    throw UsageError("calibrate needs two ranks: mpirun -n 2 " + measures.program + " calibrate");
  Machine machine;
  if (this_rank() != 0) wait_asleep(MPI_COMM_WORLD);
  on_root([&] {
    try {
      check_out(request.out);
      machine = measures.alone();
    } catch (...) {
      wait_asleep(MPI_COMM_WORLD);
      throw;
    }
    wait_asleep(MPI_COMM_WORLD);
  });
  const Node node;
  machine.node_ranks = node.size();
  machine.read_shared = {};
  std::optional<RankPhase> phase(std::in_place, "measuring the read bandwidth of all ranks");
  if (measures.reads_together && node.has_rank_0() && node.size() > 1)
    machine.read_shared = at_most(read_together(node, request.options()), machine.read_alone);
  wait_asleep(MPI_COMM_WORLD);
  phase.emplace("measuring messages");
  const PingPongOptions messages{.repeats = request.quick ? 3 : 21};
  for (const auto& [engine, measure] : measures.carriers)
    for (const MessageTimes& times : or_strand([&, &run = measure] { return run(messages); })) {
      Messages& both = machine.messages[engine];
      (times.same_node ? both.node : both.network) = cost_of(times);
    }
  phase.reset();
  on_root([&] {
    machine.name = name_machine(machine.name, machine.node_ranks, "rank") + " per node";
    report_machine(request, machine, measures.program);
  });
}

}  // namespace echelon::cli
