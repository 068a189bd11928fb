// adapters/petsc/rows.hpp -- the rows of a PETSc matrix as a view of Echelon's.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <optional>

#include "echelon/matrix.hpp"
#include "guard.hpp"

namespace echelon::petsc {

// A seqaij matrix is read in place: only its row starts are copied, to 64 bits (and its columns
// where PetscInt has 64).  seqbaij and seqsbaij are converted; the copy is kept for next time.
class MatrixRows {
 public:
  MatrixRows() = default;
  MatrixRows(const MatrixRows&) = delete;
  MatrixRows& operator=(const MatrixRows&) = delete;

  PetscErrorCode open(Mat a);
  CsrView<Value> view() const { return arrays_->view(); }
  // Whether the entries may lie elsewhere than at the last open().
  bool new_pattern() const { return new_pattern_; }
  PetscErrorCode close();    // after every open(), before the matrix changes
  PetscErrorCode destroy();  // the converted matrix

 private:
  PetscErrorCode convert(Mat a);

  Mat rows_ = nullptr;       // the matrix that is read, while open
  Mat converted_ = nullptr;  // ours; null for seqaij
  PetscObjectState state_ = 0;
  bool known_ = false, new_pattern_ = true;
  PetscInt n_ = 0;
  const PetscInt *start_ = nullptr, *index_ = nullptr;
  const PetscScalar* value_ = nullptr;
  std::optional<Arrays<Value, Order::rows>> arrays_;
};

}  // namespace echelon::petsc
