// generate/stencil.cpp -- matrices on regular grids: the stencils of Laplacians and of the chain,
// and the assembly for all stencils.
// SPDX-License-Identifier: BSD-3-Clause
//
// Method.  The rows of a node depend only on its sides (the neighbours that exist).  They are made
// once for each of the 64 kinds of sides and then copied: the columns of a row are its node's first
// column plus a fixed list, its values a fixed list.
#include "generate/stencil.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "base/instantiate.hpp"
#include "base/parallel.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 12;  // nodes; a thread pays off for about 20 us of filling

// The rows of one kind of nodes.
template <Scalar T>
struct NodeRows {
  std::vector<Index> column;  // relative to the node's first column; sorted
  std::vector<T> value;       // `unknowns` rows, each as long as column
};

// True if at least one node of the grid has this neighbour.
bool leads_somewhere(const Step& step, const std::array<Index, 3>& nodes) {
  for (int d = 0; d < 3; ++d)
    if (step[d] != 0 && nodes[d] == 1) return false;
  return true;
}

template <Scalar T>
NodeRows<T> make_rows(const Stencil& s, Sides sides) {
  const Index m = s.unknowns;
  const auto block_size = static_cast<std::size_t>(m) * m;
  std::vector<double> blocks;
  NodeRows<T> rows;
  for (const Step& step : s.steps) {
    if (!sides.allow(step) || !leads_somewhere(step, s.nodes)) continue;
    const Index away = step[0] + s.nodes[0] * (step[1] + s.nodes[1] * step[2]);
    for (Index u = 0; u < m; ++u) rows.column.push_back(away * m + u);
    blocks.resize(blocks.size() + block_size);
    s.block(sides, step, blocks.data() + blocks.size() - block_size);
  }
  // Converts blocks side by side to rows.
  const auto neighbours = static_cast<Index>(rows.column.size()) / m;
  for (Index u = 0; u < m; ++u)
    for (Index k = 0; k < neighbours; ++k)
      for (Index v = 0; v < m; ++v)
        rows.value.push_back(static_cast<Real<T>>(blocks[(k * m + u) * m + v]));
  return rows;
}

// The sides of node number `node`.
Sides sides_of(Index node, const std::array<Index, 3>& nodes) {
  const Index line = node / nodes[0];
  return Sides({node - line * nodes[0], line % nodes[1], line / nodes[1]}, nodes);
}

// Writes all rows of one node, from position p on.
template <Scalar T>
Offset fill_node(Csr<T>& a, Index node, const NodeRows<T>& rows, Index unknowns, Offset p) {
  const Index first = node * unknowns;
  const auto width = static_cast<Offset>(rows.column.size());
  for (Index u = 0; u < unknowns; ++u, p += width) {
    a.start[first + u] = p;
    std::transform(rows.column.begin(), rows.column.end(), a.index.begin() + p,
                   [first](Index away) { return first + away; });
    std::copy_n(rows.value.begin() + u * width, width, a.value.begin() + p);
  }
  return p;
}

}  // namespace

std::vector<Step> all_steps() {
  std::vector<Step> steps;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) steps.push_back({x, y, z});
  return steps;
}

template <Scalar T>
Csr<T> generate_stencil(const Stencil& s) {
  std::vector<NodeRows<T>> rows(Sides::kinds);
  for (int kind = 0; kind < Sides::kinds; ++kind) rows[kind] = make_rows<T>(s, Sides(kind));
  const Index count = s.nodes[0] * s.nodes[1] * s.nodes[2];
  const Index n = count * s.unknowns;
  const Index threads = thread_count(0);

  // Counts the entries of each thread's piece.
  std::vector<Offset> begin_of(threads + 1, 0);
  parallel_pieces(count, grain, threads, [&](Offset begin, Offset end, Index part) {
    Offset entries = 0;
    for (auto node = static_cast<Index>(begin); node < end; ++node)
      entries += static_cast<Offset>(rows[sides_of(node, s.nodes).kind()].value.size());
    begin_of[part + 1] = entries;
  });
  std::partial_sum(begin_of.begin(), begin_of.end(), begin_of.begin());

  Csr<T> a{n, n, Buffer<Offset>(static_cast<std::size_t>(n) + 1), {}, {}};
  a.index.resize(begin_of.back());
  a.value.resize(begin_of.back());
  a.start[n] = begin_of.back();
  parallel_pieces(count, grain, threads, [&](Offset begin, Offset end, Index part) {
    Offset p = begin_of[part];
    for (auto node = static_cast<Index>(begin); node < end; ++node)
      p = fill_node(a, node, rows[sides_of(node, s.nodes).kind()], s.unknowns, p);
  });
  return a;
}

Stencil laplace_stencil(const std::array<Index, 3>& nodes, Index points) {
  const bool flat = points == 5 || points == 9;
  const bool corners = points == 9 || points == 27;
  const auto kept = [&](const Step& s) {
    const int length = std::abs(s[0]) + std::abs(s[1]) + std::abs(s[2]);
    return (!flat || s[2] == 0) && (corners || length <= 1);
  };
  Stencil s{nodes, 1, {}, {}};
  for (const Step& step : all_steps())
    if (kept(step)) s.steps.push_back(step);
  s.block = [points](Sides, const Step& step, double* block) {
    *block = step == Step{0, 0, 0} ? points - 1 : -1;
  };
  return s;
}

Stencil chain_stencil(Index n) {
  return {{n, 1, 1}, 1, {{-1, 0, 0}, {0, 0, 0}}, [](Sides, const Step& step, double* block) {
            *block = step[0] == 0 ? 2 : -1;
          }};
}

#define ECHELON_INSTANTIATE(T) template Csr<T> generate_stencil(const Stencil&);
ECHELON_FOR_EACH_SCALAR(ECHELON_INSTANTIATE)
#undef ECHELON_INSTANTIATE

}  // namespace echelon
