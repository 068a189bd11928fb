// echelon/adapters/petsc.h -- Echelon's solves and sweeps in PETSc programs.
// SPDX-License-Identifier: BSD-3-Clause
//
// No program needs this header: PETSc's option -dll_append loads the library, further options
// choose:
//
//   ./program -dll_append /usr/lib/libechelon_petsc.so
//             -pc_type ilu -pc_factor_mat_solver_type echelon
//
// A program that links the library calls EchelonPetscRegister() once after PetscInitialize().
#ifndef ECHELON_ADAPTERS_PETSC_H
#define ECHELON_ADAPTERS_PETSC_H

#include <petscpc.h>

#define MATSOLVERECHELON "echelon"  // for PCFactorSetMatSolverType() and MatGetFactor()
#define PCECHELONGS "echelon_gs"    // for PCSetType()

#ifdef __cplusplus
extern "C" {
#endif

// Registers MATSOLVERECHELON for LU, Cholesky, ILU and ICC of seqaij, seqbaij and seqsbaij
// matrices, and PCECHELONGS.  Calls after the first do nothing.
__attribute__((visibility("default"))) PetscErrorCode EchelonPetscRegister(void);

// What PETSc calls when -dll_append loads the library: EchelonPetscRegister().
__attribute__((visibility("default"))) PetscErrorCode PetscDLLibraryRegister_echelon_petsc(void);

// Makes a PC of type PCSHELL apply the sweeps of PCECHELONGS, with the same options.
__attribute__((visibility("default"))) PetscErrorCode EchelonPetscShellGaussSeidel(PC shell);

#ifdef __cplusplus
}
#endif

#endif
