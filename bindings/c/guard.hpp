// bindings/c/guard.hpp -- no exception crosses into C: calls become a status and a kept error.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <string>

#include "echelon.h"
#include "echelon/error.hpp"
#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon::c {

// Status out_of_memory with an empty text stands for `no_memory`: there was none for the text.
struct Failure {
  echelon_status status = ECHELON_OK;
  std::int64_t row = -1;
  std::string text;
};

// The last failure of a handle, which several threads may use.
class Slot {
 public:
  void put(Failure&& failure) noexcept;
  Failure get() const;

 private:
  mutable std::mutex mutex_;
  Failure failure_;
};

[[noreturn]] inline void refuse(const std::string& text) {
  throw Error(ErrorCode::bad_argument, text);
}

// Refuses a NULL handle.  Its cause is often a failure that was not looked at: the text names the
// last one of this thread.
[[noreturn]] void refuse_null(const std::string& text);

// Inside a catch block: the current exception, kept for this thread and for the handle (if any).
// Rows count from `base`, which may be set while f runs.  Does not throw.
echelon_status keep_failure(Slot* slot, const Index& base) noexcept;

// Calls f.  All functions of the C interface that can fail go through here.
template <class F>
echelon_status guard(Slot* slot, const Index& base, F&& f) noexcept {
  try {
    f();
    return ECHELON_OK;
  } catch (...) {
    return keep_failure(slot, base);
  }
}

}  // namespace echelon::c
#pragma GCC visibility pop
