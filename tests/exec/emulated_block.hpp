// tests/exec/emulated_block.hpp -- runs device code on the CPU, with the threads of blocks as
// contexts that take turns, so that kernels can be tested without a GPU.
// SPDX-License-Identifier: BSD-3-Clause
//
// Include it before any device code.  A thread runs until it waits; barriers and shuffles are
// waits.  All threads of a block, or of a warp, must reach the same ones.
#pragma once

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#define __device__
#define __host__

namespace echelon {

using std::fma, std::isfinite, std::max, std::min;

class EmulatedBlock {
 public:
  // `grids` grids of `blocks` blocks, side by side.
  explicit EmulatedBlock(int threads, int blocks = 1, int grids = 1)
      : size_(static_cast<std::size_t>(threads)),
        grid_(static_cast<std::size_t>(blocks)),
        threads_(size_ * grid_ * static_cast<std::size_t>(grids)),
        blocks_(grid_ * static_cast<std::size_t>(grids)) {
    for (Thread& t : threads_) t.stack.resize(1 << 16);
  }

  // Runs body once as each thread of each block.
  void run(const std::function<void()>& body) {
    current_block = this;
    body_ = &body;
    done_ = 0;
    blocks_.assign(blocks_.size(), {});
    parts_.assign(3 * blocks_.size(), {});
    warps_.assign((threads_.size() + 31) / 32, {});
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      threads_[k].word = nullptr;
      ucontext_t& context = threads_[k].context;
      getcontext(&context);
      context.uc_stack.ss_sp = threads_[k].stack.data();
      context.uc_stack.ss_size = threads_[k].stack.size();
      context.uc_link = nullptr;
      makecontext(&context, &EmulatedBlock::start, 0);
    }
    current_ = 0;
    swapcontext(&home_, &threads_[0].context);
  }

  unsigned thread() const { return static_cast<unsigned>(current_ % size_); }
  unsigned block() const { return static_cast<unsigned>(current_ / size_ % grid_); }
  std::size_t grid() const { return current_ / size_ / grid_; }
  std::size_t blocks() const { return grid_; }  // per grid
  void wait_for_block() { wait(blocks_[current_ / size_], size_); }
  // A barrier for `threads` threads of the block, which all name the same part: 0, 1 or 2.
  void wait_for_part(std::size_t which, std::size_t threads) {
    wait(parts_[3 * (current_ / size_) + which], threads);
  }
  void wait_for_warp() { wait(warps_[current_ / 32], 32); }
  void pass_on() { next(); }
  // The thread does not run while the word has this value.
  void hold_while(const unsigned& word, unsigned value) {
    Thread& mine = threads_[current_];
    mine.word = &word;
    mine.value = value;
    if (mine.held()) next();
    mine.word = nullptr;
  }
  // Returns the value of thread `from` of the warp.
  template <class V>
  V exchange(V value, int from) {
    Gate& warp = warps_[current_ / 32];
    warp.slot[current_ % 32] = static_cast<double>(value);  // exact for float and double
    wait(warp, 32);
    const double found = warp.slot[from];
    wait(warp, 32);
    return static_cast<V>(found);
  }
  // The threads of the warp with `yes`, as bits.
  unsigned ballot(bool yes) {
    Gate& warp = warps_[current_ / 32];
    const unsigned mine = 1u << current_ % 32;
    warp.votes = yes ? warp.votes | mine : warp.votes & ~mine;
    wait(warp, 32);
    const unsigned found = warp.votes;
    wait(warp, 32);
    return found;
  }

  static inline EmulatedBlock* current_block = nullptr;

 private:
  struct Gate {
    std::size_t arrived = 0;
    unsigned opened = 0;
    double slot[32] = {};
    unsigned votes = 0;
  };
  struct Thread {
    ucontext_t context{};
    std::vector<char> stack;
    const unsigned* word = nullptr;  // the thread is held while *word
    unsigned value = 0;              // equals this

    bool held() const { return word != nullptr && *word == value; }
  };

  static void start() {
    EmulatedBlock& b = *current_block;
    (*b.body_)();
    if (++b.done_ == b.threads_.size()) setcontext(&b.home_);
    b.hold_while(b.done_for_ever_, 0);
  }
  void next() {
    const std::size_t from = current_;
    do current_ = (current_ + 1) % threads_.size();
    while (threads_[current_].held());
    swapcontext(&threads_[from].context, &threads_[current_].context);
  }
  void wait(Gate& gate, std::size_t all) {
    const unsigned now = gate.opened;
    if (++gate.arrived == all) {
      gate.arrived = 0;
      ++gate.opened;
    }
    hold_while(gate.opened, now);
  }

  std::size_t size_;  // threads per block
  std::size_t grid_;  // blocks per grid
  std::vector<Thread> threads_;
  std::size_t current_ = 0;
  std::size_t done_ = 0;
  const unsigned done_for_ever_ = 0;
  const std::function<void()>* body_ = nullptr;
  std::vector<Gate> blocks_, parts_, warps_;
  ucontext_t home_{};
};

// Replacements of CUDA's built-in names.
template <unsigned (EmulatedBlock::*number)() const>
struct EmulatedIndex {
  struct X {
    operator unsigned() const { return (EmulatedBlock::current_block->*number)(); }  // NOLINT
  };
  X x;
};
inline constexpr EmulatedIndex<&EmulatedBlock::thread> threadIdx{};
inline constexpr EmulatedIndex<&EmulatedBlock::block> blockIdx{};
inline void __syncthreads() { EmulatedBlock::current_block->wait_for_block(); }
template <class V>
V __shfl_sync(unsigned, V value, int from) {
  return EmulatedBlock::current_block->exchange(value, from);
}
template <class V>
V __shfl_xor_sync(unsigned, V value, int mask) {
  const int lane = static_cast<int>(EmulatedBlock::current_block->thread() % 32);
  return EmulatedBlock::current_block->exchange(value, lane ^ mask);
}
template <class V>
void atomicAdd(V* at, V value) {  // no other thread runs meanwhile
  *at += value;
}
inline int atomicMin(int* at, int value) {
  const int before = *at;
  *at = min(before, value);
  return before;
}

}  // namespace echelon
