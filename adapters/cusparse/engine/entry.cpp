// adapters/cusparse/engine/entry.cpp -- the engine's table of operations, in the types of
// cusparse.h.
// SPDX-License-Identifier: BSD-3-Clause
#include <new>

#include "operation.hpp"

namespace echelon::dropin {
namespace {

// A descriptor of the program is the address of an Operation.
template <class Descriptor>
Operation* of(Descriptor d) {
  return reinterpret_cast<Operation*>(d);
}

template <class Descriptor>
cusparseStatus_t create(Descriptor* d, Kind kind) {
  if (d == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  Operation* const made = new (std::nothrow) Operation(kind);
  if (made == nullptr) return CUSPARSE_STATUS_ALLOC_FAILED;
  *d = reinterpret_cast<Descriptor>(made);
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descriptor>
cusparseStatus_t destroy(Descriptor d) {
  if (d == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  delete of(d);
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Descriptor, class Step>
cusparseStatus_t with(Descriptor d, Step&& step) {
  return d == nullptr ? CUSPARSE_STATUS_INVALID_VALUE : step(*of(d));
}

Call vector_call(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                 cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                 cudaDataType type, cusparseSpSVAlg_t algorithm) {
  return {Kind::vector, handle,   op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, a, x, y,
          type,         algorithm};
}

// --- SpSV.

cusparseStatus_t vector_buffer(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                               cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                               cusparseSpSVDescr_t d, size_t* bytes) {
  return with(d, [&](Operation& o) {
    return o.buffer_size(vector_call(handle, op, alpha, a, x, y, type, alg), bytes);
  });
}
cusparseStatus_t vector_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                 cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                                 cusparseSpSVDescr_t d, void* buffer) {
  return with(d, [&](Operation& o) {
    return o.analysis(vector_call(handle, op, alpha, a, x, y, type, alg), buffer);
  });
}
cusparseStatus_t vector_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                              cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,
                              cusparseSpSVDescr_t d) {
  return with(
      d, [&](Operation& o) { return o.solve(vector_call(handle, op, alpha, a, x, y, type, alg)); });
}

// --- SpSM.

cusparseStatus_t matrix_buffer(cusparseHandle_t handle, cusparseOperation_t op,
                               cusparseOperation_t op_b, const void* alpha,
                               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                               cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
                               cusparseSpSMDescr_t d, size_t* bytes) {
  return with(d, [&](Operation& o) {
    return o.buffer_size({Kind::matrix, handle, op, op_b, alpha, a, b, c, type, alg}, bytes);
  });
}
cusparseStatus_t matrix_analysis(cusparseHandle_t handle, cusparseOperation_t op,
                                 cusparseOperation_t op_b, const void* alpha,
                                 cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                 cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
                                 cusparseSpSMDescr_t d, void* buffer) {
  return with(d, [&](Operation& o) {
    return o.analysis({Kind::matrix, handle, op, op_b, alpha, a, b, c, type, alg}, buffer);
  });
}
cusparseStatus_t matrix_solve(cusparseHandle_t handle, cusparseOperation_t op,
                              cusparseOperation_t op_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              cusparseDnMatDescr_t c, cudaDataType type, cusparseSpSMAlg_t alg,
                              cusparseSpSMDescr_t d) {
  return with(d, [&](Operation& o) {
    return o.solve({Kind::matrix, handle, op, op_b, alpha, a, b, c, type, alg});
  });
}

Operations make_operations() {
  Operations o;
  o.cusparseSpSV_createDescr = [](cusparseSpSVDescr_t* d) { return create(d, Kind::vector); };
  o.cusparseSpSV_destroyDescr = [](cusparseSpSVDescr_t d) { return destroy(d); };
  o.cusparseSpSV_bufferSize = vector_buffer;
  o.cusparseSpSV_analysis = vector_analysis;
  o.cusparseSpSV_solve = vector_solve;
  o.cusparseSpSV_updateMatrix = [](cusparseHandle_t handle, cusparseSpSVDescr_t d, void* values,
                                   cusparseSpSVUpdate_t part) {
    return with(d, [&](Operation& op) { return op.update(handle, values, part); });
  };
  o.cusparseSpSM_createDescr = [](cusparseSpSMDescr_t* d) { return create(d, Kind::matrix); };
  o.cusparseSpSM_destroyDescr = [](cusparseSpSMDescr_t d) { return destroy(d); };
  o.cusparseSpSM_bufferSize = matrix_buffer;
  o.cusparseSpSM_analysis = matrix_analysis;
  o.cusparseSpSM_solve = matrix_solve;
  o.cusparseSpSM_updateMatrix = [](cusparseHandle_t handle, cusparseSpSMDescr_t d, void* values,
                                   cusparseSpSMUpdate_t part) {
    return with(d, [&](Operation& op) { return op.update(handle, values, part); });
  };
  return o;
}

}  // namespace
}  // namespace echelon::dropin

extern "C" __attribute__((visibility("default"))) const echelon::dropin::Operations*
echelon_cusparse_start_engine(const echelon::dropin::Vendor* found, unsigned long vendor_bytes) {
  using namespace echelon::dropin;
  if (found == nullptr || vendor_bytes != sizeof(Vendor)) return nullptr;
  static const Operations operations = make_operations();
  set_vendor(found);
  return &operations;
}
