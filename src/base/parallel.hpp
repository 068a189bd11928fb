// base/parallel.hpp -- parallel loops: a range split into pieces, and items that the next free
// thread claims.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "base/pool.hpp"
#include "echelon/types.hpp"

namespace echelon {

// Begin of piece `part` of [0, n) split into `parts` nearly equal pieces; also the end of the piece
// before.
inline Offset piece_begin(Offset n, Index part, Index parts) {
  return n / parts * part + std::min<Offset>(part, n % parts);
}

// The number of threads to use if `wanted` is 0: the ThreadLimit of the calling thread if there is
// one, else OMP_NUM_THREADS, else the number of cores this process may use.
Index thread_count(Index wanted);

// Limits the threads of the calling thread's loops during its lifetime; 0 sets no limit.
class ThreadLimit {
 public:
  explicit ThreadLimit(Index threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  Index before_;
};

// Keeps the exception of the lowest item that threw, so that the same error is reported for any
// number of threads.
class LowestError {
 public:
  // Call it inside a catch.
  void keep(Offset item) {
    const std::lock_guard lock(mutex_);
    if (error_ && item >= item_) return;
    item_ = item;
    error_ = std::current_exception();
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  Offset item_ = 0;
  std::exception_ptr error_;
};

// Runs body(item, thread) for the items [0, count); the next free thread claims each item.  The
// calling thread is thread 0.  Rethrows the exception of the lowest item that threw.
template <class Body>
void parallel_items(Index count, Index threads, const Body& body) {
  LowestError error;
  std::atomic<Index> next{0};
  run_with_help(std::min(threads, count), [&](Index thread) {
    for (Index item; (item = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
      try {
        body(item, thread);
      } catch (...) {
        error.keep(item);
      }
      if (lost_core()) return;
    }
  });
  error.rethrow();
}

// Runs body(begin, end, part) on pieces of [0, n), one per thread; on fewer if a piece would have
// less than `grain` elements.  Rethrows like parallel_items.
template <class Body>
void parallel_pieces(Offset n, Offset grain, Index threads, const Body& body) {
  const auto parts =
      static_cast<Index>(std::clamp<Offset>(n / std::max<Offset>(grain, 1), 1, threads));
  parallel_items(parts, parts, [&](Index part, Index) {
    body(piece_begin(n, part, parts), piece_begin(n, part + 1, parts), part);
  });
}

// Like parallel_pieces, over whole blocks of [0, n): no two threads share a block.
template <class Body>
void parallel_blocks(Offset n, Offset block, Offset grain, Index threads, const Body& body) {
  parallel_pieces((n + block - 1) / block, grain / block, threads,
                  [&](Offset begin, Offset end, Index part) {
                    body(begin * block, std::min(end * block, n), part);
                  });
}

}  // namespace echelon
