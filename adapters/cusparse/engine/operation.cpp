// adapters/cusparse/engine/operation.cpp -- decides whose solve it is, and carries it out.
// SPDX-License-Identifier: BSD-3-Clause
#include "operation.hpp"

#include <algorithm>
#include <exception>

#include "cuda_check.hpp"
#include "log.hpp"

namespace echelon::dropin {
namespace {

// Of the program's buffer only this much is used, by the comparison of matrices in analysis.
constexpr size_t buffer_bytes = 256;
static_assert(buffer_bytes >= digest_bytes);

cusparseStatus_t status_of(const Error& e) {
  switch (e.code()) {
    case ErrorCode::bad_argument:
      return CUSPARSE_STATUS_INVALID_VALUE;
    case ErrorCode::out_of_memory:
      return CUSPARSE_STATUS_ALLOC_FAILED;
    default:
      return CUSPARSE_STATUS_EXECUTION_FAILED;
  }
}

// Runs a step of ours; the text of what it throws goes to the log.
template <class Step>
cusparseStatus_t guard(Kind kind, const char* where, Step&& step) {
  try {
    return step();
  } catch (const Error& e) {
    log(std::string(name(kind)) + where + ": " + e.what());
    return status_of(e);
  } catch (const std::bad_alloc&) {
    log(std::string(name(kind)) + where + ": out of memory");
    return CUSPARSE_STATUS_ALLOC_FAILED;
  } catch (const std::exception& e) {
    log(std::string(name(kind)) + where + ": " + e.what());
    return CUSPARSE_STATUS_INTERNAL_ERROR;
  }
}

cudaStream_t stream_of(cusparseHandle_t handle) {
  cudaStream_t stream = nullptr;
  if (vendor().cusparseGetStream(handle, &stream) != CUSPARSE_STATUS_SUCCESS)
    throw Error(ErrorCode::bad_argument, "the handle cannot be read");
  return stream;
}

Factor factor_of(const Call& call) {
  cusparsePointerMode_t mode{};
  if (vendor().cusparseGetPointerMode(call.handle, &mode) != CUSPARSE_STATUS_SUCCESS)
    throw Error(ErrorCode::bad_argument, "the handle cannot be read");
  if (call.alpha == nullptr) throw Error(ErrorCode::bad_argument, "alpha is a null pointer");
  return {call.alpha, mode == CUSPARSE_POINTER_MODE_DEVICE};
}

// So many right-hand sides are allocated for: a graph can capture the first solve.
Index count_right_sides(const Call& call, Index n) {
  return call.kind == Kind::vector ? 1 : std::max(Index{1}, read_sides(call, n).x.count);
}

}  // namespace

Operation::~Operation() { forget(); }

void Operation::forget() {
  PlanCache::instance().give_back(std::move(plan_));
  if (vendor_buffer_ != nullptr) static_cast<void>(cudaFree(vendor_buffer_));
  vendor_buffer_ = nullptr;
  has_new_values_ = false;
}

void Operation::say(const std::string& text) const {
  if (is_logging()) log(std::string(name(kind_)) + " " + text);
}

cusparseStatus_t Operation::buffer_size(const Call& call, size_t* bytes) {
  if (bytes == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  DeviceMatrix a;
  const std::string reason = read_matrix(call, a);
  if (!reason.empty()) {
    taken_ = Taken::vendors;
    say("is passed on to cuSPARSE: " + reason);
    return vendor_.buffer_size(call, bytes);
  }
  taken_ = Taken::ours;
  *bytes = buffer_bytes;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t Operation::analysis(const Call& call, void* buffer) {
  forget();
  op_ = call.op;
  if (taken_ == Taken::vendors) return vendor_.analysis(call, buffer);
  DeviceMatrix a;
  std::string reason = read_matrix(call, a);
  if (reason.empty()) {
    try {
      analyze(call, a, buffer);
      return CUSPARSE_STATUS_SUCCESS;
    } catch (const std::exception& e) {
      reason = e.what();
    }
  }
  return guard(kind_, "_analysis", [&] { return pass_on(call, reason); });
}

void Operation::analyze(const Call& call, const DeviceMatrix& a, void* buffer) {
  const cudaStream_t stream = stream_of(call.handle);
  const Index right_sides = count_right_sides(call, a.n);
  if (buffer != nullptr && taken_ == Taken::ours) {
    plan_ = PlanCache::instance().take(a, right_sides, buffer, stream);
  } else {
    const StreamMemory scratch(digest_bytes, stream);
    plan_ = PlanCache::instance().take(a, right_sides, scratch.data(), stream);
  }
  taken_ = Taken::ours;
}

// The program's buffer was not made for the vendor's library, so it gets one of ours.
cusparseStatus_t Operation::pass_on(const Call& call, const std::string& reason) {
  say("is passed on to cuSPARSE: " + reason);
  size_t bytes = 0;
  const cusparseStatus_t status = vendor_.buffer_size(call, &bytes);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  check_cuda(cudaMalloc(&vendor_buffer_, std::max<size_t>(bytes, 16)), "cudaMalloc");
  const cusparseStatus_t done = vendor_.analysis(call, vendor_buffer_);
  if (done == CUSPARSE_STATUS_SUCCESS) taken_ = Taken::vendors;
  return done;
}

cusparseStatus_t Operation::solve(const Call& call) {
  if (taken_ == Taken::vendors && has_new_values_) {
    const cusparseStatus_t status = guard(kind_, "_solve", [&] { return pass_values_on(call); });
    if (status != CUSPARSE_STATUS_SUCCESS) return status;
  }
  if (taken_ == Taken::vendors) return vendor_.solve(call);
  return guard(kind_, "_solve", [&] {
    if (plan_ == nullptr) throw Error(ErrorCode::bad_argument, "solve comes after analysis");
    if (call.op != op_) throw Error(ErrorCode::bad_argument, "opA is not that of the analysis");
    plan_->plan->solve(read_sides(call, plan_->key.n), factor_of(call), stream_of(call.handle));
    return CUSPARSE_STATUS_SUCCESS;
  });
}

cusparseStatus_t Operation::update(cusparseHandle_t handle, void* values, int part) {
  if (taken_ == Taken::vendors && !has_new_values_) return vendor_.update(handle, values, part);
  return guard(kind_, "_updateMatrix", [&] {
    if (plan_ == nullptr) throw Error(ErrorCode::bad_argument, "an update comes after analysis");
    if (values == nullptr) throw Error(ErrorCode::bad_argument, "newValues is a null pointer");
    const cudaStream_t stream = stream_of(handle);
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // solves may be in any stream
    plan_->value = {};
    try {
      if (part == CUSPARSE_SPSV_UPDATE_GENERAL)
        plan_->plan->update(values, stream);
      else
        plan_->plan->update_diagonal(values, stream);
      taken_ = Taken::ours;
      has_new_values_ = false;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::zero_diagonal && e.code() != ErrorCode::not_finite) throw;
      say(std::string("is passed on to cuSPARSE from the next solve: ") + e.what());
      taken_ = Taken::vendors;
      has_new_values_ = true;
    }
    return CUSPARSE_STATUS_SUCCESS;
  });
}

// cuSPARSE analyzes the pattern with the values that the matrix has, then gets those of the update.
cusparseStatus_t Operation::pass_values_on(const Call& call) {
  const cudaStream_t stream = stream_of(call.handle);
  const Plan& plan = *plan_->plan;
  const StreamMemory values(plan.value_bytes(), stream);
  check_cuda(cudaMemcpyAsync(values.data(), plan.values(), plan.value_bytes(),
                             cudaMemcpyHostToDevice, stream),
             "cudaMemcpyAsync");
  const cusparseStatus_t status = pass_on(call, "the updated values need it");
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  const cusparseStatus_t updated =
      vendor_.update(call.handle, values.data(), CUSPARSE_SPSV_UPDATE_GENERAL);
  if (updated == CUSPARSE_STATUS_SUCCESS) {
    has_new_values_ = false;
    plan_.reset();  // its values cannot be solved with
  }
  return updated;
}

}  // namespace echelon::dropin
