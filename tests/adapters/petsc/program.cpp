// tests/adapters/petsc/program.cpp -- a PETSc program that knows nothing of Echelon: it solves one
// system in one of several ways, and checks the residuals itself.
// SPDX-License-Identifier: BSD-3-Clause
//
//   program -task solve|transpose|many|values|pattern|singular [-m 20] [-convection 0]
//           [-expect_solver NAME] and options of PETSc
#include <petscksp.h>

#include <cstring>

namespace {

struct Problem {
  PetscInt m = 20;
  PetscReal convection = 0;
  Mat a = nullptr;
  Vec b = nullptr, x = nullptr;
  KSP ksp = nullptr;
};

// One row of the 5-point operator of -div grad + convection d/dx, times `scale`.
PetscErrorCode set_row(const Problem& p, PetscInt i, PetscReal scale, PetscBool corner) {
  const PetscInt x = i % p.m, y = i / p.m;
  PetscInt column[6], count = 0;
  PetscScalar value[6];
  const auto put = [&](PetscInt j, PetscReal v) {
    column[count] = j;
    value[count++] = scale * v;
  };

  PetscFunctionBegin;
  if (y > 0) put(i - p.m, -1);
  if (x > 0) put(i - 1, -1 - p.convection);
  put(i, 4 + p.convection + 0.01 * static_cast<PetscReal>(i % 7));
  if (x < p.m - 1) put(i + 1, -1);
  if (y < p.m - 1) put(i + p.m, -1);
  if (corner && i == 0) put(p.m * p.m - 1, -0.5);
  if (corner && i == p.m * p.m - 1) put(0, -0.5);
  PetscCall(MatSetValues(p.a, 1, &i, count, column, value, INSERT_VALUES));
  PetscFunctionReturn(0);
}

PetscErrorCode fill(const Problem& p, PetscReal scale, PetscBool corner) {
  PetscInt begin, end;

  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(p.a, &begin, &end));
  for (PetscInt i = begin; i < end; ++i) PetscCall(set_row(p, i, scale, corner));
  PetscCall(MatAssemblyBegin(p.a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(p.a, MAT_FINAL_ASSEMBLY));
  if (p.convection == 0) {
    PetscCall(MatSetOption(p.a, MAT_SYMMETRIC, PETSC_TRUE));
    PetscCall(MatSetOption(p.a, MAT_HERMITIAN, PETSC_TRUE));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode create(Problem* p) {
  const PetscInt n = p->m * p->m;
  PetscBool half;

  PetscFunctionBegin;
  PetscCall(MatCreate(PETSC_COMM_WORLD, &p->a));
  PetscCall(MatSetSizes(p->a, PETSC_DECIDE, PETSC_DECIDE, n, n));
  PetscCall(MatSetFromOptions(p->a));
  PetscCall(MatSetUp(p->a));
  PetscCall(MatSetOption(p->a, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(p->a), MATSEQSBAIJ, &half));
  if (half) PetscCall(MatSetOption(p->a, MAT_IGNORE_LOWER_TRIANGULAR, PETSC_TRUE));
  PetscCall(fill(*p, 1, PETSC_FALSE));
  PetscCall(MatCreateVecs(p->a, &p->x, &p->b));
  PetscCall(VecSetRandom(p->b, nullptr));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &p->ksp));
  PetscCall(KSPSetOperators(p->ksp, p->a, p->a));
  PetscCall(KSPSetTolerances(p->ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 500));
  PetscCall(KSPSetFromOptions(p->ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode check_residual(const Problem& p, Vec b, Vec x, PetscBool transpose) {
  Vec r;
  PetscReal left, right;

  PetscFunctionBegin;
  PetscCall(VecDuplicate(b, &r));
  PetscCall(transpose ? MatMultTranspose(p.a, x, r) : MatMult(p.a, x, r));
  PetscCall(VecAYPX(r, -1, b));
  PetscCall(VecNorm(r, NORM_2, &left));
  PetscCall(VecNorm(b, NORM_2, &right));
  PetscCall(VecDestroy(&r));
  PetscCheck(left <= 1e-7 * right, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED,
             "the residual is %g of the right-hand side", static_cast<double>(left / right));
  PetscFunctionReturn(0);
}

PetscErrorCode solve(const Problem& p) {
  PetscFunctionBegin;
  PetscCall(KSPSolve(p.ksp, p.b, p.x));
  PetscCall(check_residual(p, p.b, p.x, PETSC_FALSE));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_transpose(const Problem& p) {
  PetscFunctionBegin;
  PetscCall(KSPSolveTranspose(p.ksp, p.b, p.x));
  PetscCall(check_residual(p, p.b, p.x, PETSC_TRUE));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_many(const Problem& p) {
  const PetscInt count = 19;
  PetscInt local;
  Mat b, x;

  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(p.a, &local, nullptr));
  PetscCall(
      MatCreateDense(PETSC_COMM_WORLD, local, PETSC_DECIDE, PETSC_DECIDE, count, nullptr, &b));
  PetscCall(MatSetRandom(b, nullptr));
  PetscCall(MatDuplicate(b, MAT_DO_NOT_COPY_VALUES, &x));
  PetscCall(KSPMatSolve(p.ksp, b, x));
  for (PetscInt k = 0; k < count; ++k) {
    Vec right, answer;
    PetscCall(MatDenseGetColumnVecRead(b, k, &right));
    PetscCall(MatDenseGetColumnVecRead(x, k, &answer));
    PetscCall(check_residual(p, right, answer, PETSC_FALSE));
    PetscCall(MatDenseRestoreColumnVecRead(x, k, &answer));
    PetscCall(MatDenseRestoreColumnVecRead(b, k, &right));
  }
  PetscCall(MatDestroy(&b));
  PetscCall(MatDestroy(&x));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_new_values(const Problem& p) {
  PetscFunctionBegin;
  for (const PetscReal scale : {1.0, 3.0, 0.5}) {
    PetscCall(fill(p, scale, PETSC_FALSE));
    PetscCall(solve(p));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode solve_new_pattern(const Problem& p) {
  PetscFunctionBegin;
  PetscCall(solve(p));
  PetscCall(fill(p, 1, PETSC_TRUE));
  PetscCall(solve(p));
  PetscFunctionReturn(0);
}

// A row of zeros: KSP has to say that the preconditioner failed, and work again afterwards.
PetscErrorCode solve_singular(const Problem& p) {
  const PetscInt row = p.m + 3;
  KSPConvergedReason reason;

  PetscFunctionBegin;
  PetscCall(MatSetOption(p.a, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  PetscCall(MatZeroRows(p.a, 1, &row, 0, nullptr, nullptr));
  PetscCall(KSPSolve(p.ksp, p.b, p.x));
  PetscCall(KSPGetConvergedReason(p.ksp, &reason));
  PetscCheck(reason == KSP_DIVERGED_PC_FAILED, PETSC_COMM_WORLD, PETSC_ERR_PLIB,
             "a singular matrix gives %s", KSPConvergedReasons[reason]);
  PetscCall(fill(p, 1, PETSC_FALSE));
  PetscCall(KSPReset(p.ksp));  // whose vectors hold the infinities of the failure
  PetscCall(KSPSetOperators(p.ksp, p.a, p.a));
  PetscCall(solve(p));
  PetscFunctionReturn(0);
}

// The solver type that was used, so that no test passes with PETSc's own.
PetscErrorCode check_solver_type(const Problem& p) {
  char expected[32];
  PetscBool given, factors;
  PC pc;
  KSP* blocks;
  MatSolverType used = nullptr;
  PetscErrorCode (*find_blocks)(PC, PetscInt*, PetscInt*, KSP**) = nullptr;

  PetscFunctionBegin;
  PetscCall(PetscOptionsGetString(nullptr, nullptr, "-expect_solver", expected, sizeof(expected),
                                  &given));
  if (!given) PetscFunctionReturn(0);
  PetscCall(KSPGetPC(p.ksp, &pc));
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCBJACOBI, &factors));
  if (factors) find_blocks = PCBJacobiGetSubKSP;
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCASM, &factors));
  if (factors) find_blocks = PCASMGetSubKSP;
  if (find_blocks != nullptr) {
    PetscCall(find_blocks(pc, nullptr, nullptr, &blocks));
    PetscCall(KSPGetPC(blocks[0], &pc));
  }
  PetscCall(PCFactorGetMatSolverType(pc, &used));
  PetscCheck(used != nullptr && std::strcmp(used, expected) == 0, PETSC_COMM_WORLD, PETSC_ERR_PLIB,
             "the factors are those of %s", used ? used : "no package");
  PetscFunctionReturn(0);
}

PetscErrorCode run(const char* task, const Problem& p) {
  const struct {
    const char* name;
    PetscErrorCode (*run)(const Problem&);
  } tasks[] = {{"solve", solve},
               {"transpose", solve_transpose},
               {"many", solve_many},
               {"values", solve_new_values},
               {"pattern", solve_new_pattern},
               {"singular", solve_singular}};

  PetscFunctionBegin;
  for (const auto& t : tasks)
    if (std::strcmp(t.name, task) == 0) {
      PetscCall(t.run(p));
      PetscCall(check_solver_type(p));
      PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: all checks passed\n", task));
      PetscFunctionReturn(0);
    }
  SETERRQ(PETSC_COMM_WORLD, PETSC_ERR_ARG_UNKNOWN_TYPE, "-task %s is not known", task);
}

}  // namespace

int main(int count, char** words) {
  Problem p;
  char task[32] = "solve";

  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&count, &words, nullptr, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-m", &p.m, nullptr));
  PetscCall(PetscOptionsGetReal(nullptr, nullptr, "-convection", &p.convection, nullptr));
  PetscCall(PetscOptionsGetString(nullptr, nullptr, "-task", task, sizeof(task), nullptr));
  PetscCall(create(&p));
  PetscCall(run(task, p));
  PetscCall(KSPDestroy(&p.ksp));
  PetscCall(VecDestroy(&p.b));
  PetscCall(VecDestroy(&p.x));
  PetscCall(MatDestroy(&p.a));
  PetscCall(PetscFinalize());
  return 0;
}
