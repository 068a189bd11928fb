// adapters/petsc/rows.cpp -- the rows of a PETSc matrix as a view of Echelon's.
// SPDX-License-Identifier: BSD-3-Clause
#include "rows.hpp"

#include <limits>

namespace echelon::petsc {

PetscErrorCode MatrixRows::convert(Mat a) {
  PetscBool is_aij;

  PetscFunctionBegin;
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(a), MATSEQAIJ, &is_aij));
  rows_ = a;
  if (is_aij) PetscFunctionReturn(0);
  if (new_pattern_) PetscCall(MatDestroy(&converted_));
  PetscCall(
      MatConvert(a, MATSEQAIJ, converted_ ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &converted_));
  rows_ = converted_;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixRows::open(Mat a) {
  PetscObjectState state;
  PetscBool done;

  PetscFunctionBegin;
  PetscCall(MatGetNonzeroState(a, &state));
  new_pattern_ = !known_ || state != state_;
  PetscCall(convert(a));
  PetscCall(MatGetRowIJ(rows_, 0, PETSC_FALSE, PETSC_FALSE, &n_, &start_, &index_, &done));
  PetscCheck(done, PetscObjectComm(reinterpret_cast<PetscObject>(a)), PETSC_ERR_SUP,
             "Echelon reads matrices of type seqaij, seqbaij and seqsbaij");
  PetscCheck(n_ <= std::numeric_limits<Index>::max(),
             PetscObjectComm(reinterpret_cast<PetscObject>(a)), PETSC_ERR_SUP,
             "Echelon takes fewer than 2^31 rows per process, not %" PetscInt_FMT, n_);
  PetscCall(MatSeqAIJGetArrayRead(rows_, &value_));
  const auto n = static_cast<Index>(n_);
  PetscCall(guarded(PetscObjectComm(reinterpret_cast<PetscObject>(a)),
                    [&] { arrays_.emplace(n, n, start_, index_, value_); }));
  state_ = state;
  known_ = true;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixRows::close() {
  PetscBool done;

  PetscFunctionBegin;
  arrays_.reset();
  PetscCall(MatSeqAIJRestoreArrayRead(rows_, &value_));
  PetscCall(MatRestoreRowIJ(rows_, 0, PETSC_FALSE, PETSC_FALSE, &n_, &start_, &index_, &done));
  rows_ = nullptr;
  PetscFunctionReturn(0);
}

PetscErrorCode MatrixRows::destroy() {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&converted_));
  PetscFunctionReturn(0);
}

}  // namespace echelon::petsc
