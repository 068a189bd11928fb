// adapters/cusparse/engine/vendor.cpp -- calls of the vendor's operations.
// SPDX-License-Identifier: BSD-3-Clause
#include "vendor.hpp"

namespace echelon::dropin {
namespace {

const Vendor* found_vendor = nullptr;

template <class... Parameters, class... Arguments>
cusparseStatus_t run(cusparseStatus_t (*function)(Parameters...), Arguments... arguments) {
  return function == nullptr ? CUSPARSE_STATUS_NOT_SUPPORTED : function(arguments...);
}

cusparseConstDnVecDescr_t vector_b(const Call& c) {
  return static_cast<cusparseConstDnVecDescr_t>(c.b);
}
cusparseDnVecDescr_t vector_x(const Call& c) { return static_cast<cusparseDnVecDescr_t>(c.x); }
cusparseConstDnMatDescr_t matrix_b(const Call& c) {
  return static_cast<cusparseConstDnMatDescr_t>(c.b);
}
cusparseDnMatDescr_t matrix_x(const Call& c) { return static_cast<cusparseDnMatDescr_t>(c.x); }

// The arguments that bufferSize, analysis and solve have in common, then `more`.
template <class Function, class... More>
cusparseStatus_t run_vector(Function function, const Call& c, More... more) {
  return run(function, c.handle, c.op, c.alpha, c.a, vector_b(c), vector_x(c), c.type,
             static_cast<cusparseSpSVAlg_t>(c.algorithm), more...);
}
template <class Function, class... More>
cusparseStatus_t run_matrix(Function function, const Call& c, More... more) {
  return run(function, c.handle, c.op, c.op_b, c.alpha, c.a, matrix_b(c), matrix_x(c), c.type,
             static_cast<cusparseSpSMAlg_t>(c.algorithm), more...);
}

}  // namespace

const Vendor& vendor() { return *found_vendor; }
void set_vendor(const Vendor* found) { found_vendor = found; }

VendorDescriptor::~VendorDescriptor() {
  if (vector_ != nullptr) run(vendor().cusparseSpSV_destroyDescr, vector_);
  if (matrix_ != nullptr) run(vendor().cusparseSpSM_destroyDescr, matrix_);
}

cusparseStatus_t VendorDescriptor::create() {
  if (kind_ == Kind::vector)
    return vector_ != nullptr ? CUSPARSE_STATUS_SUCCESS
                              : run(vendor().cusparseSpSV_createDescr, &vector_);
  return matrix_ != nullptr ? CUSPARSE_STATUS_SUCCESS
                            : run(vendor().cusparseSpSM_createDescr, &matrix_);
}

cusparseStatus_t VendorDescriptor::buffer_size(const Call& call, size_t* bytes) {
  const cusparseStatus_t made = create();
  if (made != CUSPARSE_STATUS_SUCCESS) return made;
  return kind_ == Kind::vector ? run_vector(vendor().cusparseSpSV_bufferSize, call, vector_, bytes)
                               : run_matrix(vendor().cusparseSpSM_bufferSize, call, matrix_, bytes);
}

cusparseStatus_t VendorDescriptor::analysis(const Call& call, void* buffer) {
  const cusparseStatus_t made = create();
  if (made != CUSPARSE_STATUS_SUCCESS) return made;
  return kind_ == Kind::vector ? run_vector(vendor().cusparseSpSV_analysis, call, vector_, buffer)
                               : run_matrix(vendor().cusparseSpSM_analysis, call, matrix_, buffer);
}

cusparseStatus_t VendorDescriptor::solve(const Call& call) {
  const cusparseStatus_t made = create();
  if (made != CUSPARSE_STATUS_SUCCESS) return made;
  return kind_ == Kind::vector ? run_vector(vendor().cusparseSpSV_solve, call, vector_)
                               : run_matrix(vendor().cusparseSpSM_solve, call, matrix_);
}

cusparseStatus_t VendorDescriptor::update(cusparseHandle_t handle, void* values, int part) {
  const cusparseStatus_t made = create();
  if (made != CUSPARSE_STATUS_SUCCESS) return made;
  if (kind_ == Kind::vector)
    return run(vendor().cusparseSpSV_updateMatrix, handle, vector_, values,
               static_cast<cusparseSpSVUpdate_t>(part));
  return run(vendor().cusparseSpSM_updateMatrix, handle, matrix_, values,
             static_cast<cusparseSpSMUpdate_t>(part));
}

}  // namespace echelon::dropin
