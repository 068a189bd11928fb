// factor/cholmod_library.hpp -- the functions of CHOLMOD that we call, found at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// CHOLMOD's supernodal factorization is under the GPL, and Echelon is not (docs/licences.md).  So
// no library or program of ours links CHOLMOD: it is loaded where it is installed.
#pragma once

#include <cholmod.h>

#include <initializer_list>

namespace echelon {

struct CholmodLibrary {
  decltype(&cholmod_start) start;
  decltype(&cholmod_finish) finish;
  decltype(&cholmod_analyze) analyze;
  decltype(&cholmod_analyze_p) analyze_given;  // with a permutation of the caller
  decltype(&cholmod_factorize) factorize;
  decltype(&cholmod_change_factor) change_factor;
  decltype(&cholmod_free_factor) free_factor;
};

// Loads the first of the files that is found.  Throws backend_missing if there is none, or if it is
// of another main version than the header: the structures differ between main versions.
CholmodLibrary load_cholmod_library(std::initializer_list<const char*> files);

// The library of the header's main version, loaded on the first call.
const CholmodLibrary& cholmod_library();

}  // namespace echelon
