// echelon/adapters/eigen/solver_base.hpp -- what Eigen expects of a sparse solver and of a
// preconditioner: the part that all our solvers share.
// SPDX-License-Identifier: BSD-3-Clause
//
// Errors.  analyzePattern(), factorize() and compute() throw nothing of ours: info() says how they
// ended, as in Eigen, and lastErrorMessage() why.  A solve without values throws that same Error; a
// solve whose answer is not finite throws not_finite (Options::check_finite).
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <string>

#include "echelon/adapters/eigen/views.hpp"
#include "echelon/options.hpp"

namespace echelon::eigen {

// Solves with the transpose or the adjoint of a solver: solver.transpose().solve(b).
template <class Solver>
class Transposed : public Eigen::SparseSolverBase<Transposed<Solver>> {
  using Base = Eigen::SparseSolverBase<Transposed<Solver>>;

 public:
  using MatrixType = typename Solver::MatrixType;
  using Scalar = typename Solver::Scalar;
  using RealScalar = typename Solver::RealScalar;
  using StorageIndex = typename Solver::StorageIndex;
  enum { ColsAtCompileTime = Eigen::Dynamic, MaxColsAtCompileTime = Eigen::Dynamic };

  Transposed(const Solver& solver, Op op) : solver_(&solver), op_(op) {
    this->m_isInitialized = true;
  }
  Eigen::Index rows() const { return solver_->cols(); }
  Eigen::Index cols() const { return solver_->rows(); }
  Eigen::ComputationInfo info() const { return solver_->info(); }

  using Base::_solve_impl;
  template <class Rhs, class Dest>
  void _solve_impl(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    solver_->solve_with(op_, b, x);
  }

 private:
  const Solver* solver_;
  Op op_;
};

// `Derived` has forget(), analyze(view), set_values(view) and run(op, b, x).
template <class Derived, class Matrix>
class SolverBase : public Eigen::SparseSolverBase<Derived> {
  using Base = Eigen::SparseSolverBase<Derived>;

 public:
  using MatrixType = Matrix;
  using Scalar = typename Matrix::Scalar;
  using RealScalar = typename Matrix::RealScalar;
  using StorageIndex = typename Matrix::StorageIndex;
  enum { ColsAtCompileTime = Eigen::Dynamic, MaxColsAtCompileTime = Eigen::Dynamic };
  static_assert(echelon::Scalar<Scalar>, "values are float, double, or std::complex of them");

  SolverBase() { this->m_isInitialized = true; }  // a solve too early throws instead of asserting

  // Only for a new pattern; the values are not read.
  template <class A>
  Derived& analyzePattern(const Eigen::SparseMatrixBase<A>& a) {
    return attempt([&] {
      analyzed_ = false;
      this->derived().forget();
      const SparseArrays<A> arrays(a.derived());
      if (a.rows() != a.cols())
        throw Error(ErrorCode::bad_argument, "the matrix has " + std::to_string(a.rows()) +
                                                 " rows and " + std::to_string(a.cols()) +
                                                 " columns; a solve needs a square one");
      this->derived().analyze(arrays.view());
      size_ = a.rows();
      analyzed_ = true;
    });
  }
  // For new values; the pattern must be the one that was analyzed, or the first.
  template <class A>
  Derived& factorize(const Eigen::SparseMatrixBase<A>& a) {
    if (!analyzed_ || a.rows() != size_ || a.cols() != size_) analyzePattern(a);
    if (!analyzed_) return this->derived();
    return attempt([&] { this->derived().set_values(SparseArrays<A>(a.derived()).view()); });
  }
  template <class A>
  Derived& compute(const Eigen::SparseMatrixBase<A>& a) {
    analyzePattern(a);
    return analyzed_ ? factorize(a) : this->derived();
  }

  Eigen::ComputationInfo info() const { return error_ ? info_of(*error_) : Eigen::Success; }
  std::string lastErrorMessage() const { return error_ ? error_->what() : ""; }
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }

  // To be changed before analyzePattern().
  Options& options() { return options_; }
  const Options& options() const { return options_; }

  using Base::_solve_impl;
  template <class Rhs, class Dest>
  void _solve_impl(const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    solve_with(Op::none, b, x);
  }
  // op(A) x = b.
  template <class Rhs, class Dest>
  void solve_with(Op op, const Eigen::MatrixBase<Rhs>& b, Eigen::MatrixBase<Dest>& x) const {
    if (error_) throw Error(*error_);
    solve_dense<Scalar>(b, x, [&](const Vectors<const Scalar>& from, const Vectors<Scalar>& to) {
      this->derived().run(op, from, to);
    });
  }

 private:
  template <class Work>
  Derived& attempt(const Work& work) {
    error_.reset();
    try {
      work();
    } catch (const Error& error) {
      error_ = error;
    }
    return this->derived();
  }
  static Eigen::ComputationInfo info_of(const Error& error) {
    switch (error.code()) {
      case ErrorCode::zero_diagonal:
      case ErrorCode::not_finite:
      case ErrorCode::not_positive_definite:
      case ErrorCode::singular:
        return Eigen::NumericalIssue;
      default:
        return Eigen::InvalidInput;
    }
  }

  Options options_;
  std::optional<Error> error_ =
      Error(ErrorCode::bad_argument, "solve() before compute(): there is no matrix yet");
  Eigen::Index size_ = 0;
  bool analyzed_ = false;
};

}  // namespace echelon::eigen
