// exec/mpi/mpi_exchange.hpp -- the base class of the engines that exchange the messages of a pass
// over MPI.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <random>
#include <vector>

#include "distributed/communicator.hpp"
#include "echelon/mpi.hpp"

namespace echelon {

// A message in memory, in words of eight bytes: its subject, the numbers, and space for a checksum.
struct MessageShape {
  static constexpr Offset head = 1, tail = 1;
  template <class T>
  static Offset words(Offset numbers) {
    return head + (numbers * Offset{sizeof(T)} + 7) / 8 + tail;
  }
  static std::uint64_t encode(std::uint64_t pass, Subject about) {
    return pass << 32 | static_cast<std::uint64_t>(about.supernode) << 1 |
           static_cast<std::uint64_t>(about.sum);
  }
  static Subject decode(std::uint64_t word) {
    return {static_cast<Index>((word & 0xffffffffu) >> 1), (word & 1) != 0};
  }
};

template <Scalar T>
class MpiExchange : public Exchange<T> {
 public:
  // Passes are over each plan, forwards and backwards.
  MpiExchange(Communicator& comm, std::vector<const LocalPlan*> plans, Index rhs_per_pass,
              double shake_us);

  // Collective, once all ranks have constructed theirs: exchanges the layout of buffers.
  virtual void open() {}
  // Begins a pass over plans[plan]; the same on all ranks.
  void begin(Index plan, Sweep sweep, Index count);
  // This rank has received all its messages; completes its own sends.
  virtual void end() = 0;
  virtual Offset window_bytes() const { return 0; }

  void send(Index to, Subject about, const T* values, Index width, Index count, Offset ld) final;
  void wait() final;

 protected:
  virtual void begin_pass() = 0;
  // Sends a message of `words` words, which stay unchanged until the end of the pass.
  virtual void post(Index to, std::uint64_t* message, Offset words) = 0;
  // Lets MPI make progress.
  virtual void make_progress() = 0;
  // Completes the sends so far: other ranks may wait for them.
  virtual void push_out() {}

  // The words of the longest message, and of all messages of one pass to or from a rank; with
  // `rhs_per_pass` vectors.
  Offset longest() const;
  Offset most_words(const Traffic& traffic, Index rank) const;
  const PassTraffic& traffic() const { return traffic_[kind_]; }
  const LocalPlan& plan() const { return *plans_[kind_ / 2]; }
  void arrived() { idle_ = 0; }

  Communicator& comm_;
  const std::vector<const LocalPlan*> plans_;
  const Index rhs_per_pass_;
  std::vector<PassTraffic> traffic_;  // by kind: 2 * plan + way
  Index kind_ = 0;
  Index count_ = 1;
  std::uint64_t pass_ = 0;  // counted from 1

 private:
  void shake();

  Lent<std::vector<std::uint64_t>> arena_;  // messages of this pass
  Offset used_ = 0;
  int idle_ = 0;
  Timer since_;
  double shake_us_;
  std::mt19937 draw_;
};

template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_exchange(Engine engine, Communicator& comm,
                                              std::vector<const LocalPlan*> plans,
                                              Index rhs_per_pass, double shake_us);
template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_two_sided(Communicator& comm,
                                               std::vector<const LocalPlan*> plans,
                                               Index rhs_per_pass, double shake_us);
// `counts`: a counter, not a checksum, signals that a message has arrived.
template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_queues(bool counts, Communicator& comm,
                                            std::vector<const LocalPlan*> plans, Index rhs_per_pass,
                                            double shake_us);

}  // namespace echelon
