// tests/adapters/petsc/linked.cpp -- a PETSc program that links the adapter.
// SPDX-License-Identifier: BSD-3-Clause
#include <petscksp.h>

#include "echelon/adapters/petsc.h"

namespace {

// The tridiagonal matrix (-1, 4, -1), with -4 in the first rows.
PetscErrorCode make_chain(PetscInt n, PetscInt negative, Mat* a) {
  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 3, nullptr, a));
  for (PetscInt i = 0; i < n; ++i)
    for (PetscInt j = PetscMax(i - 1, 0); j <= PetscMin(i + 1, n - 1); ++j)
      PetscCall(MatSetValue(*a, i, j, i != j ? -1 : i < negative ? -4 : 4, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(*a, MAT_HERMITIAN, PETSC_TRUE));
  PetscFunctionReturn(0);
}

// A dominant diagonal has the signs of the eigenvalues.
PetscErrorCode check_inertia() {
  Mat a, f;
  MatFactorInfo info;
  PetscInt negative, zero, positive;

  PetscFunctionBegin;
  PetscCall(make_chain(31, 10, &a));
  PetscCall(PetscOptionsSetValue(nullptr, "-mat_echelon_factor.simplicial", "true"));
  PetscCall(MatGetFactor(a, MATSOLVERECHELON, MAT_FACTOR_CHOLESKY, &f));
  PetscCall(MatFactorInfoInitialize(&info));
  PetscCall(MatCholeskyFactorSymbolic(f, a, nullptr, &info));
  PetscCall(MatCholeskyFactorNumeric(f, a, &info));
  PetscCall(MatGetInertia(f, &negative, &zero, &positive));
  PetscCheck(negative == 10 && zero == 0 && positive == 21, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "the inertia is %d, %d, %d, not 10, 0, 21", static_cast<int>(negative),
             static_cast<int>(zero), static_cast<int>(positive));
  PetscCall(MatDestroy(&f));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

PetscErrorCode apply(PCType type, Mat a, Vec b, Vec x) {
  PC pc;

  PetscFunctionBegin;
  PetscCall(PCCreate(PETSC_COMM_SELF, &pc));
  PetscCall(PCSetType(pc, type));
  PetscCall(PCSetOperators(pc, a, a));
  PetscBool shell, sor;
  PetscCall(PetscStrcmp(type, PCSHELL, &shell));
  if (shell) PetscCall(EchelonPetscShellGaussSeidel(pc));
  PetscCall(PetscStrcmp(type, PCSOR, &sor));
  if (sor) PetscCall(PCSORSetSymmetric(pc, SOR_LOCAL_SYMMETRIC_SWEEP));
  PetscCall(PCApply(pc, b, x));
  PetscCall(PCView(pc, PETSC_VIEWER_STDOUT_SELF));
  PetscCall(PCDestroy(&pc));
  PetscFunctionReturn(0);
}

// A symmetric sweep from zero is what PETSc's PCSOR computes.
PetscErrorCode check_sweeps() {
  Mat a;
  Vec b, x, y;
  PetscReal error, size;

  PetscFunctionBegin;
  PetscCall(make_chain(50, 0, &a));
  PetscCall(MatCreateVecs(a, &x, &b));
  PetscCall(VecDuplicate(x, &y));
  PetscCall(VecSetRandom(b, nullptr));
  PetscCall(apply(PCSOR, a, b, x));
  PetscCall(VecNorm(x, NORM_2, &size));
  for (const PCType type : {PCSHELL, PCECHELONGS}) {
    PetscCall(VecSet(y, 7));  // must not be read
    PetscCall(apply(type, a, b, y));
    PetscCall(VecAXPY(y, -1, x));
    PetscCall(VecNorm(y, NORM_2, &error));
    PetscCheck(error <= 1e-13 * size, PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%s differs from PCSOR by %g", type, static_cast<double>(error));
  }
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&y));
  PetscCall(MatDestroy(&a));
  PetscFunctionReturn(0);
}

}  // namespace

// PETSc may begin and end more than once in a program.
int main(int count, char** words) {
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Init(&count, &words));
  for (int round = 0; round < 2; ++round) {
    PetscCall(PetscInitialize(&count, &words, nullptr, nullptr));
    // [doc register
    PetscCall(EchelonPetscRegister());  // once, after PetscInitialize()
    // doc]
    PetscCall(EchelonPetscRegister());
    PetscCall(check_inertia());
    PetscCall(check_sweeps());
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "round %d passed\n", round));
    PetscCall(PetscFinalize());
  }
  PetscCallMPI(MPI_Finalize());
  return 0;
}
