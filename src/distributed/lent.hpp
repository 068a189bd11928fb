// distributed/lent.hpp -- memory lent to MPI, which may use it longer than the call that lent it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  A call that times out throws, but its MPI requests cannot be withdrawn: if the late rank
// arrives after all, MPI still reads and writes this memory.  So memory given to MPI is freed only
// if the communicator is not broken.
#pragma once

#include <utility>

namespace echelon {

template <class T>
class Lent {
 public:
  // `broken`: Communicator::broken(), which outlives this object.
  explicit Lent(const bool& broken, T value = {})
      : broken_(broken), value_(new T(std::move(value))) {}
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if (!broken_) delete value_;
  }

  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }

 private:
  const bool& broken_;
  T* value_;
};

}  // namespace echelon
