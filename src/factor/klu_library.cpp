// factor/klu_library.cpp -- loads KLU and finds its functions.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/klu_library.hpp"

#include "echelon/tools/shared_library.hpp"

#define ECHELON_TEXT_OF(number) #number
#define ECHELON_SONAME(number) "libklu.so." ECHELON_TEXT_OF(number)

namespace echelon {

KluLibrary load_klu_library(std::initializer_list<const char*> files) {
  const SharedLibrary library("factorization 'klu' needs KLU (Debian: libsuitesparse-dev)", files);
  return {library.find<decltype(klu_defaults)>("klu_defaults"),
          library.find<decltype(klu_analyze)>("klu_analyze"),
          library.find<decltype(klu_factor)>("klu_factor"),
          library.find<decltype(klu_z_factor)>("klu_z_factor"),
          library.find<decltype(klu_extract)>("klu_extract"),
          library.find<decltype(klu_z_extract)>("klu_z_extract"),
          library.find<decltype(klu_free_symbolic)>("klu_free_symbolic"),
          library.find<decltype(klu_free_numeric)>("klu_free_numeric")};
}

// The loader's own search comes first, then the file that the build found.  The structures differ
// between main versions; their file names do too.
const KluLibrary& klu_library() {
  static constexpr const char* soname = ECHELON_SONAME(KLU_MAIN_VERSION);
  static const KluLibrary library = load_klu_library({soname, ECHELON_KLU_FILE, soname});
  return library;
}

}  // namespace echelon
