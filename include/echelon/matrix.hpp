// echelon/matrix.hpp -- sparse matrices by rows (Csr), by columns (Csc) and as triplets (Coo), and
// Triangle: one half of a square matrix and how to read it.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Comes after types.hpp; all other modules use it.
//
//       0 1 2 3
//   0 [ 4 . . . ]     by rows:     start = 0 1 2 4 6
//   1 [ . 5 . . ]                  index = 0  1  0 2  1 3
//   2 [ 1 . 6 . ]                  value = 4  5  1 6  2 7
//   3 [ . 2 . 7 ]     by columns:  start = 0 2 4 5 6, index = 0 2  1 3  2  3
//
// Lists need not be sorted.  Values of duplicate entries are added.
#pragma once

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "echelon/buffer.hpp"
#include "echelon/error.hpp"
#include "echelon/types.hpp"

#pragma GCC visibility push(default)
namespace echelon {

// The positions of the nonzeros of a compressed matrix: a view.
struct Pattern {
  Order order = Order::rows;
  Index rows = 0;
  Index cols = 0;
  std::span<const Offset> start;  // size lists()+1; list k holds index[start[k] .. start[k+1])
  std::span<const Index> index;   // columns of a row, or rows of a column

  Index lists() const { return order == Order::rows ? rows : cols; }
  Index width() const { return order == Order::rows ? cols : rows; }  // all indices are below this
  Offset nonzeros() const { return start.empty() ? 0 : start.back(); }
  std::span<const Index> list(Index k) const {
    return index.subspan(static_cast<std::size_t>(start[k]),
                         static_cast<std::size_t>(start[k + 1] - start[k]));
  }
};

// A compressed matrix that owns its arrays.  Csr and Csc differ only in what a list is; a Csc read
// as a Csr is the transpose.
template <Scalar T, Order order>
struct Compressed {
  Index rows = 0;
  Index cols = 0;
  Buffer<Offset> start = Buffer<Offset>(1, 0);
  Buffer<Index> index;
  Buffer<T> value;

  Offset nonzeros() const { return start.back(); }
  Pattern pattern() const { return {order, rows, cols, start, index}; }
};
template <Scalar T>
using Csr = Compressed<T, Order::rows>;
template <Scalar T>
using Csc = Compressed<T, Order::columns>;

// The same for arrays of the caller: nothing is copied.
template <Scalar T, Order order>
struct CompressedView {
  Index rows = 0;
  Index cols = 0;
  std::span<const Offset> start;
  std::span<const Index> index;
  std::span<const T> value;

  CompressedView() = default;
  CompressedView(Index rows_, Index cols_, std::span<const Offset> start_,
                 std::span<const Index> index_, std::span<const T> value_)
      : rows(rows_), cols(cols_), start(start_), index(index_), value(value_) {}
  CompressedView(const Compressed<T, order>& a)  // NOLINT: a view is meant to be implicit
      : rows(a.rows), cols(a.cols), start(a.start), index(a.index), value(a.value) {}
  Offset nonzeros() const { return start.empty() ? 0 : start.back(); }
  Pattern pattern() const { return {order, rows, cols, start, index}; }
};
template <Scalar T>
using CsrView = CompressedView<T, Order::rows>;
template <Scalar T>
using CscView = CompressedView<T, Order::columns>;

// The same for either order, for functions that take both.
template <Scalar T>
struct MatrixView : Pattern {
  std::span<const T> value;

