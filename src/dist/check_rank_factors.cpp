// dist/check_rank_factors.cpp -- checks factors and block maps before they are distributed over
// ranks.
// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "base/instantiate.hpp"
#include "base/number.hpp"
#include "base/refuse.hpp"
#include "echelon/dist.hpp"

namespace echelon {
namespace {

void check_triangle(const char* which, Index n, const Supernodes& s) {
  try {
    check_supernodes(s);
  } catch (const Error& e) {
    refuse(std::string("the ") + which + " triangle: " + e.what());
  }
  if (s.n != n)
    refuse(std::string("the ") + which + " triangle has " + std::to_string(s.n) +
           " rows, the factors " + std::to_string(n));
}

// One entry per unknown, or none.
void check_length(const char* which, Index n, std::size_t size) {
  if (size != 0 && size != static_cast<std::size_t>(n))
    refuse(std::string(which) + " has " + std::to_string(size) + " entries, not " +
           std::to_string(n) + " or none");
}

std::string entry(const char* which, std::size_t p) {
  return std::string(which) + "[" + std::to_string(p) + "] is ";
}

void check_order(const char* which, Index n, const std::vector<Index>& order) {
  check_length(which, n, order.size());
  std::vector<Index> place(order.size(), -1);
  for (std::size_t p = 0; p < order.size(); ++p) {
    const Index i = order[p];
    if (i < 0 || i >= n)
      refuse(entry(which, p) + std::to_string(i) + ", outside 0 to " + std::to_string(n - 1));
    Index& before = place[static_cast<std::size_t>(i)];
    if (before >= 0)
      refuse(entry(which, p) + std::to_string(i) + ", as is " + which + "[" +
             std::to_string(before) + "]: it is no permutation");
    before = static_cast<Index>(p);
  }
}

template <class V>
void check_numbers(const char* which, Index n, const std::vector<V>& numbers) {
  check_length(which, n, numbers.size());
  for (std::size_t p = 0; p < numbers.size(); ++p) {
    if (!is_finite(numbers[p])) throw Error(ErrorCode::not_finite, entry(which, p) + "not finite");
    if (numbers[p] == V(0)) throw Error(ErrorCode::zero_diagonal, entry(which, p) + "zero");
  }
}

}  // namespace

template <Scalar T>
void check_rank_factors(const RankFactors<T>& f) {
  if (f.n < 0) refuse("factors of " + std::to_string(f.n) + " rows");
  check_triangle("lower", f.n, f.lower);
  if (!f.lower_rows) refuse("the lower triangle has no function that gives its rows");
  if (!f.symmetric) {
    check_triangle("upper", f.n, f.upper);
    if (f.upper.first != f.lower.first) refuse("the two triangles have different supernodes");
    if (!f.upper_rows) refuse("the upper triangle has no function that gives its rows");
  } else if (f.upper.count() > 0) {
    refuse("symmetric factors have an upper triangle of their own");
  }
  check_order("row_order", f.n, f.row_order);
  check_order("col_order", f.n, f.col_order);
  check_scalings<T>(f.n, f.diagonal, f.row_scale, f.col_scale);
}

template <Scalar T>
void check_scalings(Index n, const std::vector<T>& diagonal, const std::vector<Real<T>>& row_scale,
                    const std::vector<Real<T>>& col_scale) {
  check_numbers("diagonal", n, diagonal);
  check_numbers("row_scale", n, row_scale);
  check_numbers("col_scale", n, col_scale);
}

void check_block_map(const BlockMap& map, Index supernodes, Index ranks) {
  const ProcessGrid& g = map.grid;
  if (g.rows < 1 || g.cols < 1 || Offset{g.rows} * g.cols != ranks)
    refuse("the blocks are mapped to a grid of " + std::to_string(g.rows) + "x" +
           std::to_string(g.cols) + ", which is not " + std::to_string(ranks) + " ranks");
  const auto check = [&](const char* which, const Buffer<Index>& list, Index end) {
    if (list.size() != static_cast<std::size_t>(supernodes))
      refuse(std::string("the map has ") + std::to_string(list.size()) + " " + which + " for " +
             std::to_string(supernodes) + " supernodes");
    for (std::size_t k = 0; k < list.size(); ++k)
      if (list[k] < 0 || list[k] >= end)
        refuse("the map gives supernode " + std::to_string(k) + " to " + std::to_string(list[k]) +
               " of " + std::to_string(end) + " " + which);
  };
  check("rows", map.row, g.rows);
  check("columns", map.col, g.cols);
}

#define ECHELON_INSTANTIATE(T)                                                               \
  template void check_rank_factors(const RankFactors<T>&);                                   \
  template void check_scalings<T>(Index, const std::vector<T>&, const std::vector<Real<T>>&, \
                                  const std::vector<Real<T>>&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
