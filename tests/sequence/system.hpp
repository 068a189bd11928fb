// tests/sequence/system.hpp -- the oracle of a sequence: the system as a product of sparse
// matrices, and the residual of a solution.
// SPDX-License-Identifier: BSD-3-Clause
//
// Shares no code with the library.  Uses long double, so that rows scaled to the limits of double
// are judged like others.
#pragma once

#include <complex>
#include <limits>
#include <vector>

#include "echelon/types.hpp"

namespace echelon::test {

using Wide = std::complex<long double>;
using WideVector = std::vector<Wide>;

// By rows.
struct SparseFactor {
  std::vector<std::vector<std::pair<Index, Wide>>> rows;
};

// The requirement on a solution.
struct Bound {
  bool componentwise = true;  // per row; else the largest residual over the largest row
  double most = 8;            // in units of (entries + 2) eps
  double eps = 0;
  double least = 0;  // smallest number: the loss of an operation by underflow

  template <class R>
  void set_rounding() {
    eps = static_cast<double>(std::numeric_limits<R>::epsilon());
    least = static_cast<double>(std::numeric_limits<R>::denorm_min());
  }
  // Atomic additions of float on a GPU flush subnormal numbers to zero.
  template <class R>
  void flush() {
    if (sizeof(R) == sizeof(float)) least = static_cast<double>(std::numeric_limits<R>::min());
  }
};

// F1 F2 ... Fk x = alpha b.
class System {
 public:
  explicit System(std::vector<SparseFactor> factors);

  Index n() const { return n_; }
  // |alpha b - F x| / ((|F||x| + |alpha b|) (entries + 2) eps), of the worst row or of norms.
  // Infinity if x is not finite.
  double error(const WideVector& b, const WideVector& x, Wide alpha, const Bound& bound) const;
  WideVector residual(const WideVector& b, const WideVector& x) const;

 private:
  Index n_;
  std::vector<SparseFactor> factors_;
  std::vector<long double> entries_;  // by row: of this factor, plus the largest row of every other
};

Wide multiply(Wide a, Wide b);  // without the infinity checks of std::complex
SparseFactor transposed(const SparseFactor& f, bool conjugated);
SparseFactor diagonal_factor(const WideVector& d);
// Row i has a one in column order[i].
SparseFactor permutation_factor(const std::vector<Index>& order);

}  // namespace echelon::test
