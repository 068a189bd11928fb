// exec/mpi/queues.cpp -- the one-sided engines: messages put directly into queues in the receiver's
// window.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A rank's window has one queue per sender, large enough for all messages of a pass, so
// a sender never asks for space.  The sender appends by one-sided puts; the receiver polls the next
// place of each queue.  A message is complete when its checksum matches (checksum.hpp), or, with
// counters, when the sender's counter has passed it: the sender puts the message, reads it back,
// then increments the counter, which is never reset.  With checksums, no rank waits for a message
// to arrive before the end of the pass (window.hpp).
//
// There are two copies of all queues, used alternately.  A rank that finishes pass p notifies its
// senders.  A rank that begins pass p+2 waits for the notices of all its receivers of pass p.
// These are a whole pass old, so normally no rank waits, and no memory is ever cleared.  No cycle
// of waits can form: a message waits for earlier ones of the same pass
// (exec/cpu/ranks/rank_pass.cpp), and the start of a pass only for the end of an earlier one.
#include <algorithm>

#include "base/instantiate.hpp"
#include "distributed/checksum.hpp"
#include "exec/mpi/mpi_exchange.hpp"
#include "exec/mpi/window.hpp"

namespace echelon {
namespace {

template <Scalar T>
class Queues final : public MpiExchange<T> {
 public:
  Queues(bool counts, Communicator& comm, std::vector<const LocalPlan*> plans, Index rhs_per_pass,
         double shake_us)
      : Base(comm, std::move(plans), rhs_per_pass, shake_us), counts_(counts) {
    const auto ranks = static_cast<std::size_t>(comm.size());
    next_.resize(ranks);
    end_.resize(ranks);
    sent_.resize(ranks);
    left_.resize(ranks);
    taken_.assign(ranks, 0);
    receivers_[0].reserve(ranks);
    receivers_[1].reserve(ranks);
    senders_.reserve(ranks);
  }
  void open() override {
    for (const PassTraffic& traffic : this->traffic_) lay_out(traffic);
    window_ = std::make_unique<Window>(this->comm_, queues_at() + 2 * size_,
                                       counts_ ? this->longest() : 0);
  }

  bool receive(Arrival<T>& arrival) override {
    for (std::size_t k = 0; k < senders_.size(); ++k) {
      if (++turn_ >= senders_.size()) turn_ = 0;
      const Index from = senders_[turn_];
      if (left_[from] == 0 || !take(from, arrival)) continue;
      if (--left_[from] == 0) senders_.erase(senders_.begin() + static_cast<std::ptrdiff_t>(turn_));
      this->arrived();
      return true;
    }
    return false;
  }

  void end() override {
    window_->settle();
    const PassTraffic& traffic = this->traffic();
    for (Index r = 0; r < this->comm_.size(); ++r)
      if (traffic.received.messages[r] > 0)
        window_->replace(r, finished_at(this->comm_.rank()), this->pass_);
  }
  Offset window_bytes() const override { return window_->bytes(); }

 private:
  using Base = MpiExchange<T>;

  // --- The window: finished passes of receivers, counters, two copies of the queues.

  Offset finished_at(Index rank) const { return rank; }
  Offset counter_at(Index rank) const { return Offset{this->comm_.size()} + rank; }
  Offset queues_at() const { return 2 * Offset{this->comm_.size()}; }

  // Offsets of the queues for one kind of pass: in this window by sender, and in the receivers'
  // windows for this rank.
  struct Places {
    std::vector<std::int64_t> here, there;
  };
  void lay_out(const PassTraffic& traffic) {
    Places places;
    Offset at = 0;
    for (Index r = 0; r < this->comm_.size(); ++r) {
      places.here.push_back(at);
      at += this->most_words(traffic.received, r);
    }
    // Both copies have the same offset in all windows.
    this->comm_.reduce(std::span(&at, 1), MPI_MAX, "the sizes of queues");
    size_ = std::max(size_, at);
    places.there = this->comm_.exchange(places.here, "the places of queues");
    places_.push_back(std::move(places));
  }

