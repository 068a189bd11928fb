// analysis/pack_pattern.cpp -- lists laid out in execution order, so that a solve reads the
// matrix from front to back.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/parallel.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset grain = 1 << 14;  // lists below which a second thread does not pay

}  // namespace

PackedPattern pack_pattern(DependencyGraph&& g, Buffer<Index>&& order, Index threads) {
  PackedPattern packed;
  packed.n = g.n;
  packed.lists = g.lists;
  packed.order = std::move(order);
  packed.start.resize(static_cast<std::size_t>(g.n) + 1);
  packed.index.resize(static_cast<std::size_t>(g.nonzeros));
  threads = thread_count(threads);

  // Each thread adds up its piece, then knows where the piece begins, then copies it.
  std::vector<Offset> piece_start(static_cast<std::size_t>(threads) + 1, 0);
  parallel_pieces(g.n, grain, threads, [&](Offset begin, Offset end, Index part) {
    for (Offset k = begin; k < end; ++k) piece_start[part + 1] += g.length[packed.order[k]];
  });
  for (Index part = 0; part < threads; ++part) piece_start[part + 1] += piece_start[part];
  parallel_pieces(g.n, grain, threads, [&](Offset begin, Offset end, Index part) {
    Offset q = piece_start[part];
    for (Offset k = begin; k < end; ++k) {
      packed.start[k] = q;
      for (const Index j : g.list(packed.order[k])) packed.index[q++] = j;
    }
  });
  packed.start[g.n] = g.nonzeros;

  packed.source = std::move(g.first);
  packed.from = std::move(g.from);
  packed.diagonal = std::move(g.diagonal);
  packed.extra = std::move(g.extra);
  return packed;
}

}  // namespace echelon
