// adapters/cusparse/engine/dense.cpp -- reads the descriptors of vectors and dense matrices.
// SPDX-License-Identifier: BSD-3-Clause
#include "dense.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "echelon/error.hpp"
#include "vendor.hpp"

namespace echelon::dropin {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::bad_argument, text); }

void check_status(cusparseStatus_t status, const char* what) {
  if (status != CUSPARSE_STATUS_SUCCESS) refuse(std::string(what) + " cannot be read");
}

Index narrow(std::int64_t number, const char* what) {
  if (number < 0 || number > std::numeric_limits<Index>::max())
    refuse(std::string(what) + " is " + std::to_string(number) + ", beyond 32 bits");
  return static_cast<Index>(number);
}

Dense read_vector(const void* descriptor, cudaDataType& type, const char* what) {
  std::int64_t size = 0;
  const void* data = nullptr;
  check_status(vendor().cusparseConstDnVecGet(static_cast<cusparseConstDnVecDescr_t>(descriptor),
                                              &size, &data, &type),
               what);
  return {const_cast<void*>(data), narrow(size, what), 1, size, Layout::column_major};
}

Dense read_dense(const void* descriptor, bool transpose, cudaDataType& type, const char* what) {
  std::int64_t rows = 0, cols = 0, leading = 0;
  const void* data = nullptr;
  cusparseOrder_t order{};
  check_status(vendor().cusparseConstDnMatGet(static_cast<cusparseConstDnMatDescr_t>(descriptor),
                                              &rows, &cols, &leading, &data, &type, &order),
               what);
  const bool by_columns = (order == CUSPARSE_ORDER_COL) != transpose;
  return {const_cast<void*>(data), narrow(transpose ? cols : rows, what),
          narrow(transpose ? rows : cols, what), leading,
          by_columns ? Layout::column_major : Layout::row_major};
}

}  // namespace

Sides read_sides(const Call& call, Index n) {
  Sides s;
  if (call.kind == Kind::vector) {
    s.b = read_vector(call.b, s.b_type, "vecX");
    s.x = read_vector(call.x, s.x_type, "vecY");
  } else {
    const bool transpose = call.op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
    s.b = read_dense(call.b, transpose, s.b_type, "matB");
    s.x = read_dense(call.x, false, s.x_type, "matC");
  }
  if (s.b.n != n || s.x.n != n || s.b.count != s.x.count)
    refuse("the right-hand sides are " + std::to_string(s.b.n) + " by " +
           std::to_string(s.b.count) + ", the solutions " + std::to_string(s.x.n) + " by " +
           std::to_string(s.x.count) + ", for " + std::to_string(n) + " unknowns");
  if (s.b_type != call.type || s.x_type != call.type)
    refuse("the right-hand sides or solutions are of another type than the matrix");
  return s;
}

}  // namespace echelon::dropin
