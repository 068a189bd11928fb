// model/core_rank.cpp -- simulates a rank that is one core: the same steps as RankPass, in the same
// order.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Between two polls for messages a rank acts independently, so an event is one received
// message, or a task up to its next poll.
#include <algorithm>

#include "model/simulation.hpp"

namespace echelon {
namespace {

constexpr Index strip = PanelShape::strip;
constexpr Index poll_every = 8;  // strips of a product between two polls

class CoreRank final : public SimulatedRank {
 public:
  CoreRank(World& world, Index rank) : SimulatedRank(world, rank) {
    const auto nodes = static_cast<std::size_t>(plan_.nodes());
    next_.resize(nodes);
    blocks_.resize(nodes);
    known_.assign(nodes, 0);
    queued_.assign(nodes, 0);
    to_come_ = count_traffic(plan_, world.problem.sweep).received.messages;
    senders_ =
        static_cast<Index>(to_come_.size() - std::count(to_come_.begin(), to_come_.end(), 0));
  }

  void start() override {
    for (Index c = 0; c < plan_.nodes(); ++c) {
      next_[c] = forwards_ ? 0 : (plan_.height(c) + strip - 1) / strip;
      blocks_[c] = plan_.block_start[c + 1] - plan_.block_start[c];
      if (needs_[c] == 0 && plan_.diagonal[c] >= 0) push(c, false);
    }
    wake(0);
  }

  void arrive(const SimulatedMessage& message) override {
    inbox_.push(message);
    if (idle_) wake(std::max(clock_, inbox_.top().arrival_s));
  }

  void event(double now_s, Offset what) override {
    if (what != awaited_) return;  // superseded by an earlier event
    if (left_ == 0) return;
    const bool waited = idle_ && now_s > clock_;
    idle_ = false;
    if (waited) {
      world_.note(plan_.rank, Doing::wait, -1, clock_, now_s);
      clock_ = now_s;
    }
    if (!inbox_.empty() && inbox_.top().arrival_s <= clock_) {
      const SimulatedMessage m = inbox_.top();
      inbox_.pop();
      if (waited) chain_ = m.chain;
      consume(m);
    } else if (column_ >= 0) {
      poll();
      go_on();
    } else if (!heap_.empty()) {
      poll();
      run(pop());
    } else {
      idle_ = true;
      if (!inbox_.empty()) wake(inbox_.top().arrival_s);
      return;
    }
    if (left_ == 0) {
      times_.end_s = clock_;
      return;
    }
    wake(clock_);
  }

 private:
  void wake(double time_s) { world_.at(time_s, plan_.rank, ++awaited_); }

  Index key(Index c, bool product) const {
    return 2 * (forwards_ ? c : plan_.nodes() - 1 - c) + static_cast<Index>(product);
  }
  void push(Index c, bool product) { heap_.push(key(c, product)); }
  Index pop() {
    const Index task = heap_.top();
    heap_.pop();
    return task;
  }
  void run(Index task) {
    const Index c = forwards_ ? task / 2 : plan_.nodes() - 1 - task / 2;
    if (task % 2 == 0) return finish(c);
    works(world_.machine.task_s, Doing::product, c);
    queued_[c] = 0;
    column_ = c;
    if (!forwards_) {
      const Index left = plan_.block_start[c] + blocks_[c];
      from_ = left == plan_.block_start[c] ? 0 : plan_.block[left - 1].end - plan_.row_start[c];
    }
    go_on();
  }

  // The cost of one poll; one-sided, a rank polls one queue per sender with messages left.
  double poll_s() const { return world_.cost(plan_.rank, plan_.rank, false).poll_s; }
  Index places() const { return world_.problem.engine == "two_sided" ? 1 : senders_; }
  // Polls without success.
  void poll() {
    if (plan_.ranks == 1) return;
    const double seconds = places() * poll_s();
    clock_ += seconds;
    times_.receive_s += seconds;
    chain_.message_s += seconds;
  }
  // The rank is busy for `seconds`.
  void works(double seconds, Doing doing, Index c) {
    world_.note(plan_.rank, doing, supernode(c), clock_, clock_ + seconds);
    clock_ += seconds;
    if (doing == Doing::send || doing == Doing::receive) {
      (doing == Doing::send ? times_.send_s : times_.receive_s) += seconds;
      chain_.message_s += seconds;
    } else {
      times_.compute_s += seconds;
      chain_.compute_s += seconds;
    }
  }

