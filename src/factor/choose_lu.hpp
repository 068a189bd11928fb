// factor/choose_lu.hpp -- chooses the package for an LU factorization by the matrix.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "echelon/matrix.hpp"

namespace echelon {

// KLU's prediction of L and U after its orderings, if pivots stay on the diagonal.
struct LuForecast {
  bool known = false;  // KLU is installed and could analyze the pattern
  double entries = 0;  // of L and U
  double flops = 0;
  Index blocks = 0;  // diagonal blocks of the block triangular form
};
LuForecast forecast_lu(const Pattern& a);

struct LuChoice {
  std::vector<std::string> packages;  // installed ones, the best first
  LuForecast forecast;
  std::string reason;

  // Whether another package should factor too, where one left `entries` in L and U: far fewer were
  // promised, for little work.
  bool promises_less(Offset entries) const;
};

// The lists of `a` are sorted.
template <Scalar T>
LuChoice choose_lu(const MatrixView<T>& a);

}  // namespace echelon
