// exec/nvshmem/pe_pass.hpp -- one triangle on the GPUs of all PEs, as one of them sees it.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "echelon/nvshmem.hpp"
#include "exec/cuda/runtime/timeout.hpp"
#include "exec/nvshmem/pe.hpp"

namespace echelon {

// What a pass is made from; it must outlive the pass.
struct PeShare {
  const Supernodes& supernodes;  // of the whole triangle
  const LocalPlan& plan;         // this PE's part
  Index rhs_per_pass;            // right-hand sides of one run at most
  const NvshmemOptions& options;
};

// All functions are called by all PEs alike.
template <Scalar T>
class PePass {
 public:
  virtual ~PePass() = default;

  // Whether pack() asks for the diagonal block of every column it has rows of, also of those whose
  // diagonal block belongs to another PE: list_positions(plan, c, rows, true).
  virtual bool wants_diagonals() const = 0;
  // Fetches this PE's rows, node after node, and takes them to the GPU.  Throws as pack_local does.
  // Not collective in itself: what is thrown here is agreed on by who calls.
  virtual void pack(const FillRows<T>& fill, const NumericOptions& o, Index threads) = 0;
  // After pack(), which all PEs must have come through.
  virtual void open() = 0;
  // Whether a run for so many right-hand sides has the memory it needs; the same on all PEs.
  virtual bool is_prepared(Sweep, Index) const { return true; }
  // Takes that memory.
  virtual void prepare(Sweep, Index) {}

  // As RankPass: vectors of the host, of plan.size() numbers each, one after the other.
  virtual T* right() const = 0;
  virtual T* answer() const = 0;

  // With N or its transpose.  Returns when the answers are there; throws backend_failed when the
  // kernels gave up.
  virtual void run(Sweep sweep, Index count) = 0;

  virtual double kernel_s() const = 0;  // of all runs so far
  // When the kernels of the last run began and ended, in nanoseconds by the GPU's clock.
  struct Clock {
    unsigned long long began = 0, ended = 0;
  };
  virtual Clock clock() const = 0;
  virtual Offset stored_bytes() const = 0;
  virtual Offset symmetric_bytes() const = 0;
  virtual Index uninverted_blocks() const = 0;
  virtual Index blocks() const = 0;  // of the kernel for one right-hand side
};

// Collective.
template <Scalar T>
std::unique_ptr<PePass<T>> make_persistent_pass(Pe& pe, const PeShare& share);
template <Scalar T>
std::unique_ptr<PePass<T>> make_coupled_pass(Pe& pe, const PeShare& share);

}  // namespace echelon
