// adapters/petsc/sweeps.hpp -- Gauss-Seidel and SOR sweeps as a preconditioner of PETSc.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscpc.h>

namespace echelon::petsc {

// The preconditioner "echelon_gs" for PCRegister().
extern "C" PetscErrorCode EchelonPetscCreateSweeps(PC pc);

}  // namespace echelon::petsc