  void begin_pass() override {
    const PassTraffic& traffic = this->traffic();
    const auto copy = static_cast<Index>(this->pass_ % 2);
    wait_for_receivers(receivers_[copy]);
    const Offset base = queues_at() + copy * size_;
    receivers_[copy].clear();
    senders_.clear();
    turn_ = 0;
    for (Index r = 0; r < this->comm_.size(); ++r) {
      next_[r] = base + places_[this->kind_].here[r];
      end_[r] = next_[r] + this->most_words(traffic.received, r);
      sent_[r] = base + places_[this->kind_].there[r];
      left_[r] = traffic.received.messages[r];
      if (left_[r] > 0) senders_.push_back(r);
      if (traffic.sent.messages[r] > 0) receivers_[copy].push_back(r);
    }
  }
  void wait_for_receivers(const std::vector<Index>& receivers) {
    const Timer since;
    for (const Index r : receivers)
      while (window_->load(finished_at(r)) + 2 < this->pass_) {
        make_progress();
        this->comm_.count_wait(since, "a rank to finish the pass before the last");
      }
  }

  void post(Index to, std::uint64_t* message, Offset words) override {
    if (!counts_)
      message[words - 1] = checksum(this->pass_, message, static_cast<std::size_t>(words) - 1);
    if (counts_)
      window_->put_then_count(to, sent_[to], message, words, counter_at(this->comm_.rank()));
    else
      window_->put(to, sent_[to], message, words);
    sent_[to] += words;
  }

  // Takes the next message of a rank, if it is complete.
  bool take(Index from, Arrival<T>& arrival) {
    const Offset at = next_[from];
    if (counts_ ? window_->load(counter_at(from)) == taken_[from]
                : window_->load(at) >> 32 != (this->pass_ & 0xffffffffu))
      return false;
    const Subject about = MessageShape::decode(window_->load(at));
    const LocalPlan& plan = this->plan();
    if (about.supernode >= static_cast<Index>(plan.local_of.size()) ||
        plan.local_of[about.supernode] < 0)
      return false;  // bits of an earlier message that look like a head
    const Index width = plan.width(plan.local_of[about.supernode]);
    const Offset words = MessageShape::words<T>(Offset{width} * this->count_);
    if (at + words > end_[from]) return false;  // the same
    const std::uint64_t* const message = window_->data() + at;
    if (!counts_ && window_->load(at + words - 1) !=
                        checksum(this->pass_, message, static_cast<std::size_t>(words) - 1))
      return false;
    ++taken_[from];
    next_[from] += words;
    arrival = {about, from, reinterpret_cast<const T*>(message + MessageShape::head)};
    return true;
  }

  void make_progress() override { window_->make_progress(); }
  void push_out() override { window_->push_out(); }

  const bool counts_;
  std::vector<Places> places_;  // by kind of pass
  Offset size_ = 0;             // words of one copy
  std::unique_ptr<Window> window_;
  std::vector<Offset> next_, end_;    // by sender: offset of its next message, and end of its queue
  std::vector<Offset> sent_;          // by receiver: offset of the next message
  std::vector<Index> left_;           // by sender: messages still to come
  std::vector<std::uint64_t> taken_;  // by sender: messages received, over all passes
  std::vector<Index> receivers_[2];   // of the last pass with this copy
  std::vector<Index> senders_;        // ranks with messages still to come
  std::size_t turn_ = 0;
};

}  // namespace

template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_queues(bool counts, Communicator& comm,
                                            std::vector<const LocalPlan*> plans, Index rhs_per_pass,
                                            double shake_us) {
  return std::make_unique<Queues<T>>(counts, comm, std::move(plans), rhs_per_pass, shake_us);
}

#define ECHELON_INSTANTIATE(T)                          \
  template std::unique_ptr<MpiExchange<T>> make_queues( \
      bool, Communicator&, std::vector<const LocalPlan*>, Index, double);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