  void consume(const SimulatedMessage& m) {
    const Index c = plan_.local_of[m.supernode];
    // On average, half of the other places are polled first.
    const double polls_s = (places() - 1) * poll_s() / 2;
    works(world_.cost(plan_.rank, plan_.rank, m.sum).receive_s + polls_s, Doing::receive, c);
    if (--to_come_[m.from] == 0) --senders_;
    if (m.sum)
      one_less(c);
    else
      publish(c);
  }
  void send(Index to, Index c, bool sum) {
    works(world_.cost(plan_.rank, to, sum).send_s, Doing::send, c);
    world_.post({plan_.rank, to, supernode(c), sum}, clock_, link_free_s_, chain_);
  }

  void one_less(Index c) {
    if (--needs_[c] == 0) finish(c);
  }
  void finish(Index c) {
    --left_;
    const bool root = plan_.diagonal[c] >= 0;
    works(world_.machine.task_s + (root ? diagonal_bytes(c) / speed_ : 0), Doing::sum, c);
    if (!root) return send(sums_.parent[c], c, true);
    publish(c);
  }
  void publish(Index c) {
    for (const Index to : answers_.children(c)) send(to, c, false);
    if (forwards_) {
      if (plan_.height(c) > 0) push(c, true);
      return;
    }
    known_[c] = 1;
    for (Index k = plan_.in_row_start[c]; k < plan_.in_row_start[c + 1]; ++k)
      offer(plan_.block[plan_.in_row[k]].column);
  }
  void offer(Index c) {
    const Index first = plan_.block_start[c], before = blocks_[c];
    while (blocks_[c] > 0 && known_[plan_.block[first + blocks_[c] - 1].row]) --blocks_[c];
    if (blocks_[c] == before || queued_[c]) return;
    queued_[c] = 1;
    push(c, true);
  }

  void reads(Index rows, Index c) {
    works(rows * (row_bytes(c) / speed_ + world_.machine.row_s), Doing::product, c);
  }

  // Runs a product up to the next poll, or its end.
  void go_on() {
    const Index c = column_, h = plan_.height(c);
    if (forwards_) {
      Index& b = blocks_[c];  // blocks still to complete
      for (bool poll = false; next_[c] * strip < h && !poll; ++next_[c]) {
        const Index begin = next_[c] * strip, end = std::min(begin + strip, h);
        reads(end - begin, c);
        const Offset first = plan_.row_start[c];
        for (; b > 0 && plan_.block[plan_.block_start[c + 1] - b].end <= first + end; --b)
          one_less(plan_.block[plan_.block_start[c + 1] - b].row);
        poll = next_[c] % poll_every == poll_every - 1;
      }
      if (next_[c] * strip < h) return;
      column_ = -1;
      --left_;
      return;
    }
    for (bool poll = false; next_[c] > 0 && Offset{next_[c] - 1} * strip >= from_ && !poll;) {
      const Index k = --next_[c];
      reads(std::min(h - k * strip, strip), c);
      poll = k % poll_every == poll_every - 1;
    }
    if (next_[c] > 0 && Offset{next_[c] - 1} * strip >= from_) return;
    column_ = -1;
    if (next_[c] > 0) return;
    --left_;
    one_less(c);
  }

  struct Later {
    bool operator()(const SimulatedMessage& a, const SimulatedMessage& b) const {
      if (a.arrival_s != b.arrival_s) return a.arrival_s > b.arrival_s;
      return a.supernode != b.supernode ? a.supernode > b.supernode : a.sum > b.sum;
    }
  };
  std::priority_queue<SimulatedMessage, std::vector<SimulatedMessage>, Later> inbox_;
  std::priority_queue<Index, std::vector<Index>, std::greater<>> heap_;
  std::vector<Index> next_;    // strips: done (forwards), left (backwards)
  std::vector<Index> blocks_;  // by column: blocks left
  std::vector<char> known_, queued_;
  Buffer<Index> to_come_;  // messages still to come, by sender
  Index senders_ = 0;      // senders with messages left
  double clock_ = 0;
  Offset awaited_ = 0;  // id of the next valid event
  bool idle_ = false;
  Index column_ = -1;  // column of the product in progress
  Offset from_ = 0;    // backwards: answers of rows before it are missing
};

}  // namespace

std::unique_ptr<SimulatedRank> make_core_rank(World& world, Index rank) {
  return std::make_unique<CoreRank>(world, rank);
}

}  // namespace echelon