  MatrixView() = default;
  template <Order by>
  MatrixView(const CompressedView<T, by>& a)  // NOLINT: a view is meant to be implicit
      : Pattern(a.pattern()), value(a.value) {}
  template <Order by>
  MatrixView(const Compressed<T, by>& a)  // NOLINT: a view is meant to be implicit
      : Pattern(a.pattern()), value(a.value) {}
};
// Deduces T: MatrixView(a) of any matrix or view above.
template <Scalar T, Order by>
MatrixView(const CompressedView<T, by>&) -> MatrixView<T>;
template <Scalar T, Order by>
MatrixView(const Compressed<T, by>&) -> MatrixView<T>;

// Any compressed matrix, and the type of its values.
template <class A>
concept CompressedMatrix = requires(const A& a) {
  MatrixView(a);
};
template <CompressedMatrix A>
using ScalarOf = typename decltype(MatrixView(std::declval<const A&>()).value)::value_type;

// Arrays of another library: starts and indices of 32 or 64 bits, counted from `base` (0, or 1 as
// in Fortran).  Values are never copied; starts and indices are copied only if their type or base
// differs from ours.  All must outlive the view.  `start` has lists+1 entries.  Throws bad_argument
// for an index beyond 32 bits, std::bad_alloc.
//
//   const auto a = echelon::csr_arrays(n, n, ia, ja, va, 1);
//   echelon::Solver solver(echelon::lower(a.view()));
template <Scalar T, Order order>
class Arrays {
 public:
  template <class Start, class Number>
  Arrays(Index rows, Index cols, const Start* start, const Number* index, const T* value,
         Index base = 0) {
    const auto lists = static_cast<std::size_t>(order == Order::rows ? rows : cols);
    const auto count = static_cast<std::size_t>(start[lists] - base);
    view_ = {rows,
             cols,
             adapt(start, lists + 1, base, start_),
             adapt(index, count, base, index_),
             {value, count}};
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  const CompressedView<T, order>& view() const { return view_; }

 private:
  template <class To, class From>
  static std::span<const To> adapt(const From* from, std::size_t size, Index base,
                                   Buffer<To>& copy) {
    if constexpr (std::is_same_v<To, From>)
      if (base == 0) return {from, size};
    copy.resize(size);
    for (std::size_t k = 0; k < size; ++k) {
      const auto wide = static_cast<Offset>(from[k]) - base;
      copy[k] = static_cast<To>(wide);
      if (copy[k] != wide)
        throw Error(ErrorCode::bad_argument,
                    "index " + std::to_string(wide + base) + " does not fit 32 bits");
    }
    return copy;
  }

  Buffer<Offset> start_;
  Buffer<Index> index_;
  CompressedView<T, order> view_;
};
template <Scalar T, class Start, class Number>
Arrays<T, Order::rows> csr_arrays(Index rows, Index cols, const Start* start, const Number* index,
                                  const T* value, Index base = 0) {
  return {rows, cols, start, index, value, base};
}
template <Scalar T, class Start, class Number>
Arrays<T, Order::columns> csc_arrays(Index rows, Index cols, const Start* start,
                                     const Number* index, const T* value, Index base = 0) {
  return {rows, cols, start, index, value, base};
}

// Triplets in any order.
template <Scalar T>
struct Coo {
  Index rows = 0;
  Index cols = 0;
  Buffer<Index> row;
  Buffer<Index> col;
  Buffer<T> value;
};

// Sorts triplets into rows and adds up duplicates.  O(n + nnz) time and one copy of the entries
// besides the result.  Throws bad_argument for an index out of range.
template <Scalar T>
ECHELON_EXPORT Csr<T> to_csr(const Coo<T>& a);

// Converts between the listings.  Lists of the result are sorted; duplicates stay.  O(n + nnz).
template <Scalar T>
ECHELON_EXPORT Csc<T> to_csc(const CsrView<T>& a);
template <Scalar T>
ECHELON_EXPORT Csr<T> to_csr(const CscView<T>& a);

// A copy of one triangle with the diagonal; lists keep their order.
template <Scalar T>
ECHELON_EXPORT Csr<T> extract_triangle(const CsrView<T>& a, Uplo uplo);

// Throws bad_argument unless start rises from 0 to the size of index and every index is in range;
// the message names the row or column.  O(nnz), on `threads` threads (0: all).
void check_pattern(const Pattern& a, Index threads = 0);

// Checks start only, for callers that check every index themselves.
void check_starts(const Pattern& a, Index threads = 0);

// The pattern of one triangle of a square matrix, for a solve.
//
// The fields say how to read the stored lists; the member functions give the result for M =
// op(triangle), the matrix of the solve.  Loops use these functions, so that no loop needs a second
// version for upper, transposed or column-wise input.
struct TrianglePattern {
  Pattern stored;
  Uplo uplo = Uplo::lower;
  Op op = Op::none;
  Diagonal diagonal = Diagonal::stored;
  OutsideEntries outside = OutsideEntries::error;

