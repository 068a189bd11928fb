// analysis/pack_pattern.cpp -- copies the lists into execution order, so that a solve reads the
// matrix from front to back.
// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "base/parallel.hpp"
#include "base/prefetch.hpp"
#include "echelon/analysis.hpp"

namespace echelon {
namespace {

constexpr Offset pattern_grain = 1 << 14;  // lists below which a second thread does not pay

// The hardware cannot predict the order of the lists: prefetches their lengths `far` lists ahead,
// and their entries `near` lists ahead.
constexpr Index far = 32, near = 16;

// Copies the lists at positions [begin, end); their entries begin at q.
void copy_lists(const DependencyGraph& g, Offset begin, Offset end, Offset q,
                PackedPattern& packed) {
  const Index* const order = packed.order.data();
  for (auto k = static_cast<Index>(begin); k < end; ++k) {
    if (k + far < end) {
      prefetch(&g.length[order[k + far]]);
      prefetch(g.index.data() + g.first[order[k + near]]);
    }
    packed.start.set(k, q);
    for (const Index j : g.list(order[k])) packed.index[q++] = j;
  }
}

}  // namespace

PackedPattern pack_pattern(DependencyGraph&& g, Buffer<Index>&& order, Index threads) {
  PackedPattern packed;
  packed.n = g.n;
  packed.lists = g.lists;
  packed.transposed = g.transposed;
  packed.order = std::move(order);
  packed.start.resize(g.n + 1);
  packed.index.resize(static_cast<std::size_t>(g.nonzeros));
  threads = thread_count(threads);

  // Each thread sums the lengths of its piece, then copies it to the offset found.
  constexpr Index block = RisingOffsets::block;
  std::vector<Offset> piece_start(static_cast<std::size_t>(threads) + 1, 0);
  parallel_blocks(g.n, block, pattern_grain, threads, [&](Offset begin, Offset end, Index part) {
    Offset sum = 0;
    for (Offset k = begin; k < end; ++k) {
      if (k + far < end) prefetch(&g.length[packed.order[k + far]]);
      sum += g.length[packed.order[k]];
    }
    piece_start[part + 1] = sum;
  });
  for (Index part = 0; part < threads; ++part) piece_start[part + 1] += piece_start[part];
  parallel_blocks(g.n, block, pattern_grain, threads, [&](Offset begin, Offset end, Index part) {
    copy_lists(g, begin, end, piece_start[part], packed);
  });
  packed.start.set(g.n, g.nonzeros);

  packed.source = std::move(g.first);
  packed.from = std::move(g.from);
  packed.diagonal = std::move(g.diagonal);
  packed.extra = std::move(g.extra);
  return packed;
}

}  // namespace echelon
