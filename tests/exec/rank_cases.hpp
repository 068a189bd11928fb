// tests/exec/rank_cases.hpp -- random triangles distributed over ranks, and the check of their
// solutions.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <random>

#include "dist/patterns.hpp"
#include "support/random_matrix.hpp"
#include "support/reference_solve.hpp"

namespace echelon::test {

// A triangle with these supernodes, by columns.
template <class T>
Csc<T> fill_pattern(const Supernodes& s, double diagonal) {
  std::mt19937 draw(11);
  std::uniform_real_distribution<double> value(-1, 1);
  Csc<T> a;
  a.rows = a.cols = s.n;
  for (Index t = 0; t < s.count(); ++t)
    for (Index j = s.first[t]; j < s.first[t + 1]; ++j) {
      const auto add = [&](Index i, T v) {
        a.index.push_back(i);
        a.value.push_back(v);
      };
      add(j, number<T>(diagonal, 0.5));
      for (Index i = j + 1; i < s.first[t + 1]; ++i) add(i, number<T>(value(draw), value(draw)));
      for (const Index i : s.rows(t)) add(i, number<T>(value(draw), value(draw)));
      a.start.push_back(static_cast<Offset>(a.index.size()));
    }
  return a;
}

template <class T>
FillRows<T> rows_of(const Supernodes& s, const Csc<T>& a) {
  return [&](Index k, std::span<const Index> rows, T* columns, Offset ld) {
    for (Index j = 0; j < s.width(k); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i) {
        T found(0);
        for (Offset p = a.start[s.first[k] + j]; p < a.start[s.first[k] + j + 1]; ++p)
          if (a.index[p] == rows[i]) found = a.value[p];
        columns[j * ld + static_cast<Offset>(i)] = found;
      }
  };
}

// Calls body(place in the global vectors, place in the rank's) for the diagonal blocks of a rank.
template <class Body>
void for_each_own(const LocalPlan& plan, Index count, const Body& body) {
  for (Index c = 0; c < plan.nodes(); ++c)
    if (plan.diagonal[c] >= 0)
      for (Index v = 0; v < count; ++v)
        for (Index i = 0; i < plan.width(c); ++i)
          body(Offset{v} * plan.n + plan.first[plan.node[c]] + i,
               Offset{v} * plan.size() + plan.start[c] + i);
}

constexpr double accepted = 8;

template <class T>
void check(const Csc<T>& a, Way way, const std::vector<T>& b, const std::vector<T>& x,
           Index count) {
  const Triangle<T> t = lower(a, {.op = way == Way::forwards ? Op::none : Op::transpose});
  const std::size_t n = static_cast<std::size_t>(a.rows);
  for (Index v = 0; v < count; ++v) {
    const auto part = [&](const std::vector<T>& all) {
      return std::vector<T>(all.begin() + static_cast<std::ptrdiff_t>(v * n),
                            all.begin() + static_cast<std::ptrdiff_t>((v + 1) * n));
    };
    ASSERT_LE(backward_error(t, part(b), part(x)), accepted);
  }
}

}  // namespace echelon::test
