// factor/umfpack_library.cpp -- loads UMFPACK and finds its functions.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/umfpack_library.hpp"

#include "echelon/tools/shared_library.hpp"

#define ECHELON_TEXT_OF(number) #number
#define ECHELON_SONAME(number) "libumfpack.so." ECHELON_TEXT_OF(number)

namespace echelon {

UmfpackLibrary load_umfpack_library(std::initializer_list<const char*> files) {
  const SharedLibrary library("factorization 'umfpack' needs UMFPACK (Debian: libsuitesparse-dev)",
                              files);
  return {library.find<decltype(umfpack_di_defaults)>("umfpack_di_defaults"),
          library.find<decltype(umfpack_di_symbolic)>("umfpack_di_symbolic"),
          library.find<decltype(umfpack_di_numeric)>("umfpack_di_numeric"),
          library.find<decltype(umfpack_di_get_lunz)>("umfpack_di_get_lunz"),
          library.find<decltype(umfpack_di_get_numeric)>("umfpack_di_get_numeric"),
          library.find<decltype(umfpack_di_free_symbolic)>("umfpack_di_free_symbolic"),
          library.find<decltype(umfpack_di_free_numeric)>("umfpack_di_free_numeric"),
          library.find<decltype(umfpack_zi_symbolic)>("umfpack_zi_symbolic"),
          library.find<decltype(umfpack_zi_numeric)>("umfpack_zi_numeric"),
          library.find<decltype(umfpack_zi_get_lunz)>("umfpack_zi_get_lunz"),
          library.find<decltype(umfpack_zi_get_numeric)>("umfpack_zi_get_numeric"),
          library.find<decltype(umfpack_zi_free_symbolic)>("umfpack_zi_free_symbolic"),
          library.find<decltype(umfpack_zi_free_numeric)>("umfpack_zi_free_numeric")};
}

// The loader's own search comes first, then the file that the build found.  The structures and
// names of functions may differ between main versions; their file names do too.
const UmfpackLibrary& umfpack_library() {
  static constexpr const char* soname = ECHELON_SONAME(UMFPACK_MAIN_VERSION);
  static const UmfpackLibrary library =
      load_umfpack_library({soname, ECHELON_UMFPACK_FILE, soname});
  return library;
}

}  // namespace echelon
