// factor/cholmod_library.cpp -- loads CHOLMOD and finds its functions.
// SPDX-License-Identifier: BSD-3-Clause
#include "factor/cholmod_library.hpp"

#include <array>
#include <string>

#include "echelon/error.hpp"
#include "echelon/tools/shared_library.hpp"

#define ECHELON_TEXT_OF(number) #number
#define ECHELON_SONAME(number) "libcholmod.so." ECHELON_TEXT_OF(number)

namespace echelon {
namespace {

void check_version(const SharedLibrary& library) {
  std::array<int, 3> version{};
  library.find<int(int*)>("cholmod_version")(version.data());
  if (version[0] == CHOLMOD_MAIN_VERSION) return;
  throw Error(ErrorCode::backend_missing,
              "this build needs CHOLMOD " + std::to_string(CHOLMOD_MAIN_VERSION) +
                  ", and version " + std::to_string(version[0]) + " was found");
}

}  // namespace

CholmodLibrary load_cholmod_library(std::initializer_list<const char*> files) {
  const SharedLibrary library("factorization 'cholmod' needs CHOLMOD (Debian: libsuitesparse-dev)",
                              files);
  check_version(library);
  return {library.find<decltype(cholmod_start)>("cholmod_start"),
          library.find<decltype(cholmod_finish)>("cholmod_finish"),
          library.find<decltype(cholmod_analyze)>("cholmod_analyze"),
          library.find<decltype(cholmod_analyze_p)>("cholmod_analyze_p"),
          library.find<decltype(cholmod_factorize)>("cholmod_factorize"),
          library.find<decltype(cholmod_change_factor)>("cholmod_change_factor"),
          library.find<decltype(cholmod_free_factor)>("cholmod_free_factor")};
}

// The loader's own search comes first, then the file that the build found, which may lie in a
// folder that the loader does not search.  An error names the last one.
const CholmodLibrary& cholmod_library() {
  static constexpr const char* soname = ECHELON_SONAME(CHOLMOD_MAIN_VERSION);
  static const CholmodLibrary library =
      load_cholmod_library({soname, ECHELON_CHOLMOD_FILE, soname});
  return library;
}

}  // namespace echelon
