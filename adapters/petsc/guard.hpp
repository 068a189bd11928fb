// adapters/petsc/guard.hpp -- exceptions of Echelon as errors of PETSc, and its type of values.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <new>

#include "echelon/error.hpp"
#include "echelon/types.hpp"

namespace echelon::petsc {

using Value = PetscScalar;
static_assert(Scalar<Value>, "Echelon solves in float, double and complex numbers of these");

inline PetscErrorCode error_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::zero_diagonal:
    case ErrorCode::singular:
      return PETSC_ERR_MAT_LU_ZRPVT;
    case ErrorCode::not_positive_definite:
      return PETSC_ERR_MAT_CH_ZRPVT;
    case ErrorCode::not_finite:
      return PETSC_ERR_FP;
    case ErrorCode::out_of_memory:
      return PETSC_ERR_MEM;
    case ErrorCode::backend_missing:
      return PETSC_ERR_SUP;
    case ErrorCode::backend_failed:
      return PETSC_ERR_LIB;
    default:
      return PETSC_ERR_ARG_WRONG;
  }
}

// A failed step of a factorization with this code leaves a factor that KSP can report as failed.
inline bool is_zero_pivot(ErrorCode code) {
  return code == ErrorCode::zero_diagonal || code == ErrorCode::singular ||
         code == ErrorCode::not_positive_definite;
}

// Runs body(); no exception leaves it.
template <class Body>
PetscErrorCode guarded(MPI_Comm comm, const Body& body) {
  PetscFunctionBegin;
  try {
    body();
  } catch (const Error& e) {
    SETERRQ(comm, error_code(e.code()), "Echelon, %s: %s", name(e.code()), e.what());
  } catch (const std::bad_alloc&) {
    SETERRQ(comm, PETSC_ERR_MEM, "Echelon, out_of_memory: this process has no memory left");
  } catch (const std::exception& e) {
    SETERRQ(comm, PETSC_ERR_LIB, "Echelon: %s", e.what());
  }
  PetscFunctionReturn(0);
}

}  // namespace echelon::petsc
