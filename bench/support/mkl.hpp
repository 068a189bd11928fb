// bench/support/mkl.hpp -- Intel's MKL, loaded at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Threads.  The program may be linked with GNU's OpenMP, so MKL is set to use that too: the threads
// of Intel's OpenMP would ask the other runtime for their thread numbers, and wait forever.  Its
// threads poll for some milliseconds after each call.
#pragma once

#include <dlfcn.h>

#include <string>

namespace echelon::bench {

struct Mkl {
  void* library = nullptr;
  std::string error;  // the reason why it cannot be used; empty if it can
  void (*set_threads)(int) = nullptr;

  template <class Function>
  void find(Function& f, const std::string& symbol) {
    f = reinterpret_cast<Function>(dlsym(library, symbol.c_str()));
    if (f == nullptr && error.empty()) error = "the library has no " + symbol;
  }
};

// Loads MKL once, from `path` or the loader's search path, for the rest of the program.  Its
// integers have 32 bits.
Mkl& load_mkl(const std::string& path);

}  // namespace echelon::bench
