// adapters/petsc/sweeps.cpp -- Gauss-Seidel and SOR sweeps as a preconditioner of PETSc.
// SPDX-License-Identifier: BSD-3-Clause
//
// On several ranks each sweeps over its own diagonal block, as PETSc's -pc_sor_local_symmetric
// does.
#include "sweeps.hpp"

#include <petsc/private/pcimpl.h>

#include <optional>
#include <sstream>
#include <string>

#include "echelon/adapters/petsc.h"
#include "echelon/smoother.hpp"
#include "guard.hpp"
#include "rows.hpp"
#include "settings.hpp"

namespace echelon::petsc {
namespace {

struct Sweeps {
  SmootherOptions options;
  Index sweeps = 1;
  MatrixRows rows;
  std::optional<GaussSeidel<Value>> smoother;
  PetscInt n = 0;
};

MPI_Comm comm_of(PC pc) { return PetscObjectComm(reinterpret_cast<PetscObject>(pc)); }

// A PC of type PCSHELL keeps its data elsewhere than one of our own type.
PetscErrorCode find_data(PC pc, Sweeps** data) {
  PetscBool shell;

  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCSHELL, &shell));
  *data = static_cast<Sweeps*>(pc->data);
  if (shell) PetscCall(PCShellGetContext(pc, data));
  PetscFunctionReturn(0);
}

PetscErrorCode new_data(PC pc, Sweeps** data) {
  PetscFunctionBegin;
  PetscCall(guarded(comm_of(pc), [&] { *data = new Sweeps; }));
  (*data)->options.solver.check_finite = false;
  PetscCall(default_options(&(*data)->options.solver));
  PetscFunctionReturn(0);
}

PetscErrorCode set_up(PC pc) {
  Sweeps* s;
  Mat local, all;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  if (!pc->setupcalled)
    PetscCall(read_options(reinterpret_cast<PetscObject>(pc), &s->options, &s->sweeps));
  PetscCheck(s->sweeps >= 1, comm_of(pc), PETSC_ERR_ARG_OUTOFRANGE,
             "-pc_echelon_gs_sweeps is at least 1, not %d", static_cast<int>(s->sweeps));
  PetscCall(PCGetOperators(pc, nullptr, &all));
  PetscCall(MatGetDiagonalBlock(all, &local));
  PetscCall(MatGetLocalSize(local, &s->n, nullptr));
  PetscCall(s->rows.open(local));
  const PetscErrorCode error = guarded(comm_of(pc), [&] {
    const CsrView<Value> a = s->rows.view();
    if (s->rows.new_pattern()) s->smoother.reset();
    if (s->n == 0) return;
    if (s->smoother)
      s->smoother->update(a.value);
    else
      s->smoother.emplace(a, s->options);
  });
  PetscCall(s->rows.close());
  PetscCall(error);
  PetscFunctionReturn(0);
}

// y from a guess of zero, or from what it holds.
PetscErrorCode sweep(PC pc, Vec b, Vec y, const SweepOptions& o) {
  Sweeps* s;
  const PetscScalar* right;
  PetscScalar* answer;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  if (s->n == 0) PetscFunctionReturn(0);
  PetscCall(VecGetArrayRead(b, &right));
  if (o.guess == Guess::zero)
    PetscCall(VecGetArrayWrite(y, &answer));
  else
    PetscCall(VecGetArray(y, &answer));
  const auto n = static_cast<Index>(s->n);
  const PetscErrorCode error = guarded(comm_of(pc), [&] {
    s->smoother->solve(Vectors<const Value>(right, n), Vectors<Value>(answer, n), o);
  });
  if (o.guess == Guess::zero)
    PetscCall(VecRestoreArrayWrite(y, &answer));
  else
    PetscCall(VecRestoreArray(y, &answer));
  PetscCall(VecRestoreArrayRead(b, &right));
  PetscCall(error);
  PetscFunctionReturn(0);
}

PetscErrorCode apply(PC pc, Vec b, Vec y) {
  Sweeps* s;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  PetscCall(sweep(pc, b, y, {.sweeps = s->sweeps, .guess = Guess::zero}));
  PetscFunctionReturn(0);
}

