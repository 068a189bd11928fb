// adapters/petsc/factor.cpp -- the symbolic and numeric phases of PETSc's factorizations.
// SPDX-License-Identifier: BSD-3-Clause
//
// A type of matrix is a table of functions that only PETSc's own headers (petsc/private) show;
// other packages are tied to PETSc in the same way.
#include <petsc/private/matimpl.h>

#include "echelon/adapters/petsc.h"
#include "factorization.hpp"
#include "settings.hpp"

namespace echelon::petsc {
namespace {

Factorization& data_of(Mat factored) { return *static_cast<Factorization*>(factored->data); }
MPI_Comm comm_of(Mat a) { return PetscObjectComm(reinterpret_cast<PetscObject>(a)); }

PetscErrorCode copy_indices(IS is, std::vector<Index>* order) {
  const PetscInt* index;
  PetscInt n;

  PetscFunctionBegin;
  order->clear();
  if (is == nullptr) PetscFunctionReturn(0);
  PetscCall(ISGetLocalSize(is, &n));
  PetscCall(ISGetIndices(is, &index));
  PetscCall(guarded(PETSC_COMM_SELF, [&] { order->assign(index, index + n); }));
  PetscCall(ISRestoreIndices(is, &index));
  PetscFunctionReturn(0);
}

// KSP then says DIVERGED_PC_FAILED, unless the caller wants an error.
PetscErrorCode note_failure(Mat factored, Mat a, const Error& e) {
  PetscFunctionBegin;
  PetscCheck(!a->erroriffailure && !factored->erroriffailure, comm_of(a), error_code(e.code()),
             "Echelon, %s: %s", name(e.code()), e.what());
  PetscCall(PetscInfo(factored, "Echelon, %s: %s\n", name(e.code()), e.what()));
  factored->factorerrortype = MAT_FACTOR_NUMERIC_ZEROPIVOT;
  factored->factorerror_zeropivot_value = 0;
  factored->factorerror_zeropivot_row = static_cast<PetscInt>(e.row());
  PetscFunctionReturn(0);
}

PetscErrorCode factor_numeric(Mat factored, Mat a, const MatFactorInfo*) {
  Factorization& f = data_of(factored);
  std::optional<Error> failure;

  PetscFunctionBegin;
  factored->factorerrortype = MAT_FACTOR_NOERROR;
  PetscCall(f.rows.open(a));
  const PetscErrorCode error = guarded(comm_of(a), [&] {
    try {
      if (a->rmap->n > 0) f.compute(f.rows.view(), f.rows.new_pattern());
    } catch (const Error& e) {
      if (!is_zero_pivot(e.code())) throw;
      failure = e;
    }
  });
  PetscCall(f.rows.close());
  PetscCall(error);
  if (failure) PetscCall(note_failure(factored, a, *failure));
  factored->assembled = PETSC_TRUE;
  factored->preallocated = PETSC_TRUE;
  set_halves(factored);
  PetscFunctionReturn(0);
}

PetscErrorCode require_hermitian(Mat a) {
  PetscFunctionBegin;
#if defined(PETSC_USE_COMPLEX)
  PetscBool known, hermitian;
  PetscCall(MatIsHermitianKnown(a, &known, &hermitian));
  PetscCheck(known && hermitian, comm_of(a), PETSC_ERR_SUP,
             "Echelon's Cholesky and ICC of complex matrices are for Hermitian ones: call "
             "MatSetOption(A, MAT_HERMITIAN, PETSC_TRUE), or use LU or ILU");
#else
  (void)a;
#endif
  PetscFunctionReturn(0);
}

PetscErrorCode require_no_fill(Mat a, const MatFactorInfo* info) {
  PetscFunctionBegin;
  PetscCheck(info->levels == 0, comm_of(a), PETSC_ERR_SUP,
             "Echelon's ILU and ICC have no fill: use -pc_factor_levels 0, not %g, or "
             "-pc_factor_mat_solver_type petsc",
             static_cast<double>(info->levels));
  PetscFunctionReturn(0);
}

// PETSc's other types of shift are defaults of ILU and ICC: they help a pivot that would fail here.
PetscErrorCode require_no_shift(Mat a, const MatFactorInfo* info) {
  PetscFunctionBegin;
  PetscCheck(info->shifttype != static_cast<PetscReal>(MAT_SHIFT_NONZERO), comm_of(a),
             PETSC_ERR_SUP,
             "Echelon shifts no pivots: leave out -pc_factor_shift_type nonzero, or use "
             "-pc_factor_mat_solver_type petsc");
  PetscFunctionReturn(0);
}

PetscErrorCode factor_symbolic(Mat factored, Mat a, IS row, IS col, const MatFactorInfo* info) {
  Factorization& f = data_of(factored);
  std::vector<Index> rows, cols;

  PetscFunctionBegin;
  PetscCheck(a->rmap->n == a->cmap->n, comm_of(a), PETSC_ERR_ARG_WRONG,
             "a matrix to be factored is square, not %" PetscInt_FMT " by %" PetscInt_FMT,
             a->rmap->n, a->cmap->n);
  if (!f.is_complete()) PetscCall(require_no_fill(a, info));
  PetscCall(require_no_shift(a, info));
  if (f.type == MAT_FACTOR_CHOLESKY || f.type == MAT_FACTOR_ICC) PetscCall(require_hermitian(a));
  PetscCall(read_options(reinterpret_cast<PetscObject>(factored), &f.options, &f.factor));
  PetscCall(copy_indices(row, &rows));
  PetscCall(copy_indices(col, &cols));
  f.restart(std::move(rows), std::move(cols));
  factored->ops->lufactornumeric = factor_numeric;
  factored->ops->choleskyfactornumeric = factor_numeric;
  PetscFunctionReturn(0);
}

PetscErrorCode factor_symbolic_symmetric(Mat factored, Mat a, IS order, const MatFactorInfo* info) {
  PetscFunctionBegin;
  PetscCall(factor_symbolic(factored, a, order, order, info));
  PetscFunctionReturn(0);
}

PetscErrorCode destroy(Mat factored) {
  auto* f = static_cast<Factorization*>(factored->data);

  PetscFunctionBegin;
  if (f != nullptr) PetscCall(f->rows.destroy());
  delete f;
  factored->data = nullptr;
  PetscCall(PetscObjectComposeFunction(reinterpret_cast<PetscObject>(factored),
                                       "MatFactorGetSolverType_C", nullptr));
  PetscFunctionReturn(0);
}

PetscErrorCode get_solver_type(Mat, MatSolverType* type) {
  PetscFunctionBegin;
  *type = MATSOLVERECHELON;
  PetscFunctionReturn(0);
}

PetscErrorCode set_type(Mat factored, MatFactorType type) {
  const bool complete = type == MAT_FACTOR_LU || type == MAT_FACTOR_CHOLESKY;
  const MatOrderingType order = complete ? MATORDERINGEXTERNAL : MATORDERINGNATURAL;

  PetscFunctionBegin;
  factored->factortype = type;
  factored->canuseordering = PETSC_TRUE;
  PetscCall(PetscStrallocpy(order, const_cast<char**>(&factored->preferredordering[type])));
  PetscCall(PetscFree(factored->solvertype));
  PetscCall(PetscStrallocpy(MATSOLVERECHELON, &factored->solvertype));
  factored->ops->lufactorsymbolic = factor_symbolic;
  factored->ops->ilufactorsymbolic = factor_symbolic;
  factored->ops->choleskyfactorsymbolic = factor_symbolic_symmetric;
  factored->ops->iccfactorsymbolic = factor_symbolic_symmetric;
  factored->ops->destroy = destroy;
  set_solve_operations(factored);
  PetscCall(PetscObjectComposeFunction(reinterpret_cast<PetscObject>(factored),
                                       "MatFactorGetSolverType_C", get_solver_type));
  PetscFunctionReturn(0);
}

}  // namespace

extern "C" PetscErrorCode EchelonPetscGetFactor(Mat a, MatFactorType type, Mat* factored) {
  Mat b;

  PetscFunctionBegin;
  PetscCall(MatCreate(comm_of(a), &b));
  PetscCall(MatSetSizes(b, a->rmap->n, a->cmap->n, a->rmap->N, a->cmap->N));
  PetscCall(PetscStrallocpy(MATSOLVERECHELON, &reinterpret_cast<PetscObject>(b)->type_name));
  PetscCall(MatSetUp(b));
  PetscCall(guarded(comm_of(a), [&] { b->data = new Factorization; }));
  Factorization& f = data_of(b);
  f.type = type;
  if (!f.is_complete()) f.factor.order = Ordering::natural;
  PetscCall(default_options(&f.options));
  PetscCall(set_type(b, type));
  *factored = b;
  PetscFunctionReturn(0);
}

}  // namespace echelon::petsc
