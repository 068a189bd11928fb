// exec/mpi/mpi_exchange.cpp -- the common part of all engines: message assembly and waits.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/mpi/mpi_exchange.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/instantiate.hpp"
#include "base/spin.hpp"
#include "distributed/checksum.hpp"

namespace echelon {

template <Scalar T>
MpiExchange<T>::MpiExchange(Communicator& comm, std::vector<const LocalPlan*> plans,
                            Index rhs_per_pass, double shake_us)
    : comm_(comm),
      plans_(std::move(plans)),
      rhs_per_pass_(rhs_per_pass),
      arena_(comm.broken()),
      shake_us_(shake_us),
      draw_(static_cast<unsigned>(comm.rank())) {
  Offset most = 0;
  for (const LocalPlan* plan : plans_)
    for (const Sweep sweep : {Sweep::forward, Sweep::backward}) {
      traffic_.push_back(count_traffic(*plan, sweep));
      Offset words = 0;
      for (Index r = 0; r < comm.size(); ++r) words += most_words(traffic_.back().sent, r);
      most = std::max(most, words);
    }
  arena_->resize(static_cast<std::size_t>(most));
}

template <Scalar T>
Offset MpiExchange<T>::longest() const {
  Index widest = 0;
  for (const LocalPlan* plan : plans_)
    for (Index c = 0; c < plan->nodes(); ++c) widest = std::max(widest, plan->width(c));
  return MessageShape::words<T>(Offset{widest} * rhs_per_pass_);
}

template <Scalar T>
Offset MpiExchange<T>::most_words(const Traffic& traffic, Index rank) const {
  // Each message is padded separately.
  constexpr Offset pad = sizeof(T) < 8 ? 1 : 0;
  const Offset bytes = traffic.numbers[rank] * rhs_per_pass_ * Offset{sizeof(T)};
  return (bytes + 7) / 8 + traffic.messages[rank] * (MessageShape::head + MessageShape::tail + pad);
}

template <Scalar T>
void MpiExchange<T>::begin(Index plan, Sweep sweep, Index count) {
  kind_ = 2 * plan + static_cast<Index>(sweep);
  count_ = count;
  used_ = 0;
  idle_ = 0;
  ++pass_;
  begin_pass();
}

template <Scalar T>
void MpiExchange<T>::send(Index to, Subject about, const T* values, Index width, Index count,
                          Offset ld) {
  shake();
  const Offset words = MessageShape::words<T>(Offset{width} * count);
  std::uint64_t* const message = arena_->data() + used_;
  used_ += words;
  message[0] = MessageShape::encode(pass_, about);
  message[words - 2] = 0;  // padding of the numbers
  auto* const numbers = reinterpret_cast<T*>(message + MessageShape::head);
  for (Index v = 0; v < count; ++v)
    std::memcpy(numbers + Offset{v} * width, values + v * ld,
                static_cast<std::size_t>(width) * sizeof(T));
  post(to, message, words);
}

template <Scalar T>
void MpiExchange<T>::wait() {
  const int fast = comm_.crowded() ? 200 : 20000;  // 20000: about a millisecond
  constexpr int looks = 64;
  if (idle_ == 0) since_ = Timer();
  if (idle_ < fast) ++idle_;
  if (idle_ < fast && idle_ % looks != 0) return cpu_pause();
  make_progress();
  if (idle_ < fast) return;
  push_out();
  comm_.count_wait(since_, "messages of other ranks");
}

// For tests: sleeps up to shake_us, on average every other time.
template <Scalar T>
void MpiExchange<T>::shake() {
  if (shake_us_ <= 0 || draw_() % 2 == 0) return;
  const double us = shake_us_ * (static_cast<double>(draw_() % 1000) / 1000);
  std::this_thread::sleep_for(std::chrono::duration<double, std::micro>(us));
}

template <Scalar T>
std::unique_ptr<MpiExchange<T>> make_exchange(Engine engine, Communicator& comm,
                                              std::vector<const LocalPlan*> plans,
                                              Index rhs_per_pass, double shake_us) {
  if (engine == Engine::two_sided)
    return make_two_sided<T>(comm, std::move(plans), rhs_per_pass, shake_us);
  return make_queues<T>(engine == Engine::counter, comm, std::move(plans), rhs_per_pass, shake_us);
}

#define ECHELON_INSTANTIATE(T)                            \
  template class MpiExchange<T>;                          \
  template std::unique_ptr<MpiExchange<T>> make_exchange( \
      Engine, Communicator&, std::vector<const LocalPlan*>, Index, double);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
