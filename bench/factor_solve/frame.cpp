// bench/factor_solve/frame.cpp -- converts vectors between the order of a matrix and of its
// factors, and composes a whole solve from a contender's phases.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor_solve/frame.hpp"

#include "factor_solve/factor_contender.hpp"

namespace echelon::bench {
namespace {

Index at(const std::vector<Index>& order, Index i) { return order.empty() ? i : order[i]; }

template <class R>
R factor_at(const std::vector<R>& scale, Index i) {
  return scale.empty() ? R(1) : scale[i];
}

template <Scalar T>
Vectors<T> vectors_in(Buffer<T>& space, const Vectors<const T>& like) {
  space.resize(static_cast<std::size_t>(like.n) * static_cast<std::size_t>(like.count));
  return {space.data(), like.n, like.count};
}

}  // namespace

template <Scalar T>
void enter(const Frame<T>& f, const Vectors<const T>& b, const Vectors<T>& z) {
  for (Index k = 0; k < b.count; ++k)
    for (Index i = 0; i < b.n; ++i) {
      const Index row = at(f.row_order, i);
      z.data[i + k * z.leading] = factor_at(f.row_scale, row) * b.data[row + k * b.leading];
    }
}

template <Scalar T>
void divide(const Frame<T>& f, const Vectors<T>& z) {
  if (f.diagonal.empty()) return;
  for (Index k = 0; k < z.count; ++k)
    for (Index i = 0; i < z.n; ++i) z.data[i + k * z.leading] /= f.diagonal[i];
}

template <Scalar T>
void leave(const Frame<T>& f, const Vectors<const T>& z, const Vectors<T>& x) {
  for (Index k = 0; k < x.count; ++k)
    for (Index j = 0; j < x.n; ++j) {
      const Index col = at(f.col_order, j);
      x.data[col + k * x.leading] = factor_at(f.col_scale, col) * z.data[j + k * z.leading];
    }
}

template <Scalar T>
void solve_whole(const FactorEntrant<T>& entrant, const std::vector<Phase>& phases,
                 const Vectors<const T>& b, const Vectors<T>& x) {
  if (phases.front() == Phase::whole) {
    entrant.solve(Phase::whole, b, x);
    return;
  }
  Buffer<T> space;
  Buffer<T> other;
  Vectors<T> z = vectors_in(space, b);
  Vectors<T> y = vectors_in(other, b);
  enter(entrant.frame, b, z);
  for (const Phase phase : phases) {
    entrant.solve(phase, z, y);
    std::swap(y, z);
    if (phase == Phase::lower) divide(entrant.frame, z);
  }
  leave<T>(entrant.frame, z, x);
}

#define ECHELON_INSTANTIATE(T)                                                      \
  template void enter(const Frame<T>&, const Vectors<const T>&, const Vectors<T>&); \
  template void divide(const Frame<T>&, const Vectors<T>&);                         \
  template void leave(const Frame<T>&, const Vectors<const T>&, const Vectors<T>&); \
  template void solve_whole(const FactorEntrant<T>&, const std::vector<Phase>&,     \
                            const Vectors<const T>&, const Vectors<T>&);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::bench
