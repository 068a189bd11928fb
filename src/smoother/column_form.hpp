// smoother/column_form.hpp -- sweeps as a residual and a solve with one triangle.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/residual.hpp"
#include "smoother/plan.hpp"
#include "smoother/triangle_solvers.hpp"
#include "smoother/vector_sums.hpp"

namespace echelon {

// The matrix by rows, and a Solver for D/omega + L, D/omega + U or both.
template <Scalar T>
class ColumnForm {
 public:
  explicit ColumnForm(const SmootherAnalysis& analysis)
      : analysis_(analysis), triangles_(analysis) {}

  // The same contracts as in RowForm.
  void pack(std::span<const T> values);
  void prepare(SmootherSpace<T>& space) const { triangles_.prepare(space); }
  bool smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
              const SweepOptions& o) const;
  Index extra_vectors() const { return 1; }
  SplitMatrix<T> matrix() const { return {plan().near(), near_, plan().across, across_}; }
  Offset matrix_bytes() const;

 private:
  const SmootherAnalysis::State& plan() const { return analysis_.state(); }

  SmootherAnalysis analysis_;
  TriangleSolvers<T> triangles_;
  PackedValues<T> near_, across_;
};

}  // namespace echelon
