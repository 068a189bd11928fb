// factor/umfpack_library.hpp -- the functions of UMFPACK that we call, found at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// UMFPACK is under the GPL, and Echelon is not (docs/licences.md): it is loaded where it is
// installed, as CHOLMOD is.
#pragma once

#include <umfpack.h>

#include <initializer_list>

namespace echelon {

struct UmfpackLibrary {
  decltype(&umfpack_di_defaults) defaults;
  decltype(&umfpack_di_symbolic) symbolic;
  decltype(&umfpack_di_numeric) numeric;
  decltype(&umfpack_di_get_lunz) sizes;
  decltype(&umfpack_di_get_numeric) arrays;
  decltype(&umfpack_di_free_symbolic) free_symbolic;
  decltype(&umfpack_di_free_numeric) free_numeric;
  decltype(&umfpack_zi_symbolic) complex_symbolic;
  decltype(&umfpack_zi_numeric) complex_numeric;
  decltype(&umfpack_zi_get_lunz) complex_sizes;
  decltype(&umfpack_zi_get_numeric) complex_arrays;
  decltype(&umfpack_zi_free_symbolic) complex_free_symbolic;
  decltype(&umfpack_zi_free_numeric) complex_free_numeric;
};

// Loads the first of the files that is found.  Throws backend_missing if there is none.
UmfpackLibrary load_umfpack_library(std::initializer_list<const char*> files);

// The library of the header's main version, loaded on the first call.
const UmfpackLibrary& umfpack_library();

}  // namespace echelon
