// exec/mpi/measure_messages.cpp -- measures message times between two ranks: a ping-pong with the
// engines of the solver.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A chain of supernodes whose diagonal blocks alternate between the two ranks.  A pass
// sends one message per supernode except the first, and no message leaves before the previous one
// has arrived.  The number of supernodes is odd, so the last message returns to the rank of the
// first, and one rank's clock times all of them.  One chain per message size.
//
// The engine spans all ranks of the communicator, as in a solver, so that MPI uses the same
// transport.  All other ranks sleep.
#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>

#include "base/timer.hpp"
#include "distributed/checksum.hpp"
#include "distributed/measure_pairs.hpp"
#include "distributed/rank_options.hpp"
#include "echelon/tools/messages.hpp"
#include "exec/mpi/mpi_exchange.hpp"

namespace echelon {
namespace {

constexpr Index hops = 32;  // messages per pass; even

// The time of two clock reads.
double measure_clock() {
  std::vector<double> seconds(1001);
  for (double& one : seconds) {
    const Timer timer;
    one = timer.seconds();
  }
  return median(seconds);
}

// Supernodes of one width, each with all rows of the next, alternating between rank 0 and `other`.
LocalPlan make_chain(const Communicator& comm, Index other, Index width) {
  Supernodes s;
  BlockMap map{{1, comm.size()}, Buffer<Index>(hops + 1, 0), Buffer<Index>(hops + 1, 0)};
  s.n = (hops + 1) * width;
  for (Index k = 0; k <= hops; ++k) {
    s.first.push_back((k + 1) * width);
    for (Index i = 0; k < hops && i < width; ++i) s.row.push_back(s.first.back() + i);
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
    map.col[k] = k % 2 == 0 ? 0 : other;
  }
  return make_local_plan(s, map, comm.rank(), TreeShape::flat);
}

// Times of one pass on one rank.
struct PassTime {
  double hop_s = 0, send_s = 0, receive_s = 0, poll_s = 0;
};

class PingPong {
 public:
  PingPong(Communicator& comm, Engine engine, Index other, const std::vector<double>& bytes)
      : comm_(comm), peer_(comm.rank() == 0 ? other : 0) {
    for (const double size : bytes)
      plans_.push_back(make_chain(comm, other, static_cast<Index>(size / sizeof(double))));
    std::vector<const LocalPlan*> plans;
    for (const LocalPlan& plan : plans_) plans.push_back(&plan);
    values_.resize(static_cast<std::size_t>(bytes.back()) / sizeof(double));
    exchange_ = make_exchange<double>(engine, comm, plans, 1, 0);
    exchange_->open();
  }

  // Runs on each of the two ranks.  `busy`: reads the clock around each call, which takes time
  // itself.
  PassTime run(Index plan, bool busy) {
    PassTime time;
    const auto width = static_cast<Index>(plans_[static_cast<std::size_t>(plan)].first[1]);
    exchange_->begin(plan, Sweep::forward, 1);
    const Timer timer;
    for (Index k = 1; k <= hops; ++k) {
      // The product with column k-1 goes to the diagonal block of k.
      if ((k % 2 == 1) == (comm_.rank() == 0))
        time.send_s += send(k, width, busy);
      else
        time.receive_s += receive(k, width, busy, time.poll_s);
    }
    time.hop_s = timer.seconds() / hops;
    exchange_->end();
    time.send_s /= 0.5 * hops;
    time.receive_s /= 0.5 * hops;
    return time;
  }

 private:
  double send(Index k, Index width, bool busy) {
    values_[0] = values_[static_cast<std::size_t>(width) - 1] = k;
    if (!busy) {
      exchange_->send(peer_, {k, true}, values_.data(), width, 1, width);
      return 0;
    }
    const Timer timer;
    exchange_->send(peer_, {k, true}, values_.data(), width, 1, width);
    return timer.seconds();
  }
  // Returns the time of the call that receives the message; `poll` is set to that of the last poll
  // without one.
  double receive(Index k, Index width, bool busy, double& poll) {
    Arrival<double> arrival;
    double seconds = 0;
    if (busy)
      for (;; exchange_->wait()) {
        const Timer timer;
        const bool is_here = exchange_->receive(arrival);
        seconds = timer.seconds();
        if (is_here) break;
        poll = seconds;
      }
    else
      while (!exchange_->receive(arrival)) exchange_->wait();
    if (arrival.about.supernode != k || arrival.from != peer_ || arrival.values[0] != k ||
        arrival.values[width - 1] != k)
      throw Error(ErrorCode::backend_failed, "message " + std::to_string(k) + " from rank " +
                                                 std::to_string(peer_) + " is not what was sent");
    return seconds;
  }

