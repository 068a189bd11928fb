// adapters/petsc/settings.hpp -- Echelon's options in the options database of PETSc.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include "echelon/factor.hpp"
#include "echelon/options.hpp"
#include "echelon/smoother.hpp"

namespace echelon::petsc {

// The defaults of a PETSc program: one thread where several ranks share a node and OMP_NUM_THREADS
// is not set; vectors are not searched for NaN, because KSP finds it in its norms.
PetscErrorCode default_options(Options* options);

// -mat_echelon_method, -mat_echelon_cpu.threads, ...: the names of Options; and with "factor."
// those of FactorOptions.  `object` gives prefix and communicator.
PetscErrorCode read_options(PetscObject object, Options* options, FactorOptions* factor);

// Of sweeps: -pc_echelon_gs_omega, _direction, _form, _sweeps, and the names of Options.
PetscErrorCode read_options(PetscObject object, SmootherOptions* options, Index* sweeps);

}  // namespace echelon::petsc
