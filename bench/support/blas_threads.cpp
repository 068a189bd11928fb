// bench/support/blas_threads.cpp -- how many threads the BLAS of this process takes.
// SPDX-License-Identifier: BSD-3-Clause
#include "support/blas_threads.hpp"

#include <dlfcn.h>

namespace echelon::bench {

void set_blas_threads(Index threads) {
  using Setter = void (*)(int);
  static const auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(threads);
}

}  // namespace echelon::bench
