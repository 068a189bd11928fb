// bench/petsc/petsc_apply.cpp -- times one application of a preconditioner in a PETSc program.
// SPDX-License-Identifier: BSD-3-Clause
//
// The contenders take turns: PETSc's own factors (prefix own_) and those of another solver type
// (prefix other_), both for the 7-point operator on an m by m by m grid.  Options of PETSc choose.
#include <petscksp.h>
#include <petsctime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

PetscErrorCode make_matrix(PetscInt m, Mat* a) {
  const PetscInt n = m * m * m;

  PetscFunctionBegin;
  PetscCall(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 7, nullptr, a));
  for (PetscInt i = 0; i < n; ++i) {
    const PetscInt x = i % m, y = i / m % m, z = i / m / m;
    PetscInt column[7], count = 0;
    PetscScalar value[7];
    const auto put = [&](bool inside, PetscInt j, PetscScalar v) {
      if (!inside) return;
      column[count] = j;
      value[count++] = v;
    };
    put(z > 0, i - m * m, -1);
    put(y > 0, i - m, -1);
    put(x > 0, i - 1, -1);
    put(true, i, 6);
    put(x < m - 1, i + 1, -1);
    put(y < m - 1, i + m, -1);
    put(z < m - 1, i + m * m, -1);
    PetscCall(MatSetValues(*a, 1, &i, count, column, value, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*a, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(*a, MAT_HERMITIAN, PETSC_TRUE));
  PetscFunctionReturn(0);
}

struct Contender {
  const char* prefix = nullptr;
  KSP ksp = nullptr;
  Vec x = nullptr;
  PetscInt iterations = 0;
  std::vector<double> seconds;
};

PetscErrorCode prepare(Mat a, Vec b, PetscLogStage stage, Contender* c) {
  PetscFunctionBegin;
  PetscCall(PetscLogStagePush(stage));
  PetscCall(VecDuplicate(b, &c->x));
  PetscCall(KSPCreate(PETSC_COMM_SELF, &c->ksp));
  PetscCall(KSPSetOptionsPrefix(c->ksp, c->prefix));
  PetscCall(KSPSetOperators(c->ksp, a, a));
  PetscCall(KSPSetFromOptions(c->ksp));
  PetscCall(KSPSolve(c->ksp, b, c->x));
  PetscCall(KSPGetIterationNumber(c->ksp, &c->iterations));
  PetscCall(PetscLogStagePop());
  PetscFunctionReturn(0);
}

PetscErrorCode apply(Vec b, Contender* c) {
  PetscLogDouble begin, end;
  PC pc;

  PetscFunctionBegin;
  PetscCall(KSPGetPC(c->ksp, &pc));
  PetscCall(PetscTime(&begin));
  PetscCall(PCApply(pc, b, c->x));
  PetscCall(PetscTime(&end));
  c->seconds.push_back(end - begin);
  PetscFunctionReturn(0);
}

double share(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void print(const char* name, const Contender& c) {
  std::printf(
      "  \"%s\": {\"iterations\": %d, \"median_s\": %.5g, \"p10_s\": %.5g, "
      "\"p90_s\": %.5g},\n",
      name, static_cast<int>(c.iterations), share(c.seconds, 0.5), share(c.seconds, 0.1),
      share(c.seconds, 0.9));
}

}  // namespace

int main(int count, char** words) {
  PetscInt m = 100, repeat = 51;
  Contender own, other;
  PetscLogStage own_stage, other_stage;
  Mat a;
  Vec b;
  PetscReal difference, size;
  std::vector<double> ratio;

  PetscFunctionBeginUser;
  own.prefix = "own_";
  other.prefix = "other_";
  PetscCall(PetscInitialize(&count, &words, nullptr, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-m", &m, nullptr));
  PetscCall(PetscOptionsGetInt(nullptr, nullptr, "-repeat", &repeat, nullptr));
  PetscCall(PetscLogStageRegister("PETSc's own", &own_stage));
  PetscCall(PetscLogStageRegister("the other", &other_stage));
  PetscCall(make_matrix(m, &a));
  PetscCall(MatCreateVecs(a, nullptr, &b));
  PetscCall(VecSetRandom(b, nullptr));
  PetscCall(prepare(a, b, own_stage, &own));
  PetscCall(prepare(a, b, other_stage, &other));
  for (PetscInt k = 0; k < repeat; ++k) {
    PetscCall(apply(b, &own));
    PetscCall(apply(b, &other));
    ratio.push_back(other.seconds.back() / own.seconds.back());
  }
  PetscCall(VecNorm(own.x, NORM_2, &size));
  PetscCall(VecAXPY(other.x, -1, own.x));
  PetscCall(VecNorm(other.x, NORM_2, &difference));
  std::printf("{\n  \"problem\": \"laplace3d:%d\",\n  \"repeat\": %d,\n", static_cast<int>(m),
              static_cast<int>(repeat));
  print("petsc", own);
  print("other", other);
  std::printf(
      "  \"ratio\": %.3f,\n  \"ratio_p10\": %.3f,\n  \"ratio_p90\": %.3f,\n"
      "  \"difference\": %.2g\n}\n",
      share(ratio, 0.5), share(ratio, 0.1), share(ratio, 0.9),
      static_cast<double>(difference / size));
  for (Contender* c : {&own, &other}) {
    PetscCall(KSPDestroy(&c->ksp));
    PetscCall(VecDestroy(&c->x));
  }
  PetscCall(VecDestroy(&b));
  PetscCall(MatDestroy(&a));
  PetscCall(PetscFinalize());
  return 0;
}
