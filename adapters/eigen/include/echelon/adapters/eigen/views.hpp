// echelon/adapters/eigen/views.hpp -- Eigen's sparse matrices as arrays of ours, and its dense ones
// as Vectors, without copies of values where Eigen has them in memory.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "echelon/matrix.hpp"

namespace echelon::eigen {

// Throws bad_argument if a size is beyond 32 bits.
inline Index narrow(Eigen::Index size) {
  if (size > std::numeric_limits<Index>::max())
    throw Error(ErrorCode::bad_argument, "Eigen's matrix has " + std::to_string(size) +
                                             " rows or columns, beyond 32-bit indices");
  return static_cast<Index>(size);
}

// The arrays of a SparseMatrix, a Map or a Ref of one.  What is not compressed, and expressions
// such as A + B, are evaluated into a copy.  The matrix must outlive this.
template <class Matrix>
class SparseArrays {
 public:
  using T = typename Matrix::Scalar;
  static constexpr Order order = Matrix::IsRowMajor ? Order::rows : Order::columns;

  explicit SparseArrays(const Matrix& a) : arrays_(see(a, copy_)) {}
  const CompressedView<T, order>& view() const { return arrays_.view(); }
  bool copied() const { return copy_.has_value(); }

 private:
  static constexpr int storage = Matrix::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor;
  using Copy = Eigen::SparseMatrix<T, storage, typename Matrix::StorageIndex>;

  static Arrays<T, order> see(const Matrix& a, std::optional<Copy>& copy) {
    if constexpr (std::is_base_of_v<Eigen::SparseCompressedBase<Matrix>, Matrix>) {
      const auto* const start = a.outerIndexPtr();
      if (start != nullptr && a.isCompressed() && start[0] == 0) return arrays_of(a);
    }
    copy.emplace(a);
    copy->makeCompressed();
    return arrays_of(*copy);
  }
  template <class Compressed>
  static Arrays<T, order> arrays_of(const Compressed& a) {
    return {narrow(a.rows()), narrow(a.cols()), a.outerIndexPtr(), a.innerIndexPtr(), a.valuePtr()};
  }

  std::optional<Copy> copy_;
  Arrays<T, order> arrays_;
};

// A dense matrix, vector, Map or block as right-hand sides: column- or row-major, also a vector
// with any stride.  Empty if neither its rows nor its columns are contiguous.
template <class Dense>
auto vectors(Dense& x) {
  using T = std::conditional_t<std::is_const_v<Dense>, const typename Dense::Scalar,
                               typename Dense::Scalar>;
  std::optional<Vectors<T>> v;
  const Index n = narrow(x.rows()), count = narrow(x.cols());
  const Offset down = x.rowStride(), across = x.colStride();
  if (down == 1)
    v.emplace(x.data(), n, count, count > 1 ? across : n);
  else if (across == 1 || count == 1)
    v.emplace(x.data(), n, count, down, Layout::row_major);
  return v;
}

template <class Dense>
inline constexpr bool has_memory = (Dense::Flags & Eigen::DirectAccessBit) != 0;

// A single vector has a layout of either kind.
template <class T>
void as_rows(Vectors<T>& v) {
  if (v.count != 1 || v.layout == Layout::row_major) return;
  v.layout = Layout::row_major;
  v.leading = 1;
}

// b as Vectors of the layout of x; empty if that takes a copy.
template <class T, class Rhs>
std::optional<Vectors<const T>> vectors_like(Vectors<T>& x, const Rhs& b) {
  std::optional<Vectors<const T>> from;
  if constexpr (has_memory<Rhs> && std::is_same_v<typename Rhs::Scalar, T>) {
    from = vectors(b);
    if (from && from->layout != x.layout) {
      as_rows(*from);
      as_rows(x);
      if (from->layout != x.layout) from.reset();
    }
  }
  return from;
}

// Calls solve(b, x) with Vectors.  Where b has to be copied, x takes the copy and is solved in
// place.
template <class T, class Rhs, class Dest, class Solve>
void solve_dense(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x, const Solve& solve) {
  if constexpr (has_memory<Dest> && std::is_same_v<typename Dest::Scalar, T>) {
    if (auto to = vectors(x.derived())) {
      if (const auto from = vectors_like(*to, b.derived())) return solve(*from, *to);
      x.derived() = b.derived().template cast<T>();
      return solve(Vectors<const T>(*to), *to);
    }
  }
  Eigen::Matrix<T, Rhs::RowsAtCompileTime, Rhs::ColsAtCompileTime,
                Rhs::ColsAtCompileTime == 1 ? Eigen::ColMajor : Eigen::AutoAlign>
      copy = b.derived().template cast<T>();
  const auto to = vectors(copy);
  solve(Vectors<const T>(*to), *to);
  x.derived() = copy;
}

}  // namespace echelon::eigen
