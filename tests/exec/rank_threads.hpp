// tests/exec/rank_threads.hpp -- all ranks of a solve as threads of one process, with mailboxes
// that deliver messages in any order.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <random>
#include <thread>

#include "echelon/rank_pass.hpp"
#include "exec/rank_cases.hpp"

namespace echelon::test {

template <class T>
struct Message {
  Subject about;
  Index from;
  std::vector<T> values;
};

template <class T>
struct Mailbox {
  std::mutex lock;
  std::vector<Message<T>> messages;
};

template <class T>
class ThreadExchange : public Exchange<T> {
 public:
  ThreadExchange(std::vector<Mailbox<T>>& boxes, Index rank, unsigned seed)
      : boxes_(boxes), rank_(rank), draw_(seed + static_cast<unsigned>(rank)) {}

  void send(Index to, Subject about, const T* values, Index width, Index count,
            Offset ld) override {
    Message<T> message{about, rank_, {}};
    for (Index v = 0; v < count; ++v)
      message.values.insert(message.values.end(), values + v * ld, values + v * ld + width);
    const std::lock_guard guard(boxes_[to].lock);
    boxes_[to].messages.push_back(std::move(message));
  }
  bool receive(Arrival<T>& arrival) override {
    Mailbox<T>& mine = boxes_[rank_];
    const std::lock_guard guard(mine.lock);
    if (mine.messages.empty() || draw_() % 3 == 0) return false;  // some arrive late
    std::swap(mine.messages[draw_() % mine.messages.size()], mine.messages.back());
    read_ = std::move(mine.messages.back());
    mine.messages.pop_back();
    arrival = {read_.about, read_.from, read_.values.data()};
    return true;
  }
  void wait() override { std::this_thread::yield(); }

 private:
  std::vector<Mailbox<T>>& boxes_;
  Index rank_;
  std::mt19937 draw_;
  Message<T> read_;
};

// All state of one rank.
template <class T>
struct Rank {
  LocalPlan plan;
  LocalValues<T> values;
  std::unique_ptr<RankPass<T>> pass;
};

template <class T>
class Ranks {
 public:
  Ranks(const Supernodes& s, const BlockMap& map, TreeShape shape, const Csc<T>& a,
        Index rhs_per_pass, const NumericOptions& o = {})
      : ranks_(static_cast<std::size_t>(map.grid.size())), boxes_(ranks_.size()) {
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].plan = make_local_plan(s, map, static_cast<Index>(r), shape);
      pack_local<T>(ranks_[r].plan, rows_of(s, a), o, ranks_[r].values, 1);
      ranks_[r].pass =
          std::make_unique<RankPass<T>>(ranks_[r].plan, ranks_[r].values, rhs_per_pass);
    }
  }
  // Sets other values with the same pattern.
  void update(const Supernodes& s, const Csc<T>& a, const NumericOptions& o = {}) {
    for (Rank<T>& rank : ranks_) pack_local<T>(rank.plan, rows_of(s, a), o, rank.values, 1);
  }
  // `count` vectors of n numbers each.
  std::vector<T> solve(Way way, const std::vector<T>& b, Index count, unsigned seed) {
    std::vector<T> x(b.size());
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      threads.emplace_back([&, r] {
        copy(
            ranks_[r], b, count, [](const T& from, T& to) { to = from; }, ranks_[r].pass->right());
        ThreadExchange<T> exchange(boxes_, static_cast<Index>(r), seed);
        ranks_[r].pass->run(way, count, exchange);
        copy(
            ranks_[r], x, count, [](T& to, const T& from) { to = from; }, ranks_[r].pass->answer());
      });
    for (std::thread& t : threads) t.join();
    for (const Mailbox<T>& box : boxes_) EXPECT_TRUE(box.messages.empty());
    return x;
  }
  const Rank<T>& operator[](std::size_t r) const { return ranks_[r]; }
  std::size_t size() const { return ranks_.size(); }
  Index uninverted_blocks() const {
    Index all = 0;
    for (const Rank<T>& r : ranks_) all += r.values.diagonals.uninverted_blocks;
    return all;
  }

 private:
  template <class Vector, class Move>
  static void copy(const Rank<T>& rank, Vector& whole, Index count, const Move& move, T* part) {
    for_each_own(rank.plan, count, [&](Offset all, Offset mine) { move(whole[all], part[mine]); });
  }

  std::vector<Rank<T>> ranks_;
  std::vector<Mailbox<T>> boxes_;
};

}  // namespace echelon::test
