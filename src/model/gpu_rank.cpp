// model/gpu_rank.cpp -- simulates a rank that is a GPU: thread blocks that take ready tasks.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A task is a piece of a diagonal block or of a product.  Ready tasks wait for a thread
// block, lower levels first.  A thread block reads with its share of the GPU's speed at the start
// of the task.  Messages are received when they arrive: some thread block always polls.
#include <algorithm>
#include <cmath>

#include "model/simulation.hpp"

namespace echelon {
namespace {

class GpuRank final : public SimulatedRank {
 public:
  GpuRank(World& world, Index rank) : SimulatedRank(world, rank) {
    free_ = std::max<Index>(world.machine.blocks, 1);
    solves_.assign(static_cast<std::size_t>(plan_.nodes()), 0);
    for (Index c = 0; c < plan_.nodes(); ++c) rows_left_.push_back(plan_.height(c));
    for (const LocalPlan::Block& b : plan_.block) block_left_.push_back(b.end - b.begin);
  }

  void start() override {
    now_ = world_.machine.wake_s;
    chain_.compute_s = now_;
    times_.end_s = now_;
    for (Index c = 0; c < plan_.nodes(); ++c)
      if (needs_[c] == 0 && plan_.diagonal[c] >= 0) complete(c);
    dispatch();
  }

  void arrive(const SimulatedMessage& message) override {
    messages_.push_back(message);
    world_.at(message.arrival_s, plan_.rank, -static_cast<Offset>(messages_.size()));
  }

  void event(double now_s, Offset what) override {
    now_ = now_s;
    if (what < 0) {
      const SimulatedMessage& m = messages_[static_cast<std::size_t>(-what) - 1];
      chain_ = m.chain;
      const Index c = plan_.local_of[m.supernode];
      world_.note(plan_.rank, Doing::receive, m.supernode, now_, now_);
      if (m.sum)
        one_less(c);
      else
        publish(c);
    } else {
      const Task task = running_[static_cast<std::size_t>(what)];
      vacant_.push_back(what);
      ++free_;
      chain_ = task.chain;
      if (task.product)
        multiplied(task);
      else
        solved(task.node);
    }
    dispatch();
    if (left_ == 0 && times_.end_s < now_) {
      times_.end_s = now_;
      last_ = chain_;
    }
    if (left_ == 0) chain_ = last_;
  }

 private:
  struct Task {
    Index key;
    Offset order;
    Index node;
    bool product;
    double bytes;
    Offset begin, end;  // rows
    Chain chain;
    double since_s;
    bool operator>(const Task& t) const { return key != t.key ? key > t.key : order > t.order; }
  };

  void ready(Index c, bool product, double bytes, Offset begin, Offset end) {
    const Index turn = world_.level[supernode(c)];
    waiting_.push({2 * turn + static_cast<Index>(product), order_++, c, product, bytes, begin, end,
                   chain_, now_});
  }
  void dispatch() {
    const Machine& m = world_.machine;
    for (; free_ > 0 && !waiting_.empty(); waiting_.pop()) {
      Task task = waiting_.top();
      --free_;
      const Index active = std::max<Index>(m.blocks, 1) - free_;
      const double rate = m.block_most > 0 ? std::min(m.block_most, speed_ / active) : speed_;
      const double busy =
          m.task_s + task.bytes / rate + static_cast<double>(task.end - task.begin) * m.row_s;
      world_.note(plan_.rank, task.product ? Doing::product : Doing::sum, supernode(task.node),
                  now_, now_ + busy);
      times_.compute_s += busy / std::max<Index>(m.blocks, 1);
      task.chain.compute_s += now_ - task.since_s + busy;  // while it waited, others computed
      Offset place = static_cast<Offset>(running_.size());
      if (vacant_.empty()) {
        running_.push_back(task);
      } else {
        place = vacant_.back();
        vacant_.pop_back();
        running_[static_cast<std::size_t>(place)] = task;
      }
      world_.at(now_ + busy, plan_.rank, place);
    }
  }

  void one_less(Index c) {
    if (--needs_[c] > 0) return;
    if (plan_.diagonal[c] >= 0) return complete(c);
    --left_;
    send(sums_.parent[c], c, true);
  }
  void complete(Index c) { solves_[c] = cut(c, false, diagonal_bytes(c), 0, plan_.width(c)); }
  void solved(Index c) {
    if (--solves_[c] > 0) return;
    --left_;
    publish(c);
  }
  void send(Index to, Index c, bool sum) {
    world_.post({plan_.rank, to, supernode(c), sum}, now_, link_free_s_, chain_);
  }
  void publish(Index c) {
    for (const Index to : answers_.children(c)) send(to, c, false);
    if (forwards_) return multiply(c, plan_.row_start[c], plan_.row_start[c + 1]);
    for (Index k = plan_.in_row_start[c]; k < plan_.in_row_start[c + 1]; ++k) {
      const LocalPlan::Block& b = plan_.block[plan_.in_row[k]];
      multiply(b.column, b.begin, b.end);
    }
  }
  void multiply(Index c, Offset begin, Offset end) {
    cut(c, true, static_cast<double>(end - begin) * row_bytes(c), begin, end);
  }
  // Queues pieces for several thread blocks; returns the number of pieces.
  Index cut(Index c, bool product, double bytes, Offset begin, Offset end) {
    if (begin == end) return 0;
    const auto piece = static_cast<double>(world_.options.piece_bytes);
    const Index wanted =
        piece > 0 ? std::max<Index>(1, static_cast<Index>(std::lround(bytes / piece))) : 1;
    const auto pieces = static_cast<Index>(std::min<Offset>(wanted, end - begin));
    for (Index k = 0; k < pieces; ++k)
      ready(c, product, bytes / pieces, begin + (end - begin) * k / pieces,
            begin + (end - begin) * (k + 1) / pieces);
    return pieces;
  }
  // Rows [begin, end) of a column are multiplied.  Forwards a block is done when all its rows are;
  // backwards the column is.
  void multiplied(const Task& task) {
    const Index c = task.node;
    rows_left_[c] -= task.end - task.begin;
    if (rows_left_[c] == 0) --left_;
    if (!forwards_) {
      if (rows_left_[c] == 0) one_less(c);
      return;
    }
    const auto first = plan_.block.begin() + plan_.block_start[c];
    const auto last = plan_.block.begin() + plan_.block_start[c + 1];
    auto b = std::upper_bound(first, last, task.begin,
                              [](Offset row, const LocalPlan::Block& o) { return row < o.end; });
    for (; b != last && b->begin < task.end; ++b) {
      Offset& left = block_left_[b - plan_.block.begin()];
      left -= std::min(b->end, task.end) - std::max(b->begin, task.begin);
      if (left == 0) one_less(b->row);
    }
  }

  std::priority_queue<Task, std::vector<Task>, std::greater<>> waiting_;
  std::vector<Task> running_;
  std::vector<Offset> vacant_;  // free places of `running_`
  std::vector<SimulatedMessage> messages_;
  std::vector<Index> solves_;                   // by node: unfinished pieces of its diagonal block
  std::vector<Offset> rows_left_, block_left_;  // rows to multiply, by column and block
  Index free_ = 1;
  Offset order_ = 0;
  double now_ = 0;
  Chain last_;
};

}  // namespace

std::unique_ptr<SimulatedRank> make_gpu_rank(World& world, Index rank) {
  return std::make_unique<GpuRank>(world, rank);
}

}  // namespace echelon