  Communicator& comm_;
  Index peer_;
  std::vector<LocalPlan> plans_;
  std::vector<double> values_;
  std::unique_ptr<MpiExchange<double>> exchange_;
};

// Measures on rank 0, and answers on the other rank.
void run_pair(PingPong& pair, Index repeats, MessageTimes& times) {
  const double clock = measure_clock();
  for (std::size_t size = 0; size < times.bytes.size(); ++size) {
    std::vector<double> hop, send, receive, poll;
    for (Index k = -1; k < repeats; ++k) {  // the first is a warm-up
      const PassTime plain = pair.run(static_cast<Index>(size), false);
      const PassTime busy = pair.run(static_cast<Index>(size), true);
      if (k < 0) continue;
      hop.push_back(plain.hop_s);
      send.push_back(std::max(busy.send_s - clock, 0.0));
      receive.push_back(std::max(busy.receive_s - clock, 0.0));
      poll.push_back(std::max(busy.poll_s - clock, 0.0));
    }
    times.seconds[size] = median(hop);
    times.send_s[size] = median(send);
    times.receive_s[size] = median(receive);
    times.poll_s[size] = median(poll);
  }
}

void measure_pair(Communicator& comm, Engine engine, Index repeats, MessageTimes& times) {
  const Call setup(comm, Communicator::setup_timeout_factor);
  std::optional<PingPong> pair;
  comm.all_succeed([&] { pair.emplace(comm, engine, times.other, times.bytes); });
  run_asleep(comm, times.other, [&] { run_pair(*pair, repeats, times); });
}

// The first other rank on the node of rank 0, and the first on another node; -1: none.
struct Others {
  Index near = -1, far = -1;
};
Others find_others(Communicator& comm) {
  // The lowest rank of a node identifies the node.
  const std::vector<Index> node = comm.gather(comm.first_here(), "all ranks to say where they are");
  Others others;
  for (Index r = comm.size() - 1; r > 0; --r) (node[r] == node[0] ? others.near : others.far) = r;
  return others;
}

// Broadcasts rank 0's results.
void share(Communicator& comm, std::vector<double>& list) {
  std::array<double, 32> numbers{};  // at most one size per bit of an Index
  std::copy(list.begin(), list.end(), numbers.begin());
  const auto all = comm.gather(numbers, "what rank 0 has measured");
  std::copy_n(all.front().begin(), list.size(), list.begin());
}

}  // namespace

void run_asleep(Communicator& comm, Index other, const std::function<void()>& body) {
  const bool takes_part = comm.rank() == 0 || comm.rank() == other;
  const Call call(comm, takes_part ? 1 : Communicator::setup_timeout_factor);
  comm.set_asleep(!takes_part);
  comm.all_succeed([&] {
    if (takes_part) body();
  });
  comm.set_asleep(false);
}

void wait_asleep(MPI_Comm comm) {
  MPI_Request request;
  check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  for (int done = 0;;) {
    check_mpi(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::vector<MessageTimes> measure_pairs(Communicator& ranks, const PingPongOptions& o,
                                        const std::function<void(MessageTimes&)>& measure) {
  ranks.all_succeed([&] {
    if (ranks.size() < 2)
      throw Error(ErrorCode::bad_argument, "messages need two ranks at least; there is one");
    if (o.repeats < 1 || o.largest < 8)
      throw Error(ErrorCode::bad_argument, "a ping-pong is of 8 bytes and one repeat at least");
    check_timeout(o.timeout_s);
  });
  ranks.require_same(
      mix(static_cast<std::uint64_t>(o.repeats), static_cast<std::uint64_t>(o.largest)),
      "the options of a ping-pong");
  MessageTimes times;
  for (Offset size = 8; size <= o.largest; size *= 2)
    times.bytes.push_back(static_cast<double>(size));
  for (auto* const list : {&times.seconds, &times.send_s, &times.receive_s, &times.poll_s})
    list->resize(times.bytes.size());
  std::vector<MessageTimes> all;
  const Others others = find_others(ranks);
  for (const Index other : {others.near, others.far}) {
    if (other < 0) continue;
    times.other = other;
    times.same_node = other == others.near;
    measure(times);
    for (auto* const list : {&times.seconds, &times.send_s, &times.receive_s, &times.poll_s})
      share(ranks, *list);
    all.push_back(times);
  }
  return all;
}

std::vector<MessageTimes> measure_messages(MPI_Comm comm, Engine engine, const PingPongOptions& o) {
  Communicator ranks(comm, o.timeout_s);
  return measure_pairs(ranks, o,
                       [&](MessageTimes& times) { measure_pair(ranks, engine, o.repeats, times); });
}

}  // namespace echelon
