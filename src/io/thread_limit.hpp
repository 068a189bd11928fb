// io/thread_limit.hpp -- the caller's number of threads, for as long as a reading lasts.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  The matrix room takes what OpenMP offers; this sets the offer, of the calling thread
// only, so that its conversions keep to the caller's number too.
#pragma once

#include "base/parallel.hpp"

namespace echelon {

class ThreadLimit {
 public:
  explicit ThreadLimit(Index threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadLimit() { omp_set_num_threads(before_); }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_;
};

}  // namespace echelon
