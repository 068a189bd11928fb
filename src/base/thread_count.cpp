// base/thread_count.cpp -- the number of threads to use when the caller passes 0.
// SPDX-License-Identifier: BSD-3-Clause
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/cpu_mask.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

thread_local Index limit = 0;

// The first number of OMP_NUM_THREADS, by which programs, batch systems and users limit the threads
// of a process, also those not made by OpenMP.  0 if it is not set.
Index asked_for() {
  const char* const text = std::getenv("OMP_NUM_THREADS");
  Index number = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), number);
  return std::max(number, Index{0});
}

}  // namespace

Index thread_count(Index wanted) {
  if (wanted > 0) return wanted;
  if (limit > 0) return limit;
  static const Index offered = [] {
    const Index asked = asked_for();
    return asked > 0 ? asked : std::max(CpuMask::of_process().count(), Index{1});
  }();
  return offered;
}

ThreadLimit::ThreadLimit(Index threads) : before_(limit) {
  if (threads > 0) limit = threads;
}
ThreadLimit::~ThreadLimit() { limit = before_; }

}  // namespace echelon
