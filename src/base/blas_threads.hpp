// base/blas_threads.hpp -- how many threads the BLAS of this process takes.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  OpenBLAS with threads of its own under our threads, or under those of a package, has more
// threads than cores.  The number belongs to the whole process: two callers that set different
// ones at a time disturb each other's speed, not their answers.  The first to set one remembers
// what was before, and the last to leave restores it.
#pragma once

#include "echelon/types.hpp"

namespace echelon {

// 0 where the BLAS is not OpenBLAS, which is the only one that can be asked without its header.
Index blas_threads();
// For the calls from now on.  Does nothing where blas_threads() is 0, or for threads <= 0.
void set_blas_threads(Index threads);

// So many threads for as long as it lives; 0 leaves them as they are.
class BlasThreads {
 public:
  explicit BlasThreads(Index threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  bool sets_;
};

// While our own threads call BLAS.
class OneBlasThread : public BlasThreads {
 public:
  OneBlasThread() : BlasThreads(1) {}
};

}  // namespace echelon
