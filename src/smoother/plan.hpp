// smoother/plan.hpp -- the result of a smoother's analysis: triangles, scheduled and packed.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/smoother.hpp"

namespace echelon {

struct SmootherAnalysis::State {
  SmootherOptions options;
  SmootherReport report;
  Order stored = Order::rows;  // how the matrix is listed
  Offset stored_count = 0;

  // The triangle each direction solves with: L forwards, U backwards.  One or both, in that order.
  std::vector<Analysis> sides;

  // The matrix by rows: `near` with the diagonal, and `across` in the same order.  Where executors
  // gather whole rows, near is the first side's triangle, in the order it is swept; else L, from
  // the first row on.
  PackedPattern own_near;
  PackedPattern across;
  const PackedPattern& near() const {
    return gathers_rows() ? sides.front().plan().pattern : own_near;
  }
  bool on_device() const { return options.solver.backend != Backend::cpu; }
  bool gathers_rows() const { return report.form == SweepForm::row && !on_device(); }
  Index threads() const { return sides.front().plan().threads; }
};

// Which triangle the k-th side solves with.
inline Uplo uplo_of_side(Sweep direction, std::size_t side) {
  return direction == Sweep::backward || side == 1 ? Uplo::upper : Uplo::lower;
}

// True if every entry (i,j) of one triangle has its (j,i) in the other.  Both are listed by rows
// and laid out in the same order.  O(n + nnz), and a sort where rows are not sorted.
bool has_symmetric_pattern(const PackedPattern& near, const PackedPattern& across);

}  // namespace echelon
