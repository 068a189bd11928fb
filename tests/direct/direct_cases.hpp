// tests/direct/direct_cases.hpp -- factorizations of every kind that this build has.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../factor/dense_factors.hpp"
#include "echelon/direct.hpp"
#include "exec/block_cases.hpp"

namespace echelon::test {

inline constexpr FactorOptions natural{.order = Ordering::natural};

template <class T>
struct DirectCase {
  std::string name;
  Csr<T> a;
  std::function<Factors<T>(const Csr<T>&)> factor;
};

// A matrix without fill: its incomplete factors are complete.
template <class T>
Csr<T> tridiagonal(Index n) {
  Coo<T> coo{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i)
    for (Index j = std::max(0, i - 1); j < std::min(n, i + 2); ++j) {
      coo.row.push_back(i);
      coo.col.push_back(j);
      coo.value.push_back(i == j ? T(4) : number<T>(1, i < j ? 0.5 : -0.5));
    }
  return to_csr(coo);
}

// The kinds: Hermitian and not, in panels and in columns, with and without pivoting.
template <class T>
std::vector<DirectCase<T>> direct_cases() {
  std::vector<DirectCase<T>> cases{
      {"ilu0", tridiagonal<T>(50), [](const Csr<T>& a) { return factor_ilu0<T>(a, natural); }},
      {"ic0", tridiagonal<T>(50), [](const Csr<T>& a) { return factor_ic0<T>(a, natural); }}};
  if (has_package("cholmod")) {
    cases.push_back({"cholmod", random_hermitian<T>(200, 3),
                     [](const Csr<T>& a) { return factor_cholmod<T>(a); }});
    cases.push_back({"simplicial", random_hermitian<T>(90, 4),
                     [](const Csr<T>& a) { return factor_cholmod<T>(a, {.simplicial = true}); }});
  }
  if (has_package("superlu")) {
    cases.push_back({"superlu", random_hermitian<T>(150, 3),
                     [](const Csr<T>& a) { return factor_superlu<T>(a); }});
    cases.push_back({"superlu that pivots", random_to_pivot<T>(120, 4),
                     [](const Csr<T>& a) { return factor_superlu<T>(a); }});
  }
  if (has_package("klu"))
    cases.push_back({"klu", random_matrix<T>({.n = 130, .per_row = 1}),
                     [](const Csr<T>& a) { return factor_klu<T>(a); }});
  return cases;
}

// Small pieces, so that threads share panels even in these small cases.
inline Options direct_options(Method method) {
  Options o;
  o.method = method;
  o.cpu.threads = 2;
  o.supernode.chunk_entries = 200;
  return o;
}

}  // namespace echelon::test
