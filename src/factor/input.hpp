// factor/input.hpp -- checks and sorts the matrix to be factored, and adds up duplicates.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

// The part of the matrix that a factorization reads.
enum class Half {
  both,   // all of it
  lower,  // the lower triangle of a Hermitian matrix
};

// The matrix to be factored, with sorted lists and without duplicates.  Uses the caller's arrays if
// they are so already and in the wanted order, else a sorted copy of the wanted half.  Throws
// bad_argument unless the matrix is square and its arrays fit together; not_finite with the entry.
template <Scalar T>
class SortedInput {
 public:
  SortedInput(const MatrixView<T>& a, Half half, Order wanted);
  SortedInput(const SortedInput&) = delete;
  SortedInput& operator=(const SortedInput&) = delete;

  // Entries of the caller's arrays outside the half are still there; they may be anything.
  const MatrixView<T>& view() const { return view_; }
  bool borrowed() const { return borrowed_; }

  // Copies the values if they are the caller's, so that they may be changed.
  T* own_values();
  // The half by rows, to be overwritten; `wanted` was rows.  Leaves the input empty.
  Csr<T> take_rows();

 private:
  template <Order order>
  void keep(Compressed<T, order>&& sorted);

  MatrixView<T> view_;
  Half half_;
  bool borrowed_ = true;
  Buffer<Offset> start_;
  Buffer<Index> index_;
  Buffer<T> value_;
};

// Diagonal entries that are zero or not stored.
template <Scalar T>
Index count_zero_diagonal(const MatrixView<T>& a) {
  Index zeros = a.cols;
  for (Index k = 0; k < a.lists(); ++k)
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p)
      if (a.index[p] == k && a.value[p] != T(0)) --zeros;
  return zeros;
}

// Whether every entry has a mirrored entry; values may differ.  Lists must be sorted.
bool has_symmetric_pattern(const Pattern& a);

// `start` in 32 bits, for a package; throws bad_argument, naming the package, if one is above
// `limit`.
std::vector<int> narrow_starts(std::span<const Offset> start, Offset limit, const char* package);

}  // namespace echelon
