// tests/sequence/problem.cpp -- the patterns of a sequence's matrices.
// SPDX-License-Identifier: BSD-3-Clause
#include "sequence/problem.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace echelon::test {
namespace {

constexpr Index block_size = 7;  // of Shape::blocks: full blocks without coupling
constexpr Index arrow_rows = 3;  // full rows at the end

}  // namespace

std::vector<std::vector<Index>> lower_places(const Setting& s, Index problem) {
  const Index n = size_of(s, problem);
  const auto width = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(n))));
  std::mt19937 random(s.seed);
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    std::set<Index> row;
    const auto add_from = [&](Index first) {
      for (Index j = std::max(first, Index{0}); j < i; ++j) row.insert(j);
    };
    switch (s.shape) {
      case Shape::diagonal:
        break;
      case Shape::chain:
        add_from(i - 1);
        break;
      case Shape::random:
        for (Index k = 0; k < 3 && i > 0; ++k)
          row.insert(static_cast<Index>(random() % static_cast<unsigned>(i)));
        break;
      case Shape::dense:
        add_from(0);
        break;
      case Shape::grid:  // nine points
        if (i % width > 0) row.insert(i - 1);
        for (Index j = i - width - (i % width > 0); j <= i - width + (i % width + 1 < width); ++j)
          if (j >= 0) row.insert(j);
        break;
      case Shape::blocks:
        add_from(i / block_size * block_size);
        break;
      case Shape::arrow:
        if (i >= n - arrow_rows) add_from(0);
        break;
    }
    rows[i].assign(row.begin(), row.end());
  }
  return rows;
}

}  // namespace echelon::test
