// adapters/petsc/register.cpp -- makes Echelon's solver and preconditioner known to PETSc.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/adapters/petsc.h"
#include "factorization.hpp"
#include "sweeps.hpp"

namespace {

bool registered = false;

PetscErrorCode forget() {
  PetscFunctionBegin;
  registered = false;
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode EchelonPetscRegister(void) {
  PetscFunctionBegin;
  if (registered) PetscFunctionReturn(0);
  registered = true;
  PetscCall(PetscRegisterFinalize(forget));  // a program may initialize PETSc again
  PetscCall(MatInitializePackage());
  PetscCall(PCInitializePackage());
  for (const MatType type : {MATSEQAIJ, MATSEQBAIJ, MATSEQSBAIJ})
    for (const MatFactorType kind :
         {MAT_FACTOR_LU, MAT_FACTOR_CHOLESKY, MAT_FACTOR_ILU, MAT_FACTOR_ICC})
      PetscCall(MatSolverTypeRegister(MATSOLVERECHELON, type, kind,
                                      echelon::petsc::EchelonPetscGetFactor));
  PetscCall(PCRegister(PCECHELONGS, echelon::petsc::EchelonPetscCreateSweeps));
  PetscFunctionReturn(0);
}

PetscErrorCode PetscDLLibraryRegister_echelon_petsc(void) {
  PetscFunctionBegin;
  PetscCall(EchelonPetscRegister());
  PetscFunctionReturn(0);
}
