// model/gpu_rank.cpp -- a simulated rank that is a GPU: thread blocks that take what is ready.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  A task is a sum with its diagonal block, or a piece of a product.  Those that are ready
// wait in the order of the sweep for a thread block; a block reads with its share of the GPU's
// speed, as it is when the task begins.  Messages are seen when they come: somebody polls.
#include <algorithm>

#include "model/simulation.hpp"

namespace echelon {
namespace {

class GpuRank final : public SimulatedRank {
 public:
  GpuRank(World& world, Index rank) : SimulatedRank(world, rank) {
    free_ = std::max<Index>(world.machine.blocks, 1);
    if (!forwards_)
      for (Index c = 0; c < plan_.nodes(); ++c)
        products_.push_back(plan_.block_start[c + 1] - plan_.block_start[c]);
    else
      products_.assign(static_cast<std::size_t>(plan_.nodes()), 0);
  }

  void start() override {
    now_ = world_.machine.wake_s;
    chain_.compute_s = now_;
    times_.end_s = now_;
    for (Index c = 0; c < plan_.nodes(); ++c)
      if (needs_[c] == 0 && plan_.diagonal[c] >= 0) ready(c, false, diagonal_bytes(c), 1);
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
        hand_on(c);
    } else {
      const Task task = running_[static_cast<std::size_t>(what)];
      vacant_.push_back(what);
      ++free_;
      chain_ = task.chain;
      if (!task.product)
        solved(task.node);
      else
        multiplied(task.node);
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
    Index node;
    bool product;
    double bytes;
    Index rows;
    Chain chain;
    double since_s;
    bool operator>(const Task& t) const { return key > t.key; }
  };

  void ready(Index c, bool product, double bytes, Index rows) {
    const Index turn = forwards_ ? c : plan_.nodes() - 1 - c;
    waiting_.push({2 * turn + static_cast<Index>(product), c, product, bytes, rows, chain_, now_});
  }
  void dispatch() {
    const Machine& m = world_.machine;
    for (; free_ > 0 && !waiting_.empty(); waiting_.pop()) {
      Task task = waiting_.top();
      --free_;
      const Index active = std::max<Index>(m.blocks, 1) - free_;
      const double rate = m.block_most > 0 ? std::min(m.block_most, speed_ / active) : speed_;
      const double busy = m.task_s + task.bytes / rate + task.rows * m.row_s;
      world_.note(plan_.rank, task.product ? Doing::product : Doing::sum, supernode(task.node),
                  now_, now_ + busy);
      times_.compute_s += busy;
      task.chain.compute_s += now_ - task.since_s + busy;  // a block was not free: others computed
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
    if (plan_.diagonal[c] >= 0) return ready(c, false, diagonal_bytes(c), 1);
    --left_;
    tell(sums_.parent[c], c, true);
  }
  void solved(Index c) {
    --left_;
    hand_on(c);
  }
  void tell(Index to, Index c, bool sum) {
    world_.post(plan_.rank, to, supernode(c), sum, now_, link_free_s_, chain_);
  }
  void hand_on(Index c) {
    for (const Index to : answers_.children(c)) tell(to, c, false);
    if (forwards_) return cut(c, plan_.height(c), products_[c]);
    for (Index k = plan_.in_row_start[c]; k < plan_.in_row_start[c + 1]; ++k) {
      const LocalPlan::Block& b = plan_.block[plan_.in_row[k]];
      Index pieces = 0;
      cut(b.column, static_cast<Index>(b.end - b.begin), pieces);
      products_[b.column] += pieces - 1;
    }
  }
  // So many rows of a column, for as many thread blocks as there are pieces.
  void cut(Index c, Index rows, Index& pieces) {
    if (rows == 0) return;
    const double bytes = rows * row_bytes(c);
    const auto piece = static_cast<double>(world_.options.piece_bytes);
    pieces = piece > 0 ? std::max<Index>(1, static_cast<Index>(bytes / piece + 0.5)) : 1;
    for (Index k = 0; k < pieces; ++k) ready(c, true, bytes / pieces, rows / pieces);
  }
  void multiplied(Index c) {
    if (--products_[c] > 0) return;
    --left_;
    if (!forwards_) return one_less(c);
    for (Index b = plan_.block_start[c]; b < plan_.block_start[c + 1]; ++b)
      one_less(plan_.block[b].row);
  }

  std::priority_queue<Task, std::vector<Task>, std::greater<>> waiting_;
  std::vector<Task> running_;
  std::vector<Offset> vacant_;  // places of `running_`
  std::vector<SimulatedMessage> messages_;
  std::vector<Index> products_;  // by column: pieces, or blocks, still to be multiplied
  Index free_ = 1;
  double now_ = 0;
  Chain last_;
};

}  // namespace

std::unique_ptr<SimulatedRank> make_gpu_rank(World& world, Index rank) {
  return std::make_unique<GpuRank>(world, rank);
}

}  // namespace echelon
