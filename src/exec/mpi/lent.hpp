// exec/mpi/lent.hpp -- memory that MPI may hold longer than the call that lent it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Why.  A call that has waited too long throws, but what it asked of MPI cannot be taken back: when
// the late rank comes after all, MPI still reads and writes there.  So memory given to MPI is given
// back only as long as the ranks are together.
#pragma once

#include <utility>

namespace echelon {

template <class T>
class Lent {
 public:
  // `broken` as Communicator::broken(), which outlives it.
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
