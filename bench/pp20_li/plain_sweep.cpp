// bench/pp20_li/plain_sweep.cpp -- the loops themselves.
// SPDX-License-Identifier: BSD-3-Clause
#include "pp20_li/plain_sweep.hpp"

namespace echelon::bench {

template <Scalar T>
PlainSweep<T>::PlainSweep(const Csr<T>& a) : a_(a), diagonal_(a.rows), inverse_(a.rows) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) {
        diagonal_[i] = p;
        inverse_[i] = T(1) / a.value[p];
      }
}

template <Scalar T>
template <bool forward>
void PlainSweep<T>::whole_rows(Real<T> omega, const T* b, T* x) const {
  const Offset* const start = a_.start.data();
  const Index* const index = a_.index.data();
  const T* const value = a_.value.data();
  for (Index k = 0; k < a_.rows; ++k) {
    const Index i = forward ? k : a_.rows - 1 - k;
    T s = b[i];
    for (Offset p = start[i]; p < start[i + 1]; ++p) s -= value[p] * x[index[p]];
    x[i] += omega * s * inverse_[i];
  }
}

template <Scalar T>
template <bool forward>
void PlainSweep<T>::split_rows(Real<T> omega, const T* b, T* x) const {
  const Offset* const start = a_.start.data();
  const Index* const index = a_.index.data();
  const T* const value = a_.value.data();
  for (Index k = 0; k < a_.rows; ++k) {
    const Index i = forward ? k : a_.rows - 1 - k;
    T s = b[i];
    for (Offset p = start[i]; p < diagonal_[i]; ++p) s -= value[p] * x[index[p]];
    for (Offset p = diagonal_[i] + 1; p < start[i + 1]; ++p) s -= value[p] * x[index[p]];
    x[i] = (1 - omega) * x[i] + omega * s * inverse_[i];
  }
}

template <Scalar T>
void PlainSweep<T>::sweep(PlainLoop loop, Sweep direction, double omega, const T* b, T* x) const {
  const auto w = static_cast<Real<T>>(omega);
  const bool whole = loop == PlainLoop::whole_row;
  if (direction != Sweep::backward) whole ? whole_rows<true>(w, b, x) : split_rows<true>(w, b, x);
  if (direction != Sweep::forward) whole ? whole_rows<false>(w, b, x) : split_rows<false>(w, b, x);
}

template class PlainSweep<float>;
template class PlainSweep<double>;
template class PlainSweep<std::complex<float>>;
template class PlainSweep<std::complex<double>>;

}  // namespace echelon::bench
