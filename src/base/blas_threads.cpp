// base/blas_threads.cpp -- reads and sets the number of threads of OpenBLAS, if the BLAS is
// OpenBLAS.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  dlsym looks the two functions up in the loaded libraries: the BLAS is chosen when the
// program starts (Debian's alternatives), not when Echelon is compiled.
#include "base/blas_threads.hpp"

#include <dlfcn.h>

#include <mutex>

namespace echelon {
namespace {

// State shared by all live BlasThreads objects.
struct Changes {
  std::mutex mutex;
  Index alive = 0;
  Index before = 0;  // number of threads before the first of them
};
Changes& changes() {
  static Changes all;
  return all;
}

}  // namespace

Index blas_threads() {
  using Getter = int (*)();
  static const auto get = reinterpret_cast<Getter>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  return get != nullptr ? get() : 0;
}

void set_blas_threads(Index threads) {
  using Setter = void (*)(int);
  static const auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr && threads > 0) set(threads);
}

BlasThreads::BlasThreads(Index threads) : sets_(threads > 0 && blas_threads() > 0) {
  if (!sets_) return;
  const std::lock_guard lock(changes().mutex);
  if (changes().alive++ == 0) changes().before = blas_threads();
  set_blas_threads(threads);
}
BlasThreads::~BlasThreads() {
  if (!sets_) return;
  const std::lock_guard lock(changes().mutex);
  if (--changes().alive == 0) set_blas_threads(changes().before);
}

}  // namespace echelon
