// smoother/row_form.hpp -- sweeps in which every unknown gathers its row.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "echelon/executor.hpp"
#include "smoother/plan.hpp"
#include "smoother/space.hpp"
#include "smoother/vector_sums.hpp"

namespace echelon {

// The values of both triangles in the order of the sweep, and the executors.
template <Scalar T>
class RowForm {
 public:
  explicit RowForm(const SmootherAnalysis& analysis);

  // Allocates the first time only.  Throws as pack_values does.
  void pack(std::span<const T> values);

  void prepare(SmootherSpace<T>& space) const;

  // All sweeps on up to 8 vectors.  `space.room` holds extra_vectors() times as many.  Returns
  // false if a value was not finite.  Allocates nothing.
  bool smooth(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
              const SweepOptions& o) const;
  Index extra_vectors() const;

  SplitMatrix<T> matrix() const;
  Offset matrix_bytes() const;  // read by one sweep

 private:
  const SmootherAnalysis::State& plan() const { return analysis_.state(); }
  // A pass of one side, with that side's workspace.
  struct Pass {
    std::size_t side;
    Workspace& workspace;
    Index threads;
  };
  bool run_pass(const Pass& pass, const SweepTerms<T>& terms, const Vectors<const T>& from,
                const Vectors<T>& x) const;
  bool sweep_one_way(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                     const SweepOptions& o) const;
  bool sweep_both_ways(SmootherSpace<T>& space, const Vectors<const T>& b, const Vectors<T>& x,
                       const SweepOptions& o) const;

  // One side: an executor and its values.
  struct Side {
    PackedValues<T> values;
    std::unique_ptr<Executor<T>> executor;
  };
  SmootherAnalysis analysis_;
  std::vector<Side> sides_;
  PackedValues<T> across_;
};

}  // namespace echelon
