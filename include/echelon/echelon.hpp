// echelon/echelon.hpp -- all solvers of one process, and what they take: matrices, files,
// generators, factorizations, options.
// SPDX-License-Identifier: BSD-3-Clause
//
// Not in here: solvers of many ranks (mpi.hpp, nvshmem.hpp, superlu_dist.hpp), whose libraries a
// program links too, and what looks closer: models, machines and pictures (echelon/tools/).
#pragma once

#include "echelon/batch.hpp"
#include "echelon/device.hpp"
#include "echelon/direct.hpp"
#include "echelon/error.hpp"
#include "echelon/factor.hpp"
#include "echelon/factor_file.hpp"
#include "echelon/generate.hpp"
#include "echelon/io.hpp"
#include "echelon/matrix.hpp"
#include "echelon/options.hpp"
#include "echelon/residual.hpp"
#include "echelon/smoother.hpp"
#include "echelon/solve_options.hpp"
#include "echelon/solver.hpp"
#include "echelon/types.hpp"
#include "echelon/version.hpp"
