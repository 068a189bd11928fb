// factor/given_order.hpp -- CHOLMOD with an order that was found before, for several attempts.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "base/timer.hpp"
#include "echelon/factor.hpp"

namespace echelon {

// An elimination order with its name and the time to find it.
struct GivenOrder {
  std::vector<Index> order;  // the old number of each new row and column
  std::string name;
  double seconds = 0;
};

// Times find(used), which returns the order and sets the ordering that it used.
template <class Find>
GivenOrder find_given(const Find& find) {
  const Timer watch;
  GivenOrder given;
  Ordering used = Ordering::natural;
  given.order = find(used);
  given.name = name(used);
  given.seconds = watch.seconds();
  return given;
}

// As factor_cholmod, but o.order is not read.  CHOLMOD postorders the order, which keeps the fill.
template <Scalar T>
Factors<T> factor_cholmod_ordered(const MatrixView<T>& a, const FactorOptions& o,
                                  const GivenOrder& given);

}  // namespace echelon
