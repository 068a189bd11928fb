// numeric/growth.hpp -- Skeel's condition number of a lower triangle, row by row.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "echelon/numeric.hpp"

namespace echelon {

// Sums of the rows of |X| |D|, X = D^-1, for lower triangles with the same leading dimension: the
// second half of `sum`.  Those of the leading rows and columns alone are the same.
template <class T>
const double* find_row_growth(Index w, const T* x, const T* d, Offset ld, Buffer<double>& sum) {
  sum.assign(2 * static_cast<std::size_t>(w), 0);
  double* const row = sum.data() + w;
  for (Index j = 0; j < w; ++j)
    for (Index i = j; i < w; ++i) sum[i] += static_cast<double>(std::abs(d[j * ld + i]));
  for (Index j = 0; j < w; ++j)
    for (Index i = j; i < w; ++i) row[i] += static_cast<double>(std::abs(x[j * ld + i])) * sum[j];
  return row;
}

// | |X| |D| |_inf; NaN if a row has one.
template <class T>
double find_growth(Index w, const T* x, const T* d, Offset ld, Buffer<double>& sum) {
  const double* const row = find_row_growth(w, x, d, ld, sum);
  double growth = 0;
  for (Index i = 0; i < w; ++i)
    if (!std::isnan(growth) && !(row[i] <= growth)) growth = row[i];
  return growth;
}

}  // namespace echelon
