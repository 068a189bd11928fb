// cli/backward_error.cpp -- backward errors of a solution, from the matrix as it was read.
// SPDX-License-Identifier: BSD-3-Clause
//
// Reference.  Oettli and Prager, Numer. Math. 6 (1964), 405-409.
#include "backward_error.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

namespace echelon::cli {
namespace {

// Wider than the arithmetic of the solve: in the same precision, the residual would round like the
// solve and often come out as zero.
template <Scalar T>
using Wide = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;

template <Scalar T>
Wide<T> widen(T value, bool conjugated = false) {
  if constexpr (is_complex<T>)
    return {value.real(), conjugated ? -value.imag() : value.imag()};
  else
    return value;
}

template <Scalar T>
double magnitude(T value) {
  return static_cast<double>(std::abs(value));
}

// r = alpha b - M x and s = |alpha b| + |M||x| for one vector.
template <Scalar T>
struct Residual {
  Buffer<T> x;  // size n
  Buffer<Wide<T>> r;
  Buffer<double> s;

  explicit Residual(Index n) : x(n), r(n), s(n) {}

  void begin(T alpha, const Vectors<const T>& b, const Vectors<const T>& answer, Index k) {
    for (Index i = 0; i < b.n; ++i) {
      x[i] = answer.data[i * answer.step() + k * answer.stride()];
      r[i] = widen(alpha) * widen(b.data[i * b.step() + k * b.stride()]);
      s[i] = static_cast<double>(std::abs(r[i]));
    }
  }
  void subtract(Index i, Index j, Wide<T> value) {
    r[i] -= value * widen(x[j]);  // r(i) -= M(i,j) x(j)
    s[i] += static_cast<double>(std::abs(value)) * magnitude(x[j]);
  }
  double componentwise() const {
    double worst = 0;
    for (std::size_t i = 0; i < r.size(); ++i) {
      const double here = r[i] == Wide<T>(0) ? 0 : static_cast<double>(std::abs(r[i])) / s[i];
      if (!(here <= worst)) worst = here;
      if (std::isnan(worst)) return worst;
    }
    return worst;
  }
  // b_norm is the norm of the right-hand side, before the product is subtracted.
  double normwise(double b_norm, double matrix_norm) const {
    const double size = b_norm + matrix_norm * norm(x);
    const double rest = norm(r);
    return rest == 0 ? 0 : rest / (size * std::numeric_limits<Real<T>>::epsilon());
  }
  template <class Number>
  static double norm(const Buffer<Number>& values) {
    long double sum = 0;
    for (const Number& value : values) {
      const auto size = static_cast<long double>(std::abs(value));
      sum += size * size;
    }
    return static_cast<double>(std::sqrt(sum));
  }
};

// Frobenius norm of op(triangle).
template <Scalar T>
double norm_of(const Triangle<T>& m) {
  const bool unit = m.diagonal == Diagonal::unit;
  long double sum = unit ? m.n() : 0;
  for (Index k = 0; k < m.n(); ++k)
    for (Offset p = m.stored.start[k]; p < m.stored.start[k + 1]; ++p) {
      const Index index = m.stored.index[p];
      if (index == k ? unit : !m.inside(k, index)) continue;
      const long double size = std::abs(widen(m.value[p]));
      sum += size * size;
    }
  return static_cast<double>(std::sqrt(sum));
}

template <Scalar T>
void subtract_product(const Triangle<T>& m, Residual<T>& residual) {
  const bool by_rows = m.lists() == Order::rows;
  const bool unit = m.diagonal == Diagonal::unit;
  for (Index k = 0; k < m.n(); ++k) {
    for (Offset p = m.stored.start[k]; p < m.stored.start[k + 1]; ++p) {
      const Index index = m.stored.index[p];
      if (index == k ? unit : !m.inside(k, index)) continue;
      const Wide<T> value = widen(m.value[p], m.conjugated());
      residual.subtract(by_rows ? k : index, by_rows ? index : k, value);
    }
    if (unit) residual.subtract(k, k, Wide<T>(1));
  }
}

}  // namespace

template <Scalar T>
BackwardErrors find_backward_errors(const Triangle<T>& m, T alpha, const Vectors<const T>& b,
                                    const Vectors<const T>& x) {
  Residual<T> residual(m.n());
  const double matrix_norm = norm_of(m);
  BackwardErrors worst;
  const auto note = [](double& most, double here) {
    if (!(here <= most) && !std::isnan(most)) most = here;
  };
  for (Index k = 0; k < b.count; ++k) {
    residual.begin(alpha, b, x, k);
    const double b_norm = residual.norm(residual.s);
    subtract_product(m, residual);
    note(worst.componentwise, residual.componentwise());
    note(worst.normwise, residual.normwise(b_norm, matrix_norm));
  }
  return worst;
}

template <Scalar T>
double tolerable_error(Index longest_row) {
  return 16.0 * (longest_row + 8.0) * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
}

#define ECHELON_INSTANTIATE(T)                                                                 \
  template BackwardErrors find_backward_errors(const Triangle<T>&, T, const Vectors<const T>&, \
                                               const Vectors<const T>&);                       \
  template double tolerable_error<T>(Index);
ECHELON_INSTANTIATE(float)
ECHELON_INSTANTIATE(double)
ECHELON_INSTANTIATE(std::complex<float>)
ECHELON_INSTANTIATE(std::complex<double>)
#undef ECHELON_INSTANTIATE

}  // namespace echelon::cli