// The transpose of a symmetric sweep over a symmetric matrix is that sweep.
PetscErrorCode apply_transpose(PC pc, Vec b, Vec y) {
  Sweeps* s;
  Mat all;
  PetscBool known, symmetric;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  PetscCall(PCGetOperators(pc, nullptr, &all));
  PetscCall(MatIsSymmetricKnown(all, &known, &symmetric));
  PetscCheck(known && symmetric && s->options.direction == Sweep::symmetric, comm_of(pc),
             PETSC_ERR_SUP,
             "the transpose of " PCECHELONGS
             " is known for symmetric sweeps over a matrix that is "
             "marked as symmetric: call MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE)");
  PetscCall(apply(pc, b, y));
  PetscFunctionReturn(0);
}

// KSPRICHARDSON on one rank: the sweeps themselves, each from the last y.
PetscErrorCode apply_richardson(PC pc, Vec b, Vec y, Vec, PetscReal, PetscReal, PetscReal,
                                PetscInt its, PetscBool zero_guess, PetscInt* done,
                                PCRichardsonConvergedReason* reason) {
  Sweeps* s;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  for (PetscInt k = 0; k < its; ++k)
    PetscCall(
        sweep(pc, b, y,
              {.sweeps = s->sweeps, .guess = zero_guess && k == 0 ? Guess::zero : Guess::given}));
  *done = its;
  *reason = PCRICHARDSON_CONVERGED_ITS;
  PetscFunctionReturn(0);
}

PetscErrorCode view(PC pc, PetscViewer viewer) {
  Sweeps* s;
  PetscBool ascii;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  PetscCall(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(viewer), PETSCVIEWERASCII, &ascii));
  if (!ascii) PetscFunctionReturn(0);
  PetscCall(PetscViewerASCIIPrintf(viewer, "  Echelon, per application %d %s sweep%s, omega %g\n",
                                   static_cast<int>(s->sweeps), name(s->options.direction),
                                   s->sweeps == 1 ? "" : "s", s->options.omega));
  if (!s->smoother) PetscFunctionReturn(0);
  std::ostringstream text;
  text << s->smoother->report();
  std::istringstream lines(text.str());
  for (std::string line; std::getline(lines, line);)
    PetscCall(PetscViewerASCIIPrintf(viewer, "  %s\n", line.c_str()));
  PetscFunctionReturn(0);
}

PetscErrorCode destroy(PC pc) {
  Sweeps* s;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  if (s != nullptr) PetscCall(s->rows.destroy());
  delete s;
  PetscFunctionReturn(0);
}

PetscErrorCode destroy_own(PC pc) {
  PetscFunctionBegin;
  PetscCall(destroy(pc));
  pc->data = nullptr;
  PetscFunctionReturn(0);
}

// Before a matrix of another size.
PetscErrorCode reset(PC pc) {
  Sweeps* s;

  PetscFunctionBegin;
  PetscCall(find_data(pc, &s));
  if (s != nullptr) s->smoother.reset();
  PetscFunctionReturn(0);
}

}  // namespace

extern "C" PetscErrorCode EchelonPetscCreateSweeps(PC pc) {
  Sweeps* s;
  PetscMPIInt ranks;

  PetscFunctionBegin;
  PetscCall(new_data(pc, &s));
  pc->data = s;
  pc->ops->setup = set_up;
  pc->ops->apply = apply;
  pc->ops->applytranspose = apply_transpose;
  PetscCallMPI(MPI_Comm_size(comm_of(pc), &ranks));
  if (ranks == 1) pc->ops->applyrichardson = apply_richardson;
  pc->ops->view = view;
  pc->ops->reset = reset;
  pc->ops->destroy = destroy_own;
  PetscFunctionReturn(0);
}

}  // namespace echelon::petsc

PetscErrorCode EchelonPetscShellGaussSeidel(PC shell) {
  using namespace echelon::petsc;
  Sweeps* s;
  PetscBool is_shell;

  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(shell), PCSHELL, &is_shell));
  PetscCheck(is_shell, comm_of(shell), PETSC_ERR_ARG_WRONGSTATE,
             "EchelonPetscShellGaussSeidel() needs a PC of type PCSHELL: call "
             "PCSetType(pc, PCSHELL) before, or use type " PCECHELONGS);
  PetscCall(new_data(shell, &s));
  PetscCall(PCShellSetContext(shell, s));
  PetscCall(PCShellSetName(shell, "Gauss-Seidel sweeps of Echelon"));
  PetscCall(PCShellSetSetUp(shell, set_up));
  PetscCall(PCShellSetApply(shell, apply));
  PetscCall(PCShellSetApplyTranspose(shell, apply_transpose));
  PetscCall(PCShellSetView(shell, view));
  PetscCall(PCShellSetDestroy(shell, destroy));
  PetscFunctionReturn(0);
}
