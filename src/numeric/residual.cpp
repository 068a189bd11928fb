// numeric/residual.cpp -- b - A x row by row, and the errors of x on the way.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Each row is added up in one fixed order by one thread.  Sums over rows are made per
// block of rows and then added in order.  So no bit depends on the number of threads.  A thread
// takes four vectors at a time while it reads a row.
//
// Reference.  Oettli and Prager, Numer. Math. 6 (1964), 405-409.
#include "echelon/residual.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/out_of_memory.hpp"
#include "base/parallel.hpp"
#include "base/prefetch.hpp"
#include "base/refuse.hpp"

namespace echelon {
namespace {

constexpr Offset residual_block = 1 << 10;  // rows that share a sum
constexpr Offset residual_grain = 1 << 13;  // rows below which a second thread does not pay

// --- Matrices as rows.  row(k) is the number of the k-th row; each(k, f) calls f(times, j) for the
// entries of that row, where times(x) is the product of the entry with x and j its column.  Sum is
// the type of the sums, and right(b) a right-hand side in it.

template <class T>
struct CsrRows {
  using Value = T;
  using Sum = T;
  const CsrView<T>& a;

  Index rows() const { return a.rows; }
  Index cols() const { return a.cols; }
  Index row(Index k) const { return k; }
  T right(T b) const { return b; }
  template <class F>
  void each(Index k, const F& f) const {
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p)
      f([v = a.value[p]](T x) { return multiply(v, x); }, a.index[p]);
  }
};

// The diagonal may be kept as its reciprocal: d x is x / (1/d).
template <class T>
struct SplitRows {
  using Value = T;
  using Sum = T;
  const SplitMatrix<T>& a;

  Index rows() const { return a.near.n; }
  Index cols() const { return a.near.n; }
  Index row(Index k) const { return a.near.order[k]; }
  T right(T b) const { return b; }
  template <class F>
  void each(Index k, const F& f) const {
    each_of(a.near, a.near_values, k, f);
    each_of(a.across, a.across_values, k, f);
    const bool divides = a.near_values.form == DiagonalForm::reciprocal;
    f([divides, d = a.near_values.diagonal[k]](T x) { return divides ? x / d : multiply(d, x); },
      row(k));
  }
  template <class F>
  static void each_of(const PackedPattern& pattern, const PackedValues<T>& values, Index k,
                      const F& f) {
    const Offset last = pattern.start[k + 1];
    Offset p = pattern.start[k];
    prefetch_ahead(values.value.data() + p, values.value.data() + last);
    prefetch_ahead(pattern.index.data() + p, pattern.index.data() + last);
    for (; p < last; ++p)
      f([v = values.value[p]](T x) { return multiply(v, x); }, pattern.index[p]);
  }
};

template <class T>
struct TriangleRows {
  using Value = T;
  using Sum = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;
  CsrView<T> a;  // with what lies outside the triangle
  Uplo shape;
  bool unit, conjugated;
  T alpha;

  Index rows() const { return a.rows; }
  Index cols() const { return a.rows; }
  Index row(Index k) const { return k; }
  Sum right(T b) const { return Sum(alpha) * Sum(b); }
  template <class F>
  void each(Index k, const F& f) const {
    for (Offset p = a.start[k]; p < a.start[k + 1]; ++p) {
      const Index j = a.index[p];
      if (j == k ? unit : (shape == Uplo::lower) != (j < k)) continue;
      f([v = Sum(conjugate_if(conjugated, a.value[p]))](T x) { return v * Sum(x); }, j);
    }
    if (unit) f([](T x) { return Sum(x); }, k);
  }
};

// --- The product.

enum class Wanted { residual, componentwise, all };

// Of one vector, over some rows.
struct RowSums {
  double worst = 0;
  long double rest = 0, right = 0, answer = 0, matrix = 0;  // sums of squares

  void note(double error) {
    if (!(error <= worst) && !std::isnan(worst)) worst = error;  // NaN stays
  }
  void add(const RowSums& s) {
    note(s.worst);
    rest += s.rest;
    right += s.right;
    answer += s.answer;
    matrix += s.matrix;
  }
};

template <class Number>
long double square(const Number& a) {
  const auto size = static_cast<long double>(std::abs(a));
  return size * size;
}

// Row k for `columns` vectors.
template <Wanted wanted, int columns, class Rows>
struct ResidualRow {
  using T = typename Rows::Value;
  using Sum = typename Rows::Sum;
  const Rows& rows;
  Vectors<const T> b, x;
  Vectors<T> r;  // no memory: not kept

