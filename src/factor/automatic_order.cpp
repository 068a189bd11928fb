// factor/automatic_order.cpp -- chooses between AMD and METIS by the fill and the depth that each
// leads to.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The entries of row k of L are the columns on the paths from the neighbours of k, in the
// elimination tree, up to k.  Following these paths until an entry that was counted for row k gives
// the tree, its height and the count together.
//
// Reference.  Liu, ACM Trans. Math. Softw. 12 (1986), 127-148; Davis, Direct Methods for Sparse
// Linear Systems, SIAM 2006, section 4.
#include "factor/ordering.hpp"

namespace echelon {
namespace {

// METIS has wider and lower trees, hence more parallel work: its solves may cost this much more.
constexpr double metis_allowance = 1.1;
// With AMD's fill below this multiple of the matrix, METIS is not tried: a factor never has fewer
// entries than the matrix.
constexpr double little_fill = 1.2;
// Chains of AMD up to so many columns become a few panels, whose waiting does not decide.
constexpr Offset short_chain = 320;

bool find_if_there(std::vector<Index> (*order)(const Adjacency&), const Adjacency& g,
                   std::vector<Index>& found) {
  try {
    found = order(g);
    return true;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::backend_missing) throw;
    return false;
  }
}

}  // namespace

SolveCost forecast_factor(const Adjacency& g, const std::vector<Index>& order) {
  std::vector<Index> position(order.size()), parent(order.size(), -1), counted(order.size(), -1);
  std::vector<Offset> height(order.size(), 1);
  for (Index k = 0; k < g.n(); ++k) position[order[k]] = k;
  SolveCost cost{.entries = g.n()};
  for (Index k = 0; k < g.n(); ++k) {
    counted[k] = k;
    for (Index p = g.start[order[k]]; p < g.start[order[k] + 1]; ++p)
      for (Index j = position[g.index[p]]; j < k && counted[j] != k; j = parent[j]) {
        if (parent[j] < 0) {
          parent[j] = k;
          height[k] = std::max(height[k], height[j] + 1);
        }
        counted[j] = k;
        ++cost.entries;
      }
    cost.chain = std::max(cost.chain, height[k]);
  }
  return cost;
}

std::vector<Index> order_automatic(const Adjacency& g, Ordering& used, Backend solve_on) {
  std::vector<Index> amd, metis;
  const bool has_amd = find_if_there(order_amd, g, amd);
  used = Ordering::amd;
  const SolveCost by_amd = has_amd ? forecast_factor(g, amd) : SolveCost{};
  const double lower = g.n() + static_cast<double>(g.index.size()) / 2;
  if (by_amd.chain <= short_chain) solve_on = Backend::cpu;
  if (has_amd && solve_on == Backend::cpu &&
      static_cast<double>(by_amd.entries) <= little_fill * lower)
    return amd;
  if (!find_if_there(order_metis, g, metis)) {
    if (has_amd) return amd;
    used = Ordering::natural;
    return natural_order(g);
  }
  const SolveCost by_metis = forecast_factor(g, metis);
  if (has_amd && by_amd.on(solve_on) * metis_allowance < by_metis.on(solve_on)) return amd;
  used = Ordering::metis;
  return metis;
}

}  // namespace echelon
