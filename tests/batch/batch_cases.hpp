// tests/batch/batch_cases.hpp -- batches of random triangles, each system held against the oracle;
// for the CPU and for a device.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "echelon/batch.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon::test {

// How a batch is made and solved.
struct BatchCase {
  Index n = 40, count = 13, nrhs = 1;
  Uplo uplo = Uplo::lower;
  TriangleOptions read = {
      .op = Op::none, .diagonal = Diagonal::stored, .outside = OutsideEntries::ignore};
  Op op = Op::none;  // of the solve
  Order order = Order::rows;
  Layout layout = Layout::column_major;
  Index per_row = 4;
  Offset gap = 3;  // between the values of two systems
  bool in_place = false;

  std::string text() const {
    return "n " + std::to_string(n) + ", count " + std::to_string(count) + ", nrhs " +
           std::to_string(nrhs) + ", " + name(uplo) + ", read " + name(read.op) + ", solve " +
           name(op) + ", " + name(read.diagonal) + ", by " + name(order) + ", " + name(layout);
  }
};

// One pattern and the values of `count` systems.
template <Scalar T>
struct RandomBatch {
  explicit RandomBatch(const BatchCase& c, unsigned seed = 1) {
    rows = random_matrix<T>({.n = c.n, .per_row = c.n > 1 ? c.per_row : 0, .sorted = false});
    columns = to_csc(CsrView<T>(rows));
    by_rows = c.order == Order::rows;
    nnz = rows.nonzeros();
    stride = nnz + c.gap;
    values.assign(static_cast<std::size_t>(stride * c.count), number<T>(-7, 7));
    for (Index k = 0; k < c.count; ++k) set(k, seed);
  }
  // The diagonal stays dominant.
  void set(Index k, unsigned seed) {
    const Buffer<T>& from = by_rows ? rows.value : columns.value;
    for (Offset p = 0; p < nnz; ++p)
      values[k * stride + p] = from[p] * Real<T>(1 + 0.1 * ((k * 7 + p * 3 + seed) % 5));
  }
  Triangle<T> triangle(const BatchCase& c, Index k) const {
    Triangle<T> t = by_rows ? echelon::triangle(CsrView<T>(rows), c.uplo, c.read)
                            : echelon::triangle(CscView<T>(columns), c.uplo, c.read);
    t.value = std::span<const T>(values).subspan(k * stride, nnz);
    return t;
  }
  BatchValues<T> view() const { return {values.data(), count(), stride}; }
  Index count() const { return static_cast<Index>(values.size() / stride); }
  // Where the diagonal entry of row i of a system is stored.
  Offset diagonal(Index i) const {
    const auto& start = by_rows ? rows.start : columns.start;
    const auto& index = by_rows ? rows.index : columns.index;
    Offset p = start[i];
    while (index[p] != i) ++p;
    return p;
  }

  Csr<T> rows;
  Csc<T> columns;
  bool by_rows = true;
  Offset nnz = 0, stride = 0;
  std::vector<T> values;
};

template <Scalar T>
std::vector<T> vector_of(const Vectors<const T>& all, Index v) {
  std::vector<T> one;
  for (Index i = 0; i < all.n; ++i) one.push_back(all.data[i * all.step() + v * all.stride()]);
  return one;
}

// Vectors with gaps between them.
template <class P>
Vectors<P> batch_vectors(const BatchCase& c, P* data) {
  const Index count = c.count * c.nrhs;
  return {data, c.n, count, (c.layout == Layout::column_major ? c.n : count) + 2, c.layout};
}
inline std::size_t batch_vectors_size(const BatchCase& c) {
  const Offset count = Offset{c.count} * c.nrhs;
  return static_cast<std::size_t>(c.layout == Layout::column_major ? (c.n + 2) * count
                                                                   : (count + 2) * c.n);
}

constexpr double batch_accepted = 8;  // backward error in roundings

// x holds the answers of all systems that are not in `without`.
template <Scalar T>
void expect_answers(const BatchCase& c, const RandomBatch<T>& batch, const std::vector<T>& b,
                    const std::vector<T>& x, T alpha, const std::vector<Index>& without = {}) {
  for (Index k = 0; k < c.count; ++k) {
    if (std::find(without.begin(), without.end(), k) != without.end()) continue;
    Triangle<T> t = batch.triangle(c, k);
    if (c.op != Op::none) t.op = c.op;
    for (Index r = 0; r < c.nrhs; ++r) {
      const auto own_b = vector_of(Vectors<const T>(batch_vectors(c, b.data())), k * c.nrhs + r);
      const auto own_x = vector_of(Vectors<const T>(batch_vectors(c, x.data())), k * c.nrhs + r);
      ASSERT_LE(backward_error(t, own_b, own_x, alpha), batch_accepted)
          << c.text() << ", system " << k << ", right-hand side " << r;
    }
  }
}

