// bindings/c/guard.cpp -- keeps the last failure of each thread and of each handle.
// SPDX-License-Identifier: BSD-3-Clause
#include "guard.hpp"

#include <string_view>
#include <utility>

#include "handles.hpp"

namespace echelon::c {
namespace {

static_assert(ECHELON_BAD_ARGUMENT == static_cast<int>(ErrorCode::bad_argument) &&
              ECHELON_SINGULAR == static_cast<int>(ErrorCode::singular));

Failure& thread_failure() {
  thread_local Failure failure;
  return failure;
}

Failure failure_of(const Error& error, Index base) {
  Failure failure{static_cast<echelon_status>(error.code()), error.row(), error.what()};
  if (failure.row >= 0 && base != 0) {
    failure.row += base;
    failure.text +=
        " (counted from 0; in arrays that count from 1 it is " + std::to_string(failure.row) + ")";
  }
  return failure;
}

Failure current_failure(Index base) {
  try {
    throw;
  } catch (const Error& error) {
    return failure_of(error, base);
  } catch (const std::bad_alloc&) {
    return {ECHELON_OUT_OF_MEMORY, -1, ""};
  } catch (const std::exception& error) {
    return {ECHELON_BACKEND_FAILED, -1, error.what()};
  } catch (...) {
    return {ECHELON_BACKEND_FAILED, -1, "an exception of unknown type"};
  }
}

Failure last_failure(const echelon_solver* solver) {
  return solver == nullptr ? thread_failure() : solver->shared->slot.get();
}

}  // namespace

void Slot::put(Failure&& failure) noexcept {
  const std::lock_guard lock(mutex_);
  failure_ = std::move(failure);
}

Failure Slot::get() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void refuse_null(const std::string& text) {
  static constexpr std::string_view before = "; the failure before it was: ";
  std::string_view former = thread_failure().text;
  if (const auto k = former.rfind(before); k != former.npos)
    former.remove_prefix(k + before.size());
  refuse(former.empty() ? text : text + std::string(before) + std::string(former));
}

echelon_status keep_failure(Slot* slot, const Index& base) noexcept {
  Failure failure, copy;
  try {
    failure = current_failure(base);
    copy = failure;
  } catch (...) {
    failure = copy = {ECHELON_OUT_OF_MEMORY, -1, std::string()};
  }
  const echelon_status status = failure.status;
  thread_failure() = std::move(failure);
  if (slot != nullptr) slot->put(std::move(copy));
  return status;
}

}  // namespace echelon::c

using namespace echelon::c;

const char* echelon_status_name(echelon_status status) {
  return status == ECHELON_OK ? "ok" : name(static_cast<echelon::ErrorCode>(status));
}

const char* echelon_last_error(const echelon_solver* solver) {
  constexpr const char* no_memory = "memory could not be allocated";
  thread_local std::string text;
  try {
    Failure failure = last_failure(solver);
    if (failure.status == ECHELON_OUT_OF_MEMORY && failure.text.empty()) return no_memory;
    text = std::move(failure.text);
    return text.c_str();
  } catch (...) {
    return no_memory;
  }
}

int64_t echelon_last_error_row(const echelon_solver* solver) {
  try {
    return last_failure(solver).row;
  } catch (...) {
    return -1;
  }
}

echelon_status echelon_last_error_status(const echelon_solver* solver) {
  try {
    return last_failure(solver).status;
  } catch (...) {
    return ECHELON_OUT_OF_MEMORY;
  }
}
