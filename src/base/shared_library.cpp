// base/shared_library.cpp -- loads a third-party shared library and finds its functions by name.
// SPDX-License-Identifier: BSD-3-Clause
#include "echelon/tools/shared_library.hpp"

#include <dlfcn.h>

#include "echelon/error.hpp"

namespace echelon {

SharedLibrary::SharedLibrary(const std::string& need, std::initializer_list<const char*> files) {
  for (const char* const file : files) {
    file_ = file;
    library_ = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library_ != nullptr) return;
  }
  throw Error(ErrorCode::backend_missing, need + ", and no " + file_ + " was found");
}

void* SharedLibrary::address_of(const std::string& name) const {
  if (void* const found = dlsym(library_, name.c_str())) return found;
  throw Error(ErrorCode::backend_missing, file_ + " has no " + name);
}

}  // namespace echelon
