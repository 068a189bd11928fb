// adapters/petsc/factorization.hpp -- the data of a factored matrix of PETSc.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <array>
#include <optional>
#include <vector>

#include "echelon/direct.hpp"
#include "ordered.hpp"
#include "rows.hpp"

namespace echelon::petsc {

class Factorization {
 public:
  MatFactorType type = MAT_FACTOR_NONE;
  Options options;
  FactorOptions factor;
  MatrixRows rows;
  Offset matrix_nonzeros = 0;
  Index updates = 0;  // factorizations that reused the analysis

  // Begins anew with this order of rows and columns; empty: an order of ours.
  void restart(std::vector<Index> row, std::vector<Index> col);

  // Factors these values.  The analysis is reused unless the entries lie elsewhere.  Throws what
  // factorizations and DirectSolver throw; there is no solver then.
  void compute(const CsrView<Value>& a, bool new_pattern);
  // The same with factors made elsewhere, as make() returns them.
  template <class Make>
  void install(const Make& make);

  const DirectSolver<Value>* solver() const { return ready_ ? &*solver_ : nullptr; }
  // Numbers of negative, zero and positive eigenvalues; known for Cholesky only.
  const std::optional<std::array<Index, 3>>& inertia() const { return inertia_; }
  bool has_order() const { return ordered_.has_value(); }
  bool is_complete() const { return type == MAT_FACTOR_LU || type == MAT_FACTOR_CHOLESKY; }

 private:
  Factors<Value> factor_rows(const CsrView<Value>& a) const;
  Factors<Value> factor_ordered(const CsrView<Value>& a);
  void count_signs(const Factors<Value>& f);

  std::vector<Index> row_, col_;          // as given
  std::optional<OrderedMatrix> ordered_;  // empty: A is factored as it is
  std::optional<DirectSolver<Value>> solver_;
  std::optional<std::array<Index, 3>> inertia_;
  bool ready_ = false;
};

// The values of an existing analysis change where the new factors have the same structure.  Pivots
// may have moved: then the factors are made and analyzed again.
template <class Make>
void Factorization::install(const Make& make) {
  ready_ = false;
  if (solver_) {
    Factors<Value> f = make();
    count_signs(f);
    try {
      solver_->update(std::move(f));
      ++updates;
      ready_ = true;
      return;
    } catch (const Error& e) {
      if (e.code() != ErrorCode::bad_argument) throw;
      solver_.reset();
    }
  }
  Factors<Value> f = make();
  count_signs(f);
  solver_.emplace(std::move(f), options);
  updates = 0;
  ready_ = true;
}

// Echelon's factored matrix of this type for MatGetFactor().
extern "C" PetscErrorCode EchelonPetscGetFactor(Mat a, MatFactorType type, Mat* factored);

// What a factored matrix can do.
void set_solve_operations(Mat factored);
// The halves of a symmetric preconditioner: L and L' of A = L L', if there is no permutation.
void set_halves(Mat factored);

}  // namespace echelon::petsc
