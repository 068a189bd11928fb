// base/blas_threads.hpp -- the number of threads that the BLAS of this process uses.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  If OpenBLAS starts its own threads under Echelon's threads, or under those of a
// factorization package, there are more threads than cores.  The number is global to the process:
// two callers that set different numbers at the same time change each other's speed, not their
// results.  The first live BlasThreads saves the previous number, and the last one restores it.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// 0 if the BLAS is not OpenBLAS: only OpenBLAS can be queried without its header.
Index blas_threads();
// For all later calls.  Does nothing if blas_threads() is 0 or threads <= 0.
void set_blas_threads(Index threads);

// Sets the number of threads during its lifetime; 0 leaves the number unchanged.
class BlasThreads {
 public:
  explicit BlasThreads(Index threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  bool sets_;
};

// For code whose own threads call BLAS.
class OneBlasThread : public BlasThreads {
 public:
  OneBlasThread() : BlasThreads(1) {}
};

}  // namespace echelon
