// exec/conjugate_vectors.cpp -- conjugates vectors in host memory.
// SPDX-License-Identifier: BSD-3-Clause
#include "exec/conjugate_vectors.hpp"

#include "base/instantiate.hpp"
#include "base/number.hpp"

namespace echelon {

template <Scalar T>
void conjugate_vectors(const Vectors<const T>& from, const Vectors<T>& to) {
  for (Index k = 0; k < from.count; ++k)
    for (Index i = 0; i < from.n; ++i)
      to.data[i * to.step() + k * to.stride()] =
          conjugate_if(true, from.data[i * from.step() + k * from.stride()]);
}

#define ECHELON_INSTANTIATE(T) \
  template void conjugate_vectors(const Vectors<const T>&, const Vectors<T>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
