// bench/factor_solve/package_entrants.hpp -- entrants of a package that factors itself and solves
// with the threads of BLAS.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <memory>

#include "factor_solve/factor_contender.hpp"

namespace echelon::bench {

// Sets the threads of later BLAS calls.  Does nothing if the BLAS is not OpenBLAS, the only one
// with this function and no need for its header.  The library has the same function, but not
// publicly.
inline void set_blas_threads(Index threads) {
  using Setter = void (*)(int);
  static const auto set = reinterpret_cast<Setter>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (set != nullptr) set(threads);
}

// A Package has factor(task, facts), solve(phase, b, x), frame() and the size of its stored values.
// It factors once, with the largest number of threads.
template <class Package, Scalar T>
FactorEntrants<T> make_package_entrants(const FactorTask<T>& task,
                                        const std::vector<Index>& threads, FactorFacts facts,
                                        const std::vector<Phase>& phases) {
  set_blas_threads(*std::max_element(threads.begin(), threads.end()));
  const auto package = std::make_shared<Package>();
  package->factor(task, facts);
  facts.own_threads = true;
  facts.stored_values = package->stored_values();
  facts.stored_bytes = facts.stored_values * static_cast<Offset>(sizeof(T)) +
                       package->stored_indices() * static_cast<Offset>(sizeof(int));
  FactorEntrants<T> entrants;
  for (const Index count : threads) {
    facts.threads = count;
    const auto solve = [package, count](Phase phase, const Vectors<const T>& b,
                                        const Vectors<T>& x) {
      set_blas_threads(count);
      return package->solve(phase, b, x);
    };
    entrants.push_back({facts, package->frame(), phases, solve, {}});
  }
  return entrants;
}

}  // namespace echelon::bench
