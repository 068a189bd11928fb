// solver/refuse_answer.hpp -- throws not_finite with the place of the first such entry of x.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "base/number.hpp"
#include "echelon/error.hpp"
#include "echelon/matrix.hpp"

namespace echelon {

// x lies in host memory.  Returns if all its entries are finite.
template <class T>
void refuse_unless_finite(const Vectors<T>& x) {
  for (Index c = 0; c < x.count; ++c)
    for (Index i = 0; i < x.n; ++i)
      if (!is_finite(x.data[i * x.step() + c * x.stride()]))
        throw Error(ErrorCode::not_finite, "x(" + std::to_string(i) + ") of right-hand side " +
                                               std::to_string(c) +
                                               " is not finite: b is not, or the solve overflowed");
}

}  // namespace echelon
