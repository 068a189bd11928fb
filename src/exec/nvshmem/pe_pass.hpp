// exec/nvshmem/pe_pass.hpp -- interface to one PE's part of a solve with one triangle on all GPUs.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "echelon/nvshmem.hpp"
#include "exec/cuda/runtime/timeout.hpp"
#include "exec/nvshmem/pe.hpp"

namespace echelon {

// The input of a pass; must outlive the pass.
struct PeShare {
  const Supernodes& supernodes;  // of the whole triangle
  const LocalPlan& plan;         // this PE's part
  Index rhs_per_pass;            // most right-hand sides per run
  const NvshmemOptions& options;
};

// All PEs call the same functions in the same order.
template <Scalar T>
class PePass {
 public:
  virtual ~PePass() = default;

  // Whether pack() asks for the diagonal block of every column with rows on this PE, also if the
  // diagonal block belongs to another PE: list_positions(plan, c, rows, true).
  virtual bool wants_diagonals() const = 0;
  // Fetches this PE's rows, node after node, and uploads them.  Throws like pack_local.  Not
  // collective: the caller agrees on errors.
  virtual void pack(const FillRows<T>& fill, const NumericOptions& o, Index threads) = 0;
  // Called after pack() has succeeded on all PEs.
  virtual void open() = 0;
  // Whether the memory for a run with this number of right-hand sides exists; the same on all PEs.
  virtual bool is_prepared(Way, Index) const { return true; }
  // Allocates that memory.
  virtual void prepare(Way, Index) {}

  // As in RankPass: host vectors of plan.size() numbers each, consecutive.
  virtual T* right() const = 0;
  virtual T* answer() const = 0;

  // Solves with N or its transpose.  Returns when the answers are there; throws backend_failed if
  // the kernels gave up.
  virtual void run(Way way, Index count) = 0;

  virtual double kernel_s() const = 0;  // sum over all runs
  // Begin and end of the last run's kernels, in nanoseconds of the GPU's clock.
  struct Clock {
    unsigned long long began = 0, ended = 0;
  };
  virtual Clock clock() const = 0;
  virtual Offset stored_bytes() const = 0;
  virtual Offset symmetric_bytes() const = 0;
  virtual Index uninverted_blocks() const = 0;
  virtual Index blocks() const = 0;  // thread blocks of the kernel for one right-hand side
};

// Collective.
template <Scalar T>
std::unique_ptr<PePass<T>> make_persistent_pass(Pe& pe, const PeShare& share);
template <Scalar T>
std::unique_ptr<PePass<T>> make_coupled_pass(Pe& pe, const PeShare& share);

}  // namespace echelon
