// factor/klu_library.hpp -- the functions of KLU that we call, found at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// KLU is under the LGPL (docs/licences.md).  It is loaded where it is installed, as CHOLMOD is, so
// that no package of ours depends on it.
#pragma once

#include <klu.h>

#include <initializer_list>

namespace echelon {

struct KluLibrary {
  decltype(&klu_defaults) defaults;
  decltype(&klu_analyze) analyze;
  decltype(&klu_factor) factor;
  decltype(&klu_z_factor) complex_factor;
  decltype(&klu_extract) extract;
  decltype(&klu_z_extract) complex_extract;
  decltype(&klu_free_symbolic) free_symbolic;
  decltype(&klu_free_numeric) free_numeric;  // of both kinds
};

// Loads the first of the files that is found.  Throws backend_missing if there is none.
KluLibrary load_klu_library(std::initializer_list<const char*> files);

// The library of the header's main version, loaded on the first call.
const KluLibrary& klu_library();

}  // namespace echelon
