// bench/gauss_seidel/plain_sweep.cpp -- the serial Gauss-Seidel loops.
// SPDX-License-Identifier: BSD-3-Clause
#include "gauss_seidel/plain_sweep.hpp"

namespace echelon::bench {

template <Scalar T>
PlainSweep<T>::PlainSweep(const Csr<T>& a, double omega)
    : a_(a), omega_(static_cast<Real<T>>(omega)), diagonal_(a.rows), inverse_(a.rows) {
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (a.index[p] == i) {
        diagonal_[i] = p;
        inverse_[i] = omega_ / a.value[p];
      }
}

template <Scalar T>
template <bool forward>
void PlainSweep<T>::whole_rows(const T* b, T* x) const {
  const Offset* const start = a_.start.data();
  const Index* const index = a_.index.data();
  const T* const value = a_.value.data();
  const T* const inverse = inverse_.data();
  for (Index k = 0; k < a_.rows; ++k) {
    const Index i = forward ? k : a_.rows - 1 - k;
    T s = b[i];
    for (Offset p = start[i]; p < start[i + 1]; ++p) s -= value[p] * x[index[p]];
    x[i] += s * inverse[i];
  }
}

template <Scalar T>
template <bool forward, bool keeps>
void PlainSweep<T>::split_rows(const T* b, T* x) const {
  const Offset* const start = a_.start.data();
  const Index* const index = a_.index.data();
  const T* const value = a_.value.data();
  const T* const inverse = inverse_.data();
  const Offset* const diagonal = diagonal_.data();
  for (Index k = 0; k < a_.rows; ++k) {
    const Index i = forward ? k : a_.rows - 1 - k;
    T s = b[i];
    for (Offset p = start[i]; p < diagonal[i]; ++p) s -= value[p] * x[index[p]];
    for (Offset p = diagonal[i] + 1; p < start[i + 1]; ++p) s -= value[p] * x[index[p]];
    if constexpr (keeps)
      x[i] = (1 - omega_) * x[i] + s * inverse[i];
    else
      x[i] = s * inverse[i];
  }
}

template <Scalar T>
template <bool forward>
void PlainSweep<T>::sweep_rows(PlainLoop loop, const T* b, T* x) const {
  if (loop == PlainLoop::whole_row)
    whole_rows<forward>(b, x);
  else if (omega_ == 1)
    split_rows<forward, false>(b, x);
  else
    split_rows<forward, true>(b, x);
}

template <Scalar T>
void PlainSweep<T>::sweep(PlainLoop loop, Sweep direction, const T* b, T* x) const {
  if (direction != Sweep::backward) sweep_rows<true>(loop, b, x);
  if (direction != Sweep::forward) sweep_rows<false>(loop, b, x);
}

template class PlainSweep<float>;
template class PlainSweep<double>;
template class PlainSweep<std::complex<float>>;
template class PlainSweep<std::complex<double>>;

}  // namespace echelon::bench
