// adapters/cusparse/engine/dense.hpp -- the right-hand sides and solutions of a call.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "call.hpp"
#include "echelon/matrix.hpp"

namespace echelon::dropin {

// Several vectors on the device, of any type of number.
struct Dense {
  void* data = nullptr;
  Index n = 0;
  Index count = 1;
  Offset leading = 0;
  Layout layout = Layout::column_major;

  template <class T>
  Vectors<T> as() const {
    return {static_cast<T*>(data), n, count, leading, layout};
  }
};

struct Sides {
  Dense b, x;
  cudaDataType b_type = CUDA_R_64F, x_type = CUDA_R_64F;
};

// op_b(B) and X, read from the descriptors.  Throws bad_argument for sizes and types that do not
// fit `n` unknowns of this type.
Sides read_sides(const Call& call, Index n);

}  // namespace echelon::dropin