// Solves from host memory.
template <Scalar T>
void expect_batch(const BatchCase& c, const BatchOptions& o) {
  const RandomBatch<T> batch(c);
  const BatchSolver<T> many(batch.triangle(c, 0), batch.view(), o);
  EXPECT_EQ(many.report().backend, o.solver.backend);
  for (const T alpha : {T(1), number<T>(0.5, 0.25)}) {
    const auto b = random_vector<T>(batch_vectors_size(c));
    std::vector<T> x = c.in_place ? b : std::vector<T>(b.size(), number<T>(9));
    many.solve(batch_vectors<const T>(c, c.in_place ? x.data() : b.data()),
               batch_vectors(c, x.data()), {.alpha = alpha, .op = c.op});
    expect_answers<T>(c, batch, b, x, alpha);
  }
  EXPECT_TRUE(many.failed().empty()) << c.text();
}

// The cases that all backends and scalars have to solve.
inline std::vector<BatchCase> batch_cases() {
  std::vector<BatchCase> cases;
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Order order : {Order::rows, Order::columns})
      for (const Diagonal diagonal : {Diagonal::stored, Diagonal::unit})
        for (const Op op : {Op::none, Op::transpose, Op::conjugate}) {
          BatchCase c{.uplo = uplo, .op = op, .order = order};
          c.read.diagonal = diagonal;
          if (diagonal == Diagonal::unit) c.per_row = 1;  // answers stay small
          cases.push_back(c);
          c.op = Op::none;
          c.read.op = op;
          cases.push_back(c);
        }
  for (const Op op : {Op::none, Op::transpose}) {
    for (const Index n : {0, 1, 2, 33, 300}) cases.push_back({.n = n, .op = op});
    for (const Index count : {0, 1, 7, 8, 16, 17, 70}) cases.push_back({.count = count, .op = op});
    for (const Index nrhs : {3, 16})
      for (const Layout layout : {Layout::column_major, Layout::row_major})
        cases.push_back({.nrhs = nrhs, .op = op, .layout = layout});
    cases.push_back({.n = 150, .op = op, .per_row = 120});
    cases.push_back({.op = op, .gap = 0});
    cases.push_back({.op = op, .in_place = true});
  }
  return cases;
}

// System 5 gets a zero on its diagonal, system 9 a NaN, and 11 a right-hand side with a NaN.
template <Scalar T>
void expect_failures(const BatchOptions& o) {
  const Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  for (const Op op : {Op::none, Op::transpose}) {
    const BatchCase c{.nrhs = 3, .op = op};
    RandomBatch<T> batch(c);
    batch.values[5 * batch.stride + batch.diagonal(7)] = T(0);
    batch.values[9 * batch.stride + batch.diagonal(3)] = T(nan);
    BatchSolver<T> many(batch.triangle(c, 0), batch.view(), o);
    EXPECT_EQ(many.report().refused, 2);
    auto b = random_vector<T>(batch_vectors_size(c));
    batch_vectors(c, b.data()).slice(11 * c.nrhs + 1, 1).data[20] = T(nan);
    std::vector<T> x(b.size());
    many.solve(batch_vectors<const T>(c, b.data()), batch_vectors(c, x.data()), {.op = op});
    EXPECT_EQ(many.failed(), (std::vector<Index>{5, 9, 11}));
    expect_answers<T>(c, batch, b, x, T(1), {5, 9, 11});
    for (const T v : vector_of(Vectors<const T>(batch_vectors(c, x.data())), 5 * c.nrhs))
      EXPECT_NE(v, v);

    // New values and a new right-hand side: all is well.
    for (Index k = 0; k < c.count; ++k) batch.set(k, 2);
    many.update(batch.view());
    const auto good = random_vector<T>(batch_vectors_size(c));
    many.solve(batch_vectors<const T>(c, good.data()), batch_vectors(c, x.data()), {.op = op});
    EXPECT_TRUE(many.failed().empty());
    EXPECT_NO_THROW(many.check());
    expect_answers<T>(c, batch, good, x, T(1));
  }
}

}  // namespace echelon::test
