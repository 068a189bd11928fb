// adapters/cusparse/engine/call.hpp -- the arguments of one call, the same for both operations.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../operations.hpp"

namespace echelon::dropin {

enum class Kind { vector, matrix };  // SpSV or SpSM

constexpr const char* name(Kind kind) { return kind == Kind::vector ? "SpSV" : "SpSM"; }

// op(A) X = alpha op_b(B); of SpSV B and X are one vector each, and op_b is none.
struct Call {
  Kind kind;
  cusparseHandle_t handle;
  cusparseOperation_t op;
  cusparseOperation_t op_b;
  const void* alpha;
  cusparseConstSpMatDescr_t a;
  const void* b;  // cusparseConstDnVecDescr_t, or cusparseConstDnMatDescr_t
  void* x;        // cusparseDnVecDescr_t, or cusparseDnMatDescr_t
  cudaDataType type;
  int algorithm;
};

}  // namespace echelon::dropin
