// adapters/petsc/solve.cpp -- solves with a factored matrix of PETSc, and what it says of itself.
// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/matimpl.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "factorization.hpp"

namespace echelon::petsc {
namespace {

const Factorization& data_of(Mat factored) { return *static_cast<Factorization*>(factored->data); }
MPI_Comm comm_of(Mat a) { return PetscObjectComm(reinterpret_cast<PetscObject>(a)); }

// As -log_view counts: two per entry, one less per unknown.
PetscErrorCode log_flops(const DirectSolver<Value>& solver, Index vectors) {
  const DirectReport& report = solver.report();

  PetscFunctionBegin;
  PetscCall(PetscLogFlops(static_cast<PetscLogDouble>(vectors) *
                          (2.0 * static_cast<double>(report.nnz) - report.n)));
  PetscFunctionReturn(0);
}

// PETSc fills x with infinities itself where the factorization failed, and does not call these.
PetscErrorCode solve_vector(Mat factored, Vec b, Vec x, const SolveOptions<Value>& o) {
  const DirectSolver<Value>* solver = data_of(factored).solver();
  const PetscScalar* right;
  PetscScalar* answer;

  PetscFunctionBegin;
  if (factored->rmap->n == 0) PetscFunctionReturn(0);
  PetscCheck(solver != nullptr, comm_of(factored), PETSC_ERR_ARG_WRONGSTATE,
             "the matrix has no factors: call MatLUFactorNumeric() or its like before MatSolve()");
  PetscCall(VecGetArrayRead(b, &right));
  PetscCall(VecGetArrayWrite(x, &answer));
  const auto n = static_cast<Index>(factored->rmap->n);
  const PetscErrorCode error = guarded(comm_of(factored), [&] {
    solver->solve(Vectors<const Value>(right, n), Vectors<Value>(answer, n), o);
  });
  PetscCall(VecRestoreArrayWrite(x, &answer));
  PetscCall(VecRestoreArrayRead(b, &right));
  PetscCall(error);
  PetscCall(log_flops(*solver, 1));
  PetscFunctionReturn(0);
}

PetscErrorCode solve(Mat factored, Vec b, Vec x) {
  PetscFunctionBegin;
  PetscCall(solve_vector(factored, b, x, {}));
  PetscFunctionReturn(0);
}

PetscErrorCode solve_transpose(Mat factored, Vec b, Vec x) {
  PetscFunctionBegin;
  PetscCall(solve_vector(factored, b, x, {.op = Op::transpose}));
  PetscFunctionReturn(0);
}

// The halves of a symmetric preconditioner.
PetscErrorCode forward_solve(Mat factored, Vec b, Vec x) {
  PetscFunctionBegin;
  PetscCall(solve_vector(factored, b, x, {.part = Part::lower}));
  PetscFunctionReturn(0);
}

PetscErrorCode backward_solve(Mat factored, Vec b, Vec x) {
  PetscFunctionBegin;
  PetscCall(solve_vector(factored, b, x, {.part = Part::upper}));
  PetscFunctionReturn(0);
}

PetscErrorCode require_dense(Mat m) {
  PetscBool dense;

  PetscFunctionBegin;
  PetscCall(PetscObjectBaseTypeCompare(reinterpret_cast<PetscObject>(m), MATSEQDENSE, &dense));
  PetscCheck(dense, comm_of(m), PETSC_ERR_SUP,
             "Echelon solves for right-hand sides and solutions of type seqdense, not %s: "
             "MatConvert() makes one",
             reinterpret_cast<PetscObject>(m)->type_name);
  PetscFunctionReturn(0);
}

PetscErrorCode solve_columns(Mat factored, Mat b, Mat x, Op op) {
  const DirectSolver<Value>* solver = data_of(factored).solver();
  const PetscScalar* right;
  PetscScalar* answer;
  PetscInt right_leading, answer_leading;

  PetscFunctionBegin;
  PetscCall(require_dense(b));
  PetscCall(require_dense(x));
  if (factored->rmap->n == 0) PetscFunctionReturn(0);
  PetscCheck(solver != nullptr, comm_of(factored), PETSC_ERR_ARG_WRONGSTATE,
             "the matrix has no factors: the last factorization failed or was not made");
  PetscCall(MatDenseGetLDA(b, &right_leading));
  PetscCall(MatDenseGetLDA(x, &answer_leading));
  PetscCall(MatDenseGetArrayRead(b, &right));
  PetscCall(MatDenseGetArrayWrite(x, &answer));
  const auto n = static_cast<Index>(factored->rmap->n);
  const auto count = static_cast<Index>(b->cmap->n);
  const PetscErrorCode error = guarded(comm_of(factored), [&] {
    if (count > 0)
      solver->solve(Vectors<const Value>(right, n, count, right_leading),
                    Vectors<Value>(answer, n, count, answer_leading), {.op = op});
  });
  PetscCall(MatDenseRestoreArrayWrite(x, &answer));
  PetscCall(MatDenseRestoreArrayRead(b, &right));
  PetscCall(error);
  PetscCall(log_flops(*solver, count));
  PetscFunctionReturn(0);
}

PetscErrorCode mat_solve(Mat factored, Mat b, Mat x) {
  PetscFunctionBegin;
  PetscCall(solve_columns(factored, b, x, Op::none));
  PetscFunctionReturn(0);
}

PetscErrorCode mat_solve_transpose(Mat factored, Mat b, Mat x) {
  PetscFunctionBegin;
  PetscCall(solve_columns(factored, b, x, Op::transpose));
  PetscFunctionReturn(0);
}

PetscErrorCode get_inertia(Mat factored, PetscInt* negative, PetscInt* zero, PetscInt* positive) {
  const Factorization& f = data_of(factored);

  PetscFunctionBegin;
  PetscCheck(f.inertia().has_value(), comm_of(factored), PETSC_ERR_SUP,
             "the inertia is known of Cholesky factors only (-mat_echelon_factor.simplicial for "
             "indefinite matrices)");
  const auto& count = *f.inertia();
  if (negative) *negative = count[0];
  if (zero) *zero = count[1];
  if (positive) *positive = count[2];
  PetscFunctionReturn(0);
}

PetscErrorCode get_info(Mat factored, MatInfoType, MatInfo* info) {
  const Factorization& f = data_of(factored);

  PetscFunctionBegin;
  PetscCall(PetscMemzero(info, sizeof(*info)));
  info->block_size = 1;
  if (f.solver() == nullptr) PetscFunctionReturn(0);
  const DirectReport& report = f.solver()->report();
  info->nz_used = info->nz_allocated = static_cast<PetscLogDouble>(report.nnz);
  info->memory = static_cast<PetscLogDouble>(report.stored_bytes + report.workspace_bytes);
  info->fill_ratio_given = info->fill_ratio_needed =
      static_cast<PetscLogDouble>(report.nnz) /
      static_cast<PetscLogDouble>(std::max(f.matrix_nonzeros, Offset{1}));
  PetscFunctionReturn(0);
}

PetscErrorCode view(Mat factored, PetscViewer viewer) {
  const Factorization& f = data_of(factored);
  PetscBool ascii;
  PetscViewerFormat format;

  PetscFunctionBegin;
  PetscCall(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
  if (!ascii || f.solver() == nullptr) PetscFunctionReturn(0);
  PetscCall(PetscViewerGetFormat(viewer, &format));
  if (format != PETSC_VIEWER_ASCII_INFO && format != PETSC_VIEWER_ASCII_INFO_DETAIL)
    PetscFunctionReturn(0);
  PetscCall(PetscViewerASCIIPrintf(viewer, "Echelon's solver:\n"));
  std::ostringstream text;
  text << f.solver()->report();
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);)
    PetscCall(PetscViewerASCIIPrintf(viewer, "%s\n", line.c_str()));
  PetscCall(PetscViewerASCIIPrintf(viewer, "  analysis reused by   %d later factorizations\n",
                                   static_cast<int>(f.updates)));
  PetscFunctionReturn(0);
}

}  // namespace

void set_solve_operations(Mat factored) {
  factored->ops->solve = solve;
  factored->ops->solvetranspose = solve_transpose;
  factored->ops->matsolve = mat_solve;
  factored->ops->matsolvetranspose = mat_solve_transpose;
  factored->ops->getinertia = get_inertia;
  factored->ops->getinfo = get_info;
  factored->ops->view = view;
}

void set_halves(Mat factored) {
  const Factorization& f = data_of(factored);
  const bool possible = f.type == MAT_FACTOR_ICC && !f.has_order();
  factored->ops->forwardsolve = possible ? forward_solve : nullptr;
  factored->ops->backwardsolve = possible ? backward_solve : nullptr;
}

}  // namespace echelon::petsc
