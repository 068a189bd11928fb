// echelon/adapters/eigen/triangular.hpp -- solves with one triangle of an Eigen matrix, as
// a.triangularView<Mode>().solve(b) does, analyzed once.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/adapters/eigen/solver_base.hpp"
#include "echelon/adapters/workspaces.hpp"
#include "echelon/solver.hpp"

namespace echelon::eigen {

// Mode is Lower, Upper, UnitLower or UnitUpper of Eigen; entries of the other triangle are not
// read.
template <class Matrix, int Mode>
class Triangular : public SolverBase<Triangular<Matrix, Mode>, Matrix> {
  using Base = SolverBase<Triangular<Matrix, Mode>, Matrix>;
  static_assert(Mode == Eigen::Lower || Mode == Eigen::Upper || Mode == Eigen::UnitLower ||
                    Mode == Eigen::UnitUpper,
                "Mode is Eigen::Lower, Upper, UnitLower or UnitUpper");

 public:
  using T = typename Base::Scalar;

  Triangular() = default;
  template <class A>
  explicit Triangular(const Eigen::SparseMatrixBase<A>& a) {
    this->compute(a);
  }

  // Throws bad_argument before factorize().
  const SolverReport& report() const { return solver().report(); }
  // How many patterns were analyzed; factorize() with the same pattern adds none.
  Index analyses() const { return analyses_; }

  Transposed<Triangular> transpose() const { return {*this, Op::transpose}; }
  Transposed<Triangular> adjoint() const { return {*this, Op::conjugate}; }

  // --- What SolverBase calls.

  void forget() {
    workspaces_.forget();
    solver_.reset();
    analysis_.reset();
  }
  template <class View>
  void analyze(const View& a) {
    analysis_.emplace(triangle_of(a), this->options());
    ++analyses_;
  }
  template <class View>
  void set_values(const View& a) {
    const Triangle<T> t = triangle_of(a);
    analysis_->check_same(t);
    if (solver_)
      solver_->update(t.value);
    else
      solver_.emplace(*analysis_, t);
  }
  void run(Op op, const Vectors<const T>& b, const Vectors<T>& x) const {
    workspaces_.lend(solver(), [&](auto& space) { solver().solve(space, b, x, {.op = op}); });
  }

 private:
  template <class View>
  static Triangle<T> triangle_of(const View& a) {
    return triangle(a, (Mode & Eigen::Lower) != 0 ? Uplo::lower : Uplo::upper,
                    {.diagonal = (Mode & Eigen::UnitDiag) != 0 ? Diagonal::unit : Diagonal::stored,
                     .outside = OutsideEntries::ignore});
  }
  const Solver<T>& solver() const {
    if (!solver_) throw Error(ErrorCode::bad_argument, "factorize() has not been called");
    return *solver_;
  }

  std::optional<Analysis> analysis_;
  std::optional<Solver<T>> solver_;
  Index analyses_ = 0;
  mutable adapters::Workspaces<Solver<T>> workspaces_;
};

}  // namespace echelon::eigen
