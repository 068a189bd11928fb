// echelon/adapters/eigen/gauss_seidel.hpp -- Gauss-Seidel and SOR sweeps for Eigen, as a
// preconditioner and as a smoother.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/adapters/eigen/solver_base.hpp"
#include "echelon/adapters/workspaces.hpp"
#include "echelon/smoother.hpp"

namespace echelon::eigen {

// solve(b) sweeps from x = 0, symmetrically unless told otherwise, as conjugate gradients need.
template <class Matrix>
class GaussSeidel : public SolverBase<GaussSeidel<Matrix>, Matrix> {
  using Base = SolverBase<GaussSeidel<Matrix>, Matrix>;

 public:
  using T = typename Base::Scalar;

  GaussSeidel() = default;
  template <class A>
  explicit GaussSeidel(const Eigen::SparseMatrixBase<A>& a) {
    this->compute(a);
  }

  // To be changed before analyzePattern(); `solver` is taken from options().
  SmootherOptions& smootherOptions() { return smoother_options_; }
  // Of each solve.
  Index sweeps() const { return sweeps_; }
  void setSweeps(Index sweeps) { sweeps_ = sweeps; }
  const GaussSeidelReport& report() const { return smoother().report(); }
  Index analyses() const { return analyses_; }

  // Sweeps for A x = b from the given x.
  template <class Rhs, class Dest>
  void sweep(const Eigen::MatrixBase<Rhs>& b, const Eigen::MatrixBase<Dest>& x,
             Index sweeps = 1) const {
    auto& guess = const_cast<Dest&>(x.derived());  // NOLINT: Eigen's way to take blocks and maps
    if (const auto to = vectors(guess)) {
      auto there = *to;
      if (const auto from = vectors_like(there, b.derived())) {
        return call(*from, there, {.sweeps = sweeps});
      }
    }
    const Plain<Dest> right = b.derived().template cast<T>();
    Plain<Dest> answer = guess;
    call(*vectors(right), *vectors(answer), {.sweeps = sweeps});
    guess = answer;
  }

  // --- What SolverBase calls.

  void forget() {
    workspaces_.forget();
    smoother_.reset();
    analysis_.reset();
  }
  template <class View>
  void analyze(const View& a) {
    SmootherOptions o = smoother_options_;
    o.solver = this->options();
    analysis_.emplace(a.pattern(), o);
    ++analyses_;
  }
  template <class View>
  void set_values(const View& a) {
    if (smoother_)
      smoother_->update(a.value);
    else
      smoother_.emplace(*analysis_, a.value);
  }
  // b and x must lie apart for a sweep.
  void run(Op op, const Vectors<const T>& b, const Vectors<T>& x) const {
    if (op != Op::none)
      throw Error(ErrorCode::bad_argument, "Gauss-Seidel has no sweeps with the transpose");
    const SweepOptions o{.sweeps = sweeps_, .guess = Guess::zero};
    if (b.data != x.data) return call(b, x, o);
    Buffer<T> copy(static_cast<std::size_t>(b.n) * static_cast<std::size_t>(b.count));
    const Vectors<T> apart(copy.data(), b.n, b.count, 0, b.layout);
    for (Index k = 0; k < b.count; ++k)
      for (Index i = 0; i < b.n; ++i)
        apart.data[i * apart.step() + k * apart.stride()] = b.data[i * b.step() + k * b.stride()];
    call(apart, x, o);
  }

 private:
  template <class Dense>
  using Plain = Eigen::Matrix<T, Dense::RowsAtCompileTime, Dense::ColsAtCompileTime,
                              Dense::IsRowMajor ? Eigen::RowMajor : Eigen::ColMajor>;

  void call(const Vectors<const T>& b, const Vectors<T>& x, const SweepOptions& o) const {
    workspaces_.lend(smoother(), [&](auto& space) { smoother().solve(space, b, x, o); });
  }
  const echelon::GaussSeidel<T>& smoother() const {
    if (!smoother_) throw Error(ErrorCode::bad_argument, "factorize() has not been called");
    return *smoother_;
  }

  SmootherOptions smoother_options_;
  Index sweeps_ = 1;
  std::optional<SmootherAnalysis> analysis_;
  std::optional<echelon::GaussSeidel<T>> smoother_;
  Index analyses_ = 0;
  mutable adapters::Workspaces<echelon::GaussSeidel<T>> workspaces_;
};

}  // namespace echelon::eigen
