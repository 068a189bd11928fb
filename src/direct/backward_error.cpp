// direct/backward_error.cpp -- how far x is from solving A x = b, component by component and in
// norms.
// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>

#include "base/instantiate.hpp"
#include "echelon/direct.hpp"

namespace echelon {
namespace {

template <class T>
T at(const Vectors<const T>& x, Index i, Index k) {
  return x.data[i * x.step() + k * x.stride()];
}

}  // namespace

template <Scalar T>
double componentwise_error(const CsrView<T>& a, const Vectors<const T>& x,
                           const Vectors<const T>& b) {
  double worst = 0;
  for (Index k = 0; k < x.count; ++k)
    for (Index i = 0; i < a.rows; ++i) {
      T rest = at(b, i, k);
      double size = std::abs(rest);
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
        const T product = a.value[p] * at(x, a.index[p], k);
        rest -= product;
        size += std::abs(product);
      }
      const double error = size == 0 ? 0 : std::abs(rest) / size;
      worst = error <= worst ? worst : error;  // NaN stays
    }
  return worst;
}

template <Scalar T>
double normwise_error(const CsrView<T>& a, const Vectors<const T>& x, const Vectors<const T>& b) {
  double matrix = 0, worst = 0;
  for (const T& v : a.value) matrix += std::norm(std::complex<double>(v));
  for (Index k = 0; k < x.count; ++k) {
    double rest_norm = 0, b_norm = 0, x_norm = 0;
    for (Index i = 0; i < a.rows; ++i) {
      T rest = at(b, i, k);
      b_norm += std::norm(std::complex<double>(rest));
      x_norm += std::norm(std::complex<double>(at(x, i, k)));
      for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
        rest -= a.value[p] * at(x, a.index[p], k);
      rest_norm += std::norm(std::complex<double>(rest));
    }
    const double size = std::sqrt(b_norm) + std::sqrt(matrix) * std::sqrt(x_norm);
    const double error =
        size == 0 ? 0 : std::sqrt(rest_norm) / (std::numeric_limits<Real<T>>::epsilon() * size);
    worst = error <= worst ? worst : error;
  }
  return worst;
}

#define ECHELON_INSTANTIATE(T)                                                    \
  template double componentwise_error(const CsrView<T>&, const Vectors<const T>&, \
                                      const Vectors<const T>&);                   \
  template double normwise_error(const CsrView<T>&, const Vectors<const T>&,      \
                                 const Vectors<const T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
