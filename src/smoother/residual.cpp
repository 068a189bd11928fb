// smoother/residual.cpp -- b - A x row by row, and sums over vectors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Every row is added up in one fixed order, and norms from the first entry to the last, so
// nothing depends on the number of threads.  The diagonal is kept as its reciprocal: d x is x /
// (1/d).
#include "smoother/residual.hpp"

#include <cmath>
#include <limits>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/parallel.hpp"
#include "base/prefetch.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 13;  // rows below which a second thread does not pay

template <class T>
T times_diagonal(const PackedValues<T>& values, Index k, T x) {
  return values.form == DiagonalForm::reciprocal ? x / values.diagonal[k]
                                                 : multiply(values.diagonal[k], x);
}

// `columns` vectors of b, x and r from the first on.
template <class T, int columns>
struct ResidualRows {
  const SplitMatrix<T>& a;
  Vectors<const T> b, x;
  Vectors<T> r;

  void subtract(const PackedPattern& pattern, const PackedValues<T>& values, Index k, T* s) const {
    const Offset step = x.step(), stride = x.stride(), last = pattern.start[k + 1];
    Offset p = pattern.start[k];
    prefetch_ahead(values.value.data() + p, values.value.data() + last);
    prefetch_ahead(pattern.index.data() + p, pattern.index.data() + last);
    for (; p < last; ++p)
      for (int c = 0; c < columns; ++c)
        s[c] -= multiply(values.value[p], x.data[pattern.index[p] * step + c * stride]);
  }
  void operator()(Offset begin, Offset end, Index) const {
    for (auto k = static_cast<Index>(begin); k < end; ++k) {
      const Index i = a.near.order[k];
      T s[columns];
      for (int c = 0; c < columns; ++c) s[c] = b.data[i * b.step() + c * b.stride()];
      subtract(a.near, a.near_values, k, s);
      subtract(a.across, a.across_values, k, s);
      for (int c = 0; c < columns; ++c)
        r.data[i * r.step() + c * r.stride()] =
            s[c] - times_diagonal(a.near_values, k, x.data[i * x.step() + c * x.stride()]);
    }
  }
};

// Calls f(i, entry of from, entry of to) for all entries.
template <class T, class F>
void for_each_entry(const Vectors<const T>& from, const Vectors<T>& to, Index threads, const F& f) {
  parallel_pieces(to.n, grain, threads, [&](Offset begin, Offset end, Index) {
    for (Index c = 0; c < to.count; ++c)
      for (Offset i = begin; i < end; ++i)
        f(from.data[i * from.step() + c * from.stride()], to.data[i * to.step() + c * to.stride()]);
  });
}

template <class T>
double largest_part(T a) {
  if constexpr (is_complex<T>)
    return std::max(std::abs(double{a.real()}), std::abs(double{a.imag()}));
  else
    return std::abs(double{a});
}

double square(double a) { return a * a; }

template <class T>
double norm_of(const T* r, Index n, Offset step) {
  double most = 0;
  for (Index i = 0; i < n; ++i) {
    const double size = largest_part(r[i * step]);
    if (!std::isfinite(size)) return std::numeric_limits<double>::infinity();
    most = std::max(most, size);
  }
  if (most == 0) return 0;
  double sum = 0;
  for (Index i = 0; i < n; ++i) {
    const T a = r[i * step];
    if constexpr (is_complex<T>)
      sum += square(a.real() / most) + square(a.imag() / most);
    else
      sum += square(a / most);
  }
  return most * std::sqrt(sum);
}

}  // namespace

template <Scalar T>
void find_residual(const SplitMatrix<T>& a, const Vectors<const T>& b, const Vectors<const T>& x,
                   const Vectors<T>& r, Index threads) {
  const auto run = [&]<int columns>(Index first) {
    parallel_pieces(a.near.n, grain, threads,
                    ResidualRows<T, columns>{a, b.slice(first, columns), x.slice(first, columns),
                                             r.slice(first, columns)});
  };
  Index first = 0;
  for (; first + 4 <= x.count; first += 4) run.template operator()<4>(first);
  for (; first < x.count; ++first) run.template operator()<1>(first);
}

template <Scalar T>
std::vector<double> find_norms(const Vectors<const T>& r) {
  std::vector<double> norms;
  norms.reserve(static_cast<std::size_t>(r.count));
  for (Index c = 0; c < r.count; ++c)
    norms.push_back(norm_of(r.data + c * r.stride(), r.n, r.step()));
  return norms;
}

template <Scalar T>
void copy_vectors(const Vectors<const T>& from, const Vectors<T>& to, Index threads) {
  for_each_entry(from, to, threads, [](const T& a, T& b) { b = a; });
}

template <Scalar T>
void add_vectors(const Vectors<const T>& r, const Vectors<T>& x, Index threads) {
  for_each_entry(r, x, threads, [](const T& a, T& b) { b += a; });
}

#define ECHELON_INSTANTIATE(T)                                                    \
  template void find_residual(const SplitMatrix<T>&, const Vectors<const T>&,     \
                              const Vectors<const T>&, const Vectors<T>&, Index); \
  template std::vector<double> find_norms(const Vectors<const T>&);               \
  template void copy_vectors(const Vectors<const T>&, const Vectors<T>&, Index);  \
  template void add_vectors(const Vectors<const T>&, const Vectors<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
