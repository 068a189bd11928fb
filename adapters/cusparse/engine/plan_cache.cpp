// adapters/cusparse/engine/plan_cache.cpp -- finds, refreshes and evicts plans.
// SPDX-License-Identifier: BSD-3-Clause
#include "plan_cache.hpp"

#include <cuda.h>

#include <algorithm>
#include <cstdlib>

#include "cuda_check.hpp"
#include "log.hpp"

namespace echelon::dropin {
namespace {

constexpr Offset megabyte = 1000000;
constexpr Offset default_megabytes = 2048;

Offset bytes_wanted() {
  const char* const text = std::getenv("ECHELON_CUSPARSE_CACHE");
  if (text == nullptr) return default_megabytes * megabyte;
  char* end = nullptr;
  const long long number = std::strtoll(text, &end, 10);
  if (end == text || *end != '\0' || number < 0) {
    log(std::string("ECHELON_CUSPARSE_CACHE is a number of megabytes, not '") + text + "'");
    return default_megabytes * megabyte;
  }
  return number * megabyte;
}

// Unlike its address, the number of a context is never used again.
std::uint64_t current_context() {
  static const auto ask = [] {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    check_cuda(
        cudaGetDriverEntryPointByVersion("cuCtxGetId", &found, 12000, cudaEnableDefault, &result),
        "cuCtxGetId");
    return reinterpret_cast<decltype(&cuCtxGetId)>(found);
  }();
  check_cuda(cudaFree(nullptr), "the CUDA context");  // makes it current
  unsigned long long id = 0;
  if (ask == nullptr || ask(nullptr, &id) != CUDA_SUCCESS)
    throw Error(ErrorCode::backend_failed, "the CUDA context has no number");
  return id;
}

PlanKey key_of(const DeviceMatrix& a, Index right_sides, const Digests& d) {
  return {current_context(), a.type,  a.order, a.triplets, a.uplo, a.diagonal, a.op, a.n, a.nnz,
          right_sides,       d.start, d.index};
}

// Gives the plan the values of the matrix.  Solves of an earlier descriptor may still run.
void refresh(KeptPlan& kept, const DeviceMatrix& a, const Digest& value, cudaStream_t stream) {
  kept.value = {};
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  kept.plan->update(a.value, stream);
  kept.value = value;
}

}  // namespace

PlanCache& PlanCache::instance() {
  static PlanCache* const cache = new PlanCache;
  return *cache;
}

PlanCache::PlanCache() : most_bytes_(bytes_wanted()) {}

// Prefers a plan that has these values already.
std::unique_ptr<KeptPlan> PlanCache::take_idle(const PlanKey& key, const Digest& value) {
  const std::scoped_lock lock(mutex_);
  auto best = idle_.end();
  for (auto at = idle_.begin(); at != idle_.end(); ++at) {
    if ((*at)->key != key) continue;
    if (best == idle_.end()) best = at;
    if ((*at)->value == value) {
      best = at;
      break;
    }
  }
  if (best == idle_.end()) return nullptr;
  std::unique_ptr<KeptPlan> found = std::move(*best);
  idle_.erase(best);
  return found;
}

std::unique_ptr<KeptPlan> PlanCache::take(const DeviceMatrix& a, Index right_sides, void* scratch,
                                          cudaStream_t stream) {
  const Digests d = digest(a, scratch, stream);
  const PlanKey key = key_of(a, right_sides, d);
  std::unique_ptr<KeptPlan> kept = take_idle(key, d.value);
  if (kept == nullptr) {
    kept = std::make_unique<KeptPlan>();
    kept->key = key;
    kept->plan = make_plan(a, right_sides, stream);
    kept->value = d.value;
    if (is_logging()) log("new plan: " + kept->plan->describe());
  } else if (kept->value == d.value) {
    if (is_logging()) log("kept plan with the same values: " + kept->plan->describe());
  } else {
    refresh(*kept, a, d.value, stream);
    if (is_logging()) log("kept plan with new values: " + kept->plan->describe());
  }
  return kept;
}

void PlanCache::give_back(std::unique_ptr<KeptPlan> plan) noexcept {
  if (plan == nullptr) return;
  std::list<std::unique_ptr<KeptPlan>> one, gone;  // destroyed after the lock is released
  try {
    one.push_back(std::move(plan));
  } catch (const std::exception&) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  idle_.splice(idle_.begin(), one);
  Offset sum = 0;
  for (auto at = idle_.begin(); at != idle_.end();) {
    sum += (*at)->plan->device_bytes();
    const auto next = std::next(at);
    if (sum > most_bytes_ || most_bytes_ == 0) gone.splice(gone.end(), idle_, at);
    at = next;
  }
}

}  // namespace echelon::dropin
