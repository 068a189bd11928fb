// base/claim.hpp -- exclusive use of memory by one call at a time, during the lifetime of a Claim.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <string>

#include "echelon/error.hpp"

namespace echelon {

// Throws bad_argument, naming `what`, if another call holds the flag.
class Claim {
 public:
  Claim(std::atomic_flag& busy, const char* what) : busy_(busy) {
    if (busy_.test_and_set(std::memory_order_acquire))
      throw Error(ErrorCode::bad_argument,
                  std::string("this ") + what + " is in use by another thread; give each its own");
  }
  ~Claim() { busy_.clear(std::memory_order_release); }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  std::atomic_flag& busy_;
};

}  // namespace echelon
