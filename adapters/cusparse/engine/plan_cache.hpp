// adapters/cusparse/engine/plan_cache.hpp -- plans by the contents of their patterns: a program
// that analyzes the same matrix for every solve pays once.
// SPDX-License-Identifier: BSD-3-Clause
//
// Protocol.  A plan is in use by one descriptor or idle.  A descriptor takes an idle plan of its
// key out and gives it back when it is destroyed or analyzed again; the device is synchronized
// before values change, so that solves of the previous descriptor have finished.  Idle plans
// together take at most ECHELON_CUSPARSE_CACHE megabytes of device memory (2048 unless set; 0: none
// are kept); those unused for longest go first.
#pragma once

#include <compare>
#include <list>
#include <memory>
#include <mutex>

#include "plan.hpp"

namespace echelon::dropin {

// Everything that a plan depends on but the values.
struct PlanKey {
  std::uint64_t context = 0;  // the CUDA context: plans do not survive cudaDeviceReset
  cudaDataType type = CUDA_R_64F;
  Order order = Order::rows;
  bool triplets = false;
  Uplo uplo = Uplo::lower;
  Diagonal diagonal = Diagonal::stored;
  Op op = Op::none;
  Index n = 0;
  Offset nnz = 0;
  Index right_sides = 1;
  Digest start, index;
  auto operator<=>(const PlanKey&) const = default;
};

struct KeptPlan {
  PlanKey key;
  Digest value;  // of the values that the plan has; all zero: unknown
  std::unique_ptr<Plan> plan;
};

class PlanCache {
 public:
  static PlanCache& instance();  // never destroyed: CUDA may end before it

  // A plan for this matrix with its values: kept, or new.  Throws as make_plan.
  std::unique_ptr<KeptPlan> take(const DeviceMatrix& a, Index right_sides, void* scratch,
                                 cudaStream_t stream);
  void give_back(std::unique_ptr<KeptPlan> plan) noexcept;

 private:
  PlanCache();
  std::unique_ptr<KeptPlan> take_idle(const PlanKey& key, const Digest& value);

  std::mutex mutex_;
  std::list<std::unique_ptr<KeptPlan>> idle_;  // the latest first
  Offset most_bytes_ = 0;
};

}  // namespace echelon::dropin
