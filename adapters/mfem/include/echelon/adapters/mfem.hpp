// echelon/adapters/mfem.hpp -- Echelon's solvers in the shape of MFEM's operators: SetOperator,
// Mult, MultTranspose, Height and Width.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Includes no header of MFEM: a vector is anything with GetData() and Size(), or data()
// and size(); a matrix anything with GetI(), GetJ(), GetData(), Height() and Width(), rows in turn.
// A solver for MFEM derives from its class and passes the calls on:
//
//   struct IluSolver : mfem::Solver {
//     echelon::mfem::Factorization<double> ilu{"ilu0"};
//     void SetOperator(const mfem::Operator& a) override {
//       ilu.SetOperator(dynamic_cast<const mfem::SparseMatrix&>(a));
//       height = width = ilu.Height();
//     }
//     void Mult(const mfem::Vector& b, mfem::Vector& x) const override { ilu.Mult(b, x); }
//   };
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "echelon/adapters/factored.hpp"
#include "echelon/smoother.hpp"

namespace echelon::mfem {

// The entries of a vector; T is const where the vector is.
template <class Vector>
auto span_of(Vector& x) {
  if constexpr (requires { x.GetData(); })
    return std::span(x.GetData(), static_cast<std::size_t>(x.Size()));
  else
    return std::span(x.data(), static_cast<std::size_t>(x.size()));
}
// GetData() of a constant vector may give a pointer to write.
template <Scalar T, class Vector>
std::span<const T> read(const Vector& x) {
  return span_of(x);
}

// A matrix by rows as MFEM's finalized SparseMatrix keeps it; values are not copied.
template <Scalar T, class Matrix>
Arrays<T, Order::rows> rows(const Matrix& a) {
  if (a.GetI() == nullptr)
    throw Error(ErrorCode::bad_argument, "the matrix has no rows yet: call Finalize() first");
  return {a.Height(), a.Width(), a.GetI(), a.GetJ(), a.GetData()};
}

// x = A^-1 b by a factorization: "automatic", "superlu", "cholmod", ..., or as a preconditioner
// "ilu0" or "ic0".
template <Scalar T>
class Factorization {
 public:
  explicit Factorization(std::string package, Options options = {}, FactorOptions factor = {})
      : package_(std::move(package)), options_(options), factor_(factor) {}

  // Factors the matrix.  If its factors have the structure of the last ones, the analysis is kept.
  template <class Matrix>
  void SetOperator(const Matrix& a) {
    const auto arrays = rows<T>(a);
    factored_.take(factor_by_name<T>(package_, arrays.view(), factor_), options_);
  }
  template <class In, class Out>
  void Mult(const In& b, Out& x) const {
    factored_.solver().solve(read<T>(b), span_of(x));
  }
  template <class In, class Out>
  void MultTranspose(const In& b, Out& x) const {
    factored_.solver().solve(read<T>(b), span_of(x), {.op = Op::transpose});
  }
  int Height() const { return factored_.ready() ? factored_.solver().report().n : 0; }
  int Width() const { return Height(); }

  // How often SetOperator had to analyze; and what the solver made of the factors.
  Index Analyses() const { return factored_.analyses(); }
  const DirectReport& Report() const { return factored_.solver().report(); }

 private:
  std::string package_;
  Options options_;
  FactorOptions factor_;
  adapters::Factored<T> factored_;
};

// Gauss-Seidel sweeps.  As in MFEM, iterative_mode says whether x is the initial guess; else it is
// zero.
template <Scalar T>
class Smoother {
 public:
  bool iterative_mode = false;

  explicit Smoother(SmootherOptions options = {}, Index sweeps = 1)
      : options_(options), sweeps_(sweeps) {}

  // The pattern is analyzed anew; Update() keeps the analysis for new values.
  template <class Matrix>
  void SetOperator(const Matrix& a) {
    const auto arrays = rows<T>(a);
    smoother_.emplace(arrays.view(), options_);
  }
  // New values in the pattern of the last SetOperator().
  template <class Matrix>
  void Update(const Matrix& a) {
    const auto arrays = rows<T>(a);
    if (!smoother_) throw Error(ErrorCode::bad_argument, "Update() before SetOperator()");
    smoother_->update(arrays.view().value);
  }
  template <class In, class Out>
  void Mult(const In& b, Out& x) const {
    if (!smoother_) throw Error(ErrorCode::bad_argument, "Mult() before SetOperator()");
    smoother_->solve(read<T>(b), span_of(x),
                     {.sweeps = sweeps_, .guess = iterative_mode ? Guess::given : Guess::zero});
  }
  int Height() const { return smoother_ ? smoother_->report().n : 0; }
  int Width() const { return Height(); }

 private:
  SmootherOptions options_;
  Index sweeps_;
  std::optional<GaussSeidel<T>> smoother_;
};

}  // namespace echelon::mfem
