// tests/dist/factor_file_cases.hpp -- factors to write to files, in panels of any partition.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "../direct/direct_cases.hpp"
#include "../io/temp_files.hpp"
#include "echelon/factor_file.hpp"
#include "echelon/generate.hpp"

namespace echelon::test {

// Supernodes of width 1, 2, ... 5, 1, 2, ...: a partition that no package makes.
inline Buffer<Index> odd_partition(Index n) {
  Buffer<Index> first{0};
  for (Index width = 1; first.back() < n; width = width % 5 + 1)
    first.push_back(std::min(n, first.back() + width));
  return first;
}

// All rows of the columns, and the row right below even if no column has it.
template <Scalar T>
Supernodes supernodes_of(const FactorTriangle<T>& t, Index n, const Buffer<Index>& first) {
  const Dense whole = dense(t, n);
  Supernodes s;
  s.n = n;
  s.first = first;
  for (std::size_t k = 0; k + 1 < first.size(); ++k) {
    std::set<Index> rows;
    if (first[k + 1] < n) rows.insert(first[k + 1]);
    for (Index j = first[k]; j < first[k + 1]; ++j) {
      for (Index i = first[k + 1]; i < n; ++i)
        if (whole(i, j) != 0.0) rows.insert(i);
      if (t.in_panels()) continue;
      for (Offset p = t.columns.start[j]; p < t.columns.start[j + 1]; ++p)
        if (t.columns.index[p] >= first[k + 1]) rows.insert(t.columns.index[p]);
    }
    s.row.insert(s.row.end(), rows.begin(), rows.end());
    s.row_start.push_back(static_cast<Offset>(s.row.size()));
  }
  return s;
}

template <Scalar T>
struct WrittenFactors {
  Factors<T> f;
  Supernodes lower, upper;

  explicit WrittenFactors(Factors<T> factors) : f(std::move(factors)) {
    lower = supernodes_of(f.lower, f.n, odd_partition(f.n));
    if (!f.symmetric) upper = supernodes_of(f.upper, f.n, lower.first);
  }
  void write(const std::filesystem::path& path) const {
    write_factors(path.string(), f, lower, upper);
  }
};

template <Scalar T>
Factors<T> given_factors(Index n) {
  const Csr<T> a = random_matrix<T>({.n = n, .per_row = n > 1 ? 4 : 0});
  return factors_of<T>(lower(a, {.diagonal = Diagonal::unit, .outside = OutsideEntries::ignore}),
                       upper(a, {.outside = OutsideEntries::ignore}));
}

// Small, but uses every section.
template <Scalar T>
Factors<T> small_factors(Index n) {
  Factors<T> f = given_factors<T>(n);
  for (Index i = 0; i < n; ++i) {
    f.diagonal.push_back(number<T>(1 + i, 2));
    f.row_order.push_back(n - 1 - i);
    f.col_order.push_back((i + 1) % n);
    f.row_scale.push_back(Real<T>(0.5) + Real<T>(i));
    f.col_scale.push_back(Real<T>(0.25) + Real<T>(i));
  }
  return f;
}

// Factors of every kind that this build has.
template <Scalar T>
std::vector<Factors<T>> factors_to_write() {
  std::vector<Factors<T>> all{given_factors<T>(50), small_factors<T>(23)};
  for (const DirectCase<T>& c : direct_cases<T>()) all.push_back(c.factor(c.a));
  for (const char* spec : {"elasticity3d:3", "laplace2d:7x9:5"}) {
    const Csr<T> a = generate<T>(spec);
    if (has_package("cholmod")) all.push_back(factor_cholmod<T>(a));
    if (has_package("superlu")) all.push_back(factor_superlu<T>(a));
  }
  return all;
}

}  // namespace echelon::test
