// exec/cuda/solve_status.cuh -- how solves went: words that kernels raise and the host reads.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  The words lie in memory of the host that the device can write.  A kernel only ever
// stores 1, and whatever it has stored is seen by the host when the kernel is done.  The host takes
// them at any time, without waiting, and leaves 0.
#pragma once

#include <atomic>

#include "exec/cuda/check.cuh"

namespace echelon {

struct StatusWords {
  unsigned not_finite;  // an answer is
  unsigned given_up;    // the watchdog ended a solve
};

class SolveStatus {
 public:
  SolveStatus() {
    void* memory = nullptr;
    check_cuda(cudaHostAlloc(&memory, sizeof(StatusWords), cudaHostAllocMapped), "cudaHostAlloc");
    words_ = static_cast<StatusWords*>(memory);
    *words_ = {0, 0};
    check_cuda(cudaHostGetDevicePointer(&memory, words_, 0), "cudaHostGetDevicePointer");
    on_device_ = static_cast<StatusWords*>(memory);
  }
  SolveStatus(const SolveStatus&) = delete;
  SolveStatus& operator=(const SolveStatus&) = delete;
  ~SolveStatus() { cudaFreeHost(words_); }

  StatusWords* on_device() const { return on_device_; }  // for kernels

  // False if an answer was not finite.  Throws backend_failed if a solve was given up.
  bool check() const {
    const bool finite = take(words_->not_finite) == 0;
    if (take(words_->given_up) != 0)
      throw Error(ErrorCode::backend_failed,
                  "a solve on the device took longer than cuda.watchdog_ms and was given up");
    return finite;
  }

 private:
  static unsigned take(unsigned& word) {
    return std::atomic_ref(word).exchange(0, std::memory_order_acq_rel);
  }

  StatusWords* words_ = nullptr;
  StatusWords* on_device_ = nullptr;  // the same words as the device names them
};

}  // namespace echelon
