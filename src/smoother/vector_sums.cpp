// smoother/vector_sums.cpp -- norms, copies and sums of vectors.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  Norms are added up from the first entry to the last, so that no bit depends on the
// number of threads.
#include "smoother/vector_sums.hpp"

#include <cmath>
#include <limits>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 13;  // rows below which a second thread does not pay

// Calls f(entry of from, entry of to) for all entries.
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

#define ECHELON_INSTANTIATE(T)                                                   \
  template std::vector<double> find_norms(const Vectors<const T>&);              \
  template void copy_vectors(const Vectors<const T>&, const Vectors<T>&, Index); \
  template void add_vectors(const Vectors<const T>&, const Vectors<T>&, Index);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
