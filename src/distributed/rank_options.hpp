// distributed/rank_options.hpp -- checks the options of solvers on many ranks, and fills in
// defaults.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <bit>

#include "base/refuse.hpp"
#include "distributed/checksum.hpp"
#include "echelon/ranks.hpp"

namespace echelon {

// Defaults for options that the caller leaves open.
struct RankDefaults {
  TreeShape tree = TreeShape::binary;
  Mapping mapping = Mapping::subtree;
};

// Several ranks share a wide supernode; a single rank need not split it.
inline Index columns_per_block(const RankOptions& o, Index ranks) {
  if (o.max_panel_columns > 0) return o.max_panel_columns;
  return ranks == 1 ? 512 : 128;
}

inline ProcessGrid choose_grid(const RankOptions& o, Index ranks) {
  if (o.rows < 0 || o.cols < 0) refuse("a grid has no negative number of rows or columns");
  if (o.rows == 0 && o.cols == 0)
    return o.mapping == Mapping::cyclic ? square_grid(ranks) : ProcessGrid{1, ranks};
  ProcessGrid grid{o.rows, o.cols};
  if (grid.rows == 0) grid.rows = std::max(ranks / grid.cols, 1);
  if (grid.cols == 0) grid.cols = std::max(ranks / grid.rows, 1);
  if (Offset{grid.rows} * grid.cols != ranks)
    refuse("a grid of " + std::to_string(grid.rows) + "x" + std::to_string(grid.cols) + " is not " +
           std::to_string(ranks) + " ranks");
  return grid;
}

// 0 and infinity mean no timeout; NaN is refused.
inline void check_timeout(double timeout_s) {
  if (!(timeout_s >= 0)) refuse("timeout_s must be a number from 0 on");
}

inline void check_options(const RankOptions& o) {
  if (o.max_panel_columns < 0) refuse("max_panel_columns cannot be negative");
  if (o.rhs_per_pass < 1 || o.rhs_per_pass > 16) refuse("rhs_per_pass is a number from 1 to 16");
  check_timeout(o.timeout_s);
}

// A checksum of the options, which must be equal on all ranks.
struct OptionsSum {
  std::uint64_t sum = 1;
  void operator()(const char*, double& value, const char*) {
    sum = mix(sum, std::bit_cast<std::uint64_t>(value));
  }
  template <class Value>
  void operator()(const char*, Value& value, const char*) {
    if constexpr (requires { value.visit(*this); })
      value.visit(*this);
    else
      sum = mix(sum, static_cast<std::uint64_t>(value));
  }
  template <class Value>
  void operator()(const char*, std::optional<Value>& value, const char*) {
    sum = mix(sum, value ? static_cast<std::uint64_t>(*value) : ~std::uint64_t{0});
  }
};

}  // namespace echelon
