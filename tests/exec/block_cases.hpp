// tests/exec/block_cases.hpp -- the test matrices of the supernodal methods.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "echelon/matrix.hpp"
#include "echelon/numeric.hpp"
#include "supernode/patterns.hpp"
#include "support/random_matrix.hpp"

namespace echelon::test {

// Every supernodal method.
constexpr Method block_methods[] = {
    Method::plain,      Method::stream, Method::team,    Method::merge,       Method::invert_diag,
    Method::invert_off, Method::spmv,   Method::dynamic, Method::invert_full, Method::tree};

struct BlockCase {
  std::string name;
  Sets columns;  // rows below the diagonal; the pattern is symmetric
};

inline Sets empty_columns(Index n) { return Sets(static_cast<std::size_t>(n)); }

// A full band below the diagonal.
inline Sets band(Index n, Index width) {
  Sets columns = empty_columns(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < std::min(n, j + width + 1); ++i) columns[j].insert(i);
  return columns;
}

// The last `rows` rows are full.
inline Sets arrow(Index n, Index rows) {
  Sets columns = empty_columns(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = std::max(j + 1, n - rows); i < n; ++i) columns[j].insert(i);
  return columns;
}

// Full blocks of `size` without coupling; every third one is a diagonal.
inline Sets disconnected(Index n, Index size) {
  Sets columns = empty_columns(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n && i / size == j / size && j / size % 3 != 2; ++i)
      columns[j].insert(i);
  return columns;
}

inline Sets scattered(Index n, Index per_column) {
  Sets columns = empty_columns(n);
  std::mt19937 random(5);
  for (Index j = 0; j + 1 < n; ++j)
    for (Index k = 0; k < per_column; ++k)
      columns[j].insert(std::uniform_int_distribution<Index>(j + 1, n - 1)(random));
  return columns;
}

// 33 and 70 cut a strip of a panel; 200 is cut into pieces for several threads.
inline std::vector<BlockCase> block_cases() {
  return {{"empty", empty_columns(0)},
          {"one", empty_columns(1)},
          {"diagonal", empty_columns(40)},
          {"chain", band(60, 1)},
          {"band", band(90, 6)},
          {"arrow", arrow(100, 5)},
          {"disconnected", disconnected(100, 9)},
          {"scattered", scattered(120, 2)},
          {"dense 33", band(33, 33)},
          {"dense 70", band(70, 70)},
          {"dense 200", band(200, 200)},
          {"wide arrow", arrow(150, 40)},
          {"dissected", dissected_grid(13, 14)}};
}

// Random values on both triangles of the pattern, with an on average dominant diagonal.
template <Scalar T>
Csr<T> case_matrix(const Sets& columns, unsigned seed = 3) {
  const auto n = static_cast<Index>(columns.size());
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1);
  Coo<T> coo{n, n, {}, {}, {}};
  std::vector<Index> size(columns.size(), 1);
  const auto add = [&](Index i, Index j, T v) {
    coo.row.push_back(i);
    coo.col.push_back(j);
    coo.value.push_back(v);
    ++size[i];
  };
  for (Index j = 0; j < n; ++j)
    for (const Index i : columns[j]) {
      add(i, j, number<T>(value(random), value(random)));
      add(j, i, number<T>(value(random), value(random)));
    }
  for (Index i = 0; i < n; ++i) add(i, i, number<T>(1 + size[i] / 2.0, 0.5));
  return to_csr(coo);
}

// Two full blocks of `size`, and `rows` full rows below both.
inline Sets two_blocks(Index size, Index rows) {
  const Index n = 2 * size + rows;
  Sets columns = empty_columns(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i)
      if (i >= 2 * size || (j < 2 * size && i / size == j / size)) columns[j].insert(i);
  return columns;
}

// The second block's inverse grows like 2^size.
template <Scalar T>
Csr<T> with_a_bad_block(Index size, Index rows) {
  Csr<T> a = case_matrix<T>(two_blocks(size, rows));
  for (Index i = size; i < 2 * size; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p) {
      const Index j = a.index[p];
      if (j < size || j >= 2 * size) continue;
      a.value[p] = i == j ? T(1) : a.value[p] * Real<T>(0.1) - T(1);
    }
  return a;
}

// One panel of `columns` columns with `rows` rows below, which form no panel: D is well conditioned
// and P finite, but P D^-1 overflows.
template <Scalar T>
Csr<T> with_a_product_that_overflows(Index columns, Index rows) {
  Sets below = empty_columns(columns + rows);
  for (Index j = 0; j < columns; ++j)
    for (Index i = j + 1; i < columns + rows; ++i) below[j].insert(i);
  Csr<T> a = case_matrix<T>(below);
  const Real<T> large = std::pow(std::numeric_limits<Real<T>>::max(), Real<T>(0.6));
  for (Index i = 0; i < a.rows; ++i)
    for (Offset p = a.start[i]; p < a.start[i + 1]; ++p)
      if (const Index j = a.index[p]; j < columns)
        a.value[p] = i == j ? T(1 / large) : i < columns ? T(0) : T(large);
  return a;
}

// The values of a triangle, packed by its plan.
template <Scalar T>
BlockValues<T> pack_triangle(const Plan& plan, const Triangle<T>& t, const NumericOptions& o = {}) {
  BlockValues<T> values;
  pack_plan(plan, fill_from_lists(plan.blocks, plan.pattern, std::span<const T>(t.value), false),
            Passes::both, o, values);
  return values;
}

}  // namespace echelon::test
