// tests/smoother/smoother_cases.hpp -- the test matrices of the smoother.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "echelon/generate.hpp"
#include "support/random_matrix.hpp"

namespace echelon::test {

// The pattern of a and its transpose together, with a dominant diagonal.
template <Scalar T>
Csr<T> with_mirror(const Csr<T>& a) {
  Coo<T> both;
  both.rows = both.cols = a.rows;
  const auto add = [&](Index i, Index j, T v) {
    both.row.push_back(i);
    both.col.push_back(j);
    both.value.push_back(v);
  };
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      add(i, a.index[p], a.value[p]);
      if (a.index[p] != i) add(a.index[p], i, a.value[p] / Real<T>(2));
    }
  std::vector<double> weight(static_cast<std::size_t>(a.rows), 1);
  for (std::size_t p = 0; p < both.value.size(); ++p)
    weight[both.row[p]] += std::abs(both.value[p]);
  for (Index i = 0; i < a.rows; ++i) add(i, i, number<T>(weight[i]));
  return to_csr(both);
}

// From the entries off the diagonal, each with a value near -1/4.
template <Scalar T>
Csr<T> from_places(Index n, const std::vector<std::pair<Index, Index>>& places) {
  Coo<T> a;
  a.rows = a.cols = n;
  std::vector<double> weight(static_cast<std::size_t>(n), 2);
  for (const auto& [i, j] : places) {
    a.row.push_back(i);
    a.col.push_back(j);
    a.value.push_back(number<T>(-0.25 - 0.01 * (i % 7), 0.1));
    weight[i] += 0.5;
  }
  for (Index i = 0; i < n; ++i) {
    a.row.push_back(i);
    a.col.push_back(i);
    a.value.push_back(number<T>(weight[i], 0.25));
  }
  return to_csr(a);
}

// Name and matrix: chains, stars, dense rows and columns, and n from 0 on.
template <Scalar T>
std::vector<std::pair<std::string, Csr<T>>> adversaries() {
  constexpr Index n = 60;
  std::vector<std::pair<Index, Index>> chain, loop_chain, star, row, column, none;
  for (Index i = 1; i < n; ++i) {
    chain.push_back({i, i - 1});
    loop_chain.push_back({i, i - 1});
    loop_chain.push_back({i - 1, i});
    star.push_back({0, i});
    star.push_back({i, 0});
    if (i != n / 2) row.push_back({n / 2, i});
    if (i != n / 2) column.push_back({i, n / 2});
  }
  return {{"nothing", from_places<T>(0, {})},
          {"one", from_places<T>(1, {})},
          {"two", from_places<T>(2, {{0, 1}})},
          {"diagonal", from_places<T>(n, none)},
          {"chain", from_places<T>(n, chain)},
          {"chain both ways", from_places<T>(n, loop_chain)},
          {"star", from_places<T>(n, star)},
          {"dense row", from_places<T>(n, row)},
          {"dense column", from_places<T>(n, column)},
          {"dense", generate<T>("dense:40")},
          {"grid", generate<T>("laplace2d:13x17:9")},
          {"elasticity", generate<T>("elasticity2d:6x7")}};
}

}  // namespace echelon::test
