// bench/support/mkl.hpp -- Intel's MKL, from a library found at run time.
// SPDX-License-Identifier: BSD-3-Clause
//
// Threads.  This program runs on GNU's OpenMP, and MKL is told to do so too: the threads of
// Intel's OpenMP would stand beside ours, ask the other runtime for their numbers, and wait for
// ever.  Both then use one team, and neither spins while the other is timed.
#pragma once

#include <dlfcn.h>

#include <string>

namespace echelon::bench {

struct Mkl {
  void* library = nullptr;
  std::string error;  // why it cannot be used; empty if it can
  void (*set_threads)(int) = nullptr;

  template <class Function>
  void find(Function& f, const std::string& symbol) {
    f = reinterpret_cast<Function>(dlsym(library, symbol.c_str()));
    if (f == nullptr && error.empty()) error = "the library has no " + symbol;
  }
};

// Loaded once, from `path` or where the loader finds it, and kept until the end.  Its integers have
// 32 bits.
Mkl& load_mkl(const std::string& path);

}  // namespace echelon::bench
