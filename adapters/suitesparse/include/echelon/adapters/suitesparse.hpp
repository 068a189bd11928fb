// echelon/adapters/suitesparse.hpp -- factors, matrices and vectors of SuiteSparse's CHOLMOD and
// UMFPACK as ours.
// SPDX-License-Identifier: BSD-3-Clause
//
// Use it.  Needs SuiteSparse; link echelon::suitesparse, and CHOLMOD or UMFPACK yourself: those
// that made the factors.  Echelon itself links neither (docs/licences.md).
//
//   namespace ss = echelon::suitesparse;
//   echelon::DirectSolver<double> solver(ss::factors<double>(l));    // a cholmod_factor
//   solver.solve(ss::vectors<double>(*b), ss::vectors<double>(*x));  // cholmod_dense
//   solver.update(ss::factors<double>(l));                           // after cholmod_factorize
//   echelon::DirectSolver<double> lu(ss::umfpack_factors<double, int>(numeric));
#pragma once

#if __has_include(<cholmod.h>)
#include "echelon/adapters/suitesparse/cholmod.hpp"
#endif
#if __has_include(<umfpack.h>)
#include "echelon/adapters/suitesparse/umfpack.hpp"
#endif