  void run(Index k, RowSums* sums) const {
    const Index i = rows.row(k);
    const Offset step = x.step(), stride = x.stride();
    Sum s[columns];
    double size[columns];
    long double matrix = 0;
    for (int c = 0; c < columns; ++c) {
      s[c] = rows.right(b.data[i * b.step() + c * b.stride()]);
      if constexpr (wanted != Wanted::residual) size[c] = static_cast<double>(std::abs(s[c]));
      if constexpr (wanted == Wanted::all) sums[c].right += square(s[c]);
    }
    rows.each(k, [&](const auto& times, Index j) {
      for (int c = 0; c < columns; ++c) {
        const Sum product = times(x.data[j * step + c * stride]);
        s[c] -= product;
        if constexpr (wanted != Wanted::residual) size[c] += static_cast<double>(std::abs(product));
      }
      if constexpr (wanted == Wanted::all) matrix += square(times(T(1)));
    });
    for (int c = 0; c < columns; ++c) {
      if constexpr (wanted != Wanted::residual)
        sums[c].note(s[c] == Sum(0) ? 0 : static_cast<double>(std::abs(s[c])) / size[c]);
      if constexpr (wanted == Wanted::all) {
        sums[c].matrix += matrix;
        sums[c].rest += square(s[c]);
        sums[c].answer += square(x.data[i * step + c * stride]);
      }
      if constexpr (std::same_as<Sum, T>)
        if (r.data != nullptr) r.data[i * r.step() + c * r.stride()] = s[c];
    }
  }
};

// The sums of `columns` vectors.
template <Wanted wanted, int columns, class Rows>
void run_rows(const ResidualRow<wanted, columns, Rows>& row, Index threads, RowSums* all) {
  const Index n = row.rows.rows();
  const auto blocks = static_cast<std::size_t>((n + residual_block - 1) / residual_block);
  std::vector<RowSums> sums(wanted == Wanted::residual ? 0 : blocks * columns);
  parallel_blocks(n, residual_block, residual_grain, threads, [&](Offset begin, Offset end, Index) {
    for (Offset k = begin; k < end; ++k)
      row.run(static_cast<Index>(k),
              wanted == Wanted::residual ? nullptr : &sums[k / residual_block * columns]);
  });
  for (std::size_t s = 0; s < sums.size(); ++s) all[s % columns].add(sums[s]);
}

// The sums of each vector.
template <Wanted wanted, class Rows>
std::vector<RowSums> run_product(const Rows& rows, const Vectors<const typename Rows::Value>& b,
                                 const Vectors<const typename Rows::Value>& x,
                                 const Vectors<typename Rows::Value>& r, Index threads) {
  if (b.n != rows.rows() || x.n != rows.cols() || b.count != x.count ||
      (r.data != nullptr && (r.n != rows.rows() || r.count != b.count)))
    refuse("the sizes of the vectors do not fit the matrix");
  if (wanted == Wanted::all && rows.rows() != rows.cols())
    refuse("backward errors need a square matrix");
  return report_bad_alloc("residual", [&] {
    std::vector<RowSums> sums(wanted == Wanted::residual ? 0 : static_cast<std::size_t>(b.count));
    const auto run = [&]<int columns>(Index first) {
      run_rows(
          ResidualRow<wanted, columns, Rows>{rows, b.slice(first, columns), x.slice(first, columns),
                                             r.data == nullptr ? r : r.slice(first, columns)},
          thread_count(threads), sums.data() + (sums.empty() ? 0 : first));
    };
    Index first = 0;
    for (; first + 4 <= b.count; first += 4) run.template operator()<4>(first);
    for (; first < b.count; ++first) run.template operator()<1>(first);
    return sums;
  });
}

template <class Rows>
BackwardErrors errors_of(const Rows& rows, const Vectors<const typename Rows::Value>& b,
                         const Vectors<const typename Rows::Value>& x, Index threads) {
  using T = typename Rows::Value;
  RowSums componentwise, normwise;
  for (const RowSums& s : run_product<Wanted::all>(rows, b, x, Vectors<T>(), threads)) {
    const long double size = std::sqrt(s.right) + std::sqrt(s.matrix) * std::sqrt(s.answer);
    const long double eps = std::numeric_limits<Real<T>>::epsilon();
    componentwise.note(s.worst);
    normwise.note(s.rest == 0 ? 0 : static_cast<double>(std::sqrt(s.rest) / (size * eps)));
  }
  return {componentwise.worst, normwise.worst};
}

}  // namespace

template <Scalar T>
double find_residual(const CsrView<T>& a, const Vectors<const T>& b, const Vectors<const T>& x,
                     const Vectors<T>& r, Index threads) {
  RowSums worst;
  for (const RowSums& s : run_product<Wanted::componentwise>(CsrRows<T>{a}, b, x, r, threads))
    worst.note(s.worst);
  return worst.worst;
}

template <Scalar T>
void find_residual(const SplitMatrix<T>& a, const Vectors<const T>& b, const Vectors<const T>& x,
                   const Vectors<T>& r, Index threads) {
  run_product<Wanted::residual>(SplitRows<T>{a}, b, x, r, threads);
}

template <Scalar T>
BackwardErrors find_backward_errors(const CsrView<T>& a, const Vectors<const T>& b,
                                    const Vectors<const T>& x, Index threads) {
  return errors_of(CsrRows<T>{a}, b, x, threads);
}

template <Scalar T>
BackwardErrors find_backward_errors(const Triangle<T>& m, T alpha, const Vectors<const T>& b,
                                    const Vectors<const T>& x, Index threads) {
  const Index n = m.n();
  Csr<T> turned;
  CsrView<T> rows{n, n, m.stored.start, m.stored.index, m.value};
  if (m.lists() == Order::columns) {
    turned = report_bad_alloc("residual", [&] {
      return to_csr(CscView<T>{n, n, m.stored.start, m.stored.index, m.value});
    });
    rows = turned;
  }
  return errors_of(
      TriangleRows<T>{rows, m.shape(), m.diagonal == Diagonal::unit, m.conjugated(), alpha}, b, x,
      threads);
}

#define ECHELON_INSTANTIATE(T)                                                                 \
  template double find_residual(const CsrView<T>&, const Vectors<const T>&,                    \
                                const Vectors<const T>&, const Vectors<T>&, Index);            \
  template void find_residual(const SplitMatrix<T>&, const Vectors<const T>&,                  \
                              const Vectors<const T>&, const Vectors<T>&, Index);              \
  template BackwardErrors find_backward_errors(const CsrView<T>&, const Vectors<const T>&,     \
                                               const Vectors<const T>&, Index);                \
  template BackwardErrors find_backward_errors(const Triangle<T>&, T, const Vectors<const T>&, \
                                               const Vectors<const T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