  Index n() const { return stored.rows; }
  // Whether a stored list is a row or a column of M.
  Order lists() const {
    const bool by_rows = stored.order == Order::rows;
    return by_rows == (op == Op::none) ? Order::rows : Order::columns;
  }
  // The triangle that M is.
  Uplo shape() const {
    if (op == Op::none) return uplo;
    return uplo == Uplo::lower ? Uplo::upper : Uplo::lower;
  }
  // True if this index of stored list k is strictly inside the triangle.
  bool inside(Index k, Index index) const {
    const bool before = (uplo == Uplo::lower) == (stored.order == Order::rows);
    return before ? index < k : index > k;
  }
};

template <Scalar T>
struct Triangle : TrianglePattern {
  std::span<const T> value;  // one per stored entry

  bool conjugated() const { return is_complex<T> && op == Op::conjugate; }
};

// How to read a triangle.
struct TriangleOptions {
  Op op = Op::none;
  Diagonal diagonal = Diagonal::stored;
  OutsideEntries outside = OutsideEntries::error;
};

template <Scalar T, Order order>
Triangle<T> triangle(const CompressedView<T, order>& a, Uplo uplo, TriangleOptions o = {}) {
  return {{a.pattern(), uplo, o.op, o.diagonal, o.outside}, a.value};
}
template <Scalar T, Order order>
Triangle<T> lower(const CompressedView<T, order>& a, TriangleOptions o = {}) {
  return triangle(a, Uplo::lower, o);
}
template <Scalar T, Order order>
Triangle<T> upper(const CompressedView<T, order>& a, TriangleOptions o = {}) {
  return triangle(a, Uplo::upper, o);
}
template <Scalar T, Order order>
Triangle<T> lower(const Compressed<T, order>& a, TriangleOptions o = {}) {
  return lower(CompressedView<T, order>(a), o);
}
template <Scalar T, Order order>
Triangle<T> upper(const Compressed<T, order>& a, TriangleOptions o = {}) {
  return upper(CompressedView<T, order>(a), o);
}

// Several vectors of n numbers: a view.  Entry i of vector k is data[i*step() + k*stride()].
template <class T>
struct Vectors {
  T* data = nullptr;
  Index n = 0;
  Index count = 1;
  Offset leading = 0;  // distance of vectors (column_major) or of rows (row_major)
  Layout layout = Layout::column_major;

  Vectors() = default;
  Vectors(T* data_, Index n_, Index count_ = 1, Offset leading_ = 0,
          Layout layout_ = Layout::column_major)
      : data(data_), n(n_), count(count_), leading(leading_), layout(layout_) {
    if (leading == 0) leading = layout == Layout::column_major ? n : count;
  }
  operator Vectors<const T>() const  // NOLINT: a view to read is meant to be implicit
      requires(!std::is_const_v<T>) {
    return {data, n, count, leading, layout};
  }
  Offset step() const { return layout == Layout::column_major ? 1 : leading; }
  Offset stride() const { return layout == Layout::column_major ? leading : 1; }
  // `some` vectors, from vector k on.
  Vectors slice(Index k, Index some) const {
    return {data + k * stride(), n, some, leading, layout};
  }
};

// Throws bad_argument unless b and x have n entries, the same count and layout, and are the same
// memory or do not overlap.
template <Scalar T>
ECHELON_EXPORT void check_vectors(Index n, const Vectors<const T>& b, const Vectors<T>& x);

}  // namespace echelon
#pragma GCC visibility pop
