// echelon/adapters/eigen/direct.hpp -- solvers for Eigen with a factorization: LU, Cholesky, ILU(0)
// and IC(0), also as preconditioners.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "echelon/adapters/eigen/solver_base.hpp"
#include "echelon/adapters/factored.hpp"
#include "echelon/adapters/workspaces.hpp"

namespace echelon::eigen {

enum class Package { superlu, superlu_ilu, cholmod, umfpack, klu, automatic, ilu0, ic0 };
constexpr auto names(Package) {
  return name_table<Package>({{Package::superlu, "superlu"},
                              {Package::superlu_ilu, "superlu_ilu"},
                              {Package::cholmod, "cholmod"},
                              {Package::umfpack, "umfpack"},
                              {Package::klu, "klu"},
                              {Package::automatic, "automatic"},
                              {Package::ilu0, "ilu0"},
                              {Package::ic0, "ic0"}});
}

// UpLo says which triangle of a Hermitian matrix cholmod and ic0 read.  What the structure of L and
// U is shows after a factorization only, so factorize() analyzes the first factors, and later ones
// of the same structure go through DirectSolver::update.
template <class Matrix, Package package = Package::superlu, int UpLo = Eigen::Lower>
class Direct : public SolverBase<Direct<Matrix, package, UpLo>, Matrix> {
  using Base = SolverBase<Direct<Matrix, package, UpLo>, Matrix>;
  static constexpr bool incomplete = package == Package::ilu0 || package == Package::ic0;
  static constexpr bool symmetric = package == Package::cholmod || package == Package::ic0;
  static_assert(UpLo == Eigen::Lower || UpLo == Eigen::Upper, "UpLo is Eigen::Lower or Upper");

 public:
  using T = typename Base::Scalar;

  Direct() : factor_options_(factor_defaults(name(package))) {
    if constexpr (incomplete) factor_options_.order = Ordering::natural;  // as ILU(0) is understood
  }
  template <class A>
  explicit Direct(const Eigen::SparseMatrixBase<A>& a) : Direct() {
    this->compute(a);
  }

  // To be changed before factorize().
  FactorOptions& factorOptions() { return factor_options_; }
  const DirectReport& report() const { return factored_.solver().report(); }
  // How many calls of factorize() needed an analysis; the others went through update().
  Index analyses() const { return factored_.analyses(); }

  Transposed<Direct> transpose() const { return {*this, Op::transpose}; }
  Transposed<Direct> adjoint() const { return {*this, Op::conjugate}; }

  // --- What SolverBase calls.

  void forget() {
    workspaces_.forget();
    factored_.forget();
  }
  template <class View>
  void analyze(const View& a) const {
    check_starts(a.pattern());
  }
  template <Order order>
  void set_values(const CompressedView<T, order>& a) {
    const Index before = analyses();
    factored_.take(factors(a), this->options());
    if (analyses() != before) workspaces_.forget();
  }
  void run(Op op, const Vectors<const T>& b, const Vectors<T>& x) const {
    const DirectSolver<T>& solver = factored_.solver();
    workspaces_.lend(solver, [&](auto& space) { solver.solve(space, b, x, {.op = op}); });
  }

 private:
  // The upper triangle by columns is the lower triangle of the transpose by rows, and the transpose
  // of a Hermitian matrix is its conjugate.
  template <Order order>
  Factors<T> factors(const CompressedView<T, order>& a) const {
    if constexpr (!symmetric || UpLo == Eigen::Lower) {
      return factor_by_name<T>(name(package), a, factor_options_);
    } else {
      constexpr Order other = order == Order::rows ? Order::columns : Order::rows;
      Buffer<T> conjugated;
      CompressedView<T, other> transposed(a.cols, a.rows, a.start, a.index, a.value);
      if constexpr (is_complex<T>) {
        for (const T v : a.value) conjugated.push_back(std::conj(v));
        transposed.value = conjugated;
      }
      return factor_by_name<T>(name(package), transposed, factor_options_);
    }
  }

  FactorOptions factor_options_;
  adapters::Factored<T> factored_;
  mutable adapters::Workspaces<DirectSolver<T>> workspaces_;
};

template <class Matrix>
using LU = Direct<Matrix, Package::superlu>;
template <class Matrix, int UpLo = Eigen::Lower>
using Cholesky = Direct<Matrix, Package::cholmod, UpLo>;
template <class Matrix>
using IncompleteLU = Direct<Matrix, Package::ilu0>;
template <class Matrix, int UpLo = Eigen::Lower>
using IncompleteCholesky = Direct<Matrix, Package::ic0, UpLo>;

}  // namespace echelon::eigen
