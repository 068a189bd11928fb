// smoother/triangle_solvers.hpp -- a Solver for D/omega + L, D/omega + U or both.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "smoother/plan.hpp"
#include "smoother/space.hpp"

namespace echelon {

template <Scalar T>
class TriangleSolvers {
 public:
  explicit TriangleSolvers(const SmootherAnalysis& analysis) : analysis_(analysis) {}

  // The stored values of the whole matrix.  Allocates the first time only.  Throws as Solver does.
  void pack(std::span<const T> values);

  const std::vector<Solver<T>>& sides() const { return solvers_; }
  Offset matrix_bytes() const;  // read by one solve with each
  void prepare(SmootherSpace<T>& space) const;

 private:
  std::span<const T> weigh_diagonal(std::span<const T> values);

  SmootherAnalysis analysis_;
  std::vector<Solver<T>> solvers_;
  Buffer<T> weighed_;  // the stored values with D/omega; empty if omega is 1
};

}  // namespace echelon
