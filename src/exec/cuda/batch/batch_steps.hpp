// exec/cuda/batch/batch_steps.hpp -- which rows of a batch a thread block solves together, and how
// many systems side by side.
// SPDX-License-Identifier: BSD-3-Clause
//
// No device code: tests run it without a GPU.
#pragma once

#include <algorithm>
#include <bit>

#include "echelon/batch_executor.hpp"

namespace echelon {

// Rows [first, first + count), each by a team of 2^team_bits slots.
struct alignas(16) BatchStep {
  Index first, count, team_bits;
  Index edge;  // where its entries end, in the order of reading
};

// A row as a kernel reads it.
struct alignas(16) BatchRow {
  Index begin, end;  // of its entries off the diagonal
  Index unknown;
};

// The threads of a block: `slots` times as many as systems side by side, `warp_slots` in each warp;
// powers of two.
struct BatchSlots {
  Index slots, warp_slots;
  Index most_entries;  // of several rows together
};

inline Buffer<BatchRow> find_batch_rows(const BatchPlan& plan) {
  Buffer<BatchRow> rows;
  for (Index k = 0; k < plan.n; ++k) rows.push_back({plan.start[k], plan.end(k), plan.row[k]});
  return rows;
}

// Slots for each of `rows` rows of a step.  A row alone has all slots; with M, several rows have
// teams within a warp, which add their sums by shuffles.
inline Index team_of(Index rows, bool turned, const BatchSlots& o) {
  const Index most = rows == 1 || turned ? o.slots : std::min(o.warp_slots, o.slots);
  return static_cast<Index>(
      std::bit_floor(static_cast<unsigned>(std::max(std::min(most, o.slots / rows), 1))));
}

// How many of the next `rows` rows, of which row k has length(k) entries, a step should have: those
// that make the time per row least.
template <class Length>
Index choose_step_rows(Index rows, bool turned, const BatchSlots& o, const Length& length) {
  // In units of the time for an entry: what a step costs besides, and sums over several warps.
  constexpr double step_cost = 12, sum_cost = 8;
  Index best = 1, longest = 0;
  double best_cost = 0;
  for (Index count = 1; count <= rows; ++count) {
    longest = std::max(longest, length(count - 1));
    const Index team = team_of(count, turned, o);
    double cost = step_cost + (longest + team - 1) / team;
    if (!turned && team > o.warp_slots) cost += sum_cost;
    if (count == 1 || cost / count <= best_cost) {
      best = count;
      best_cost = cost / count;
    }
  }
  return best;
}

// Steps of a solve with M: rows of one level.
inline Buffer<BatchStep> find_batch_steps(const BatchPlan& plan, const BatchSlots& o) {
  Buffer<BatchStep> steps;
  for (std::size_t l = 0; l + 1 < plan.level.size(); ++l)
    for (Index k = plan.level[l]; k < plan.level[l + 1];) {
      Index rows = std::min(plan.level[l + 1] - k, o.slots);
      while (rows > 1 && plan.start[k + rows] - plan.start[k] > o.most_entries) --rows;
      rows = choose_step_rows(rows, false, o,
                              [&](Index r) { return plan.end(k + r) - plan.start[k + r]; });
      const int bits = std::bit_width(static_cast<unsigned>(team_of(rows, false, o))) - 1;
      steps.push_back({k, rows, bits, plan.start[k + rows]});
      k += rows;
    }
  return steps;
}

// Steps of a solve with the transpose, in its order: rows of one level without a common entry,
// since they are scattered at the same time.
inline Buffer<BatchStep> find_turned_steps(const BatchPlan& plan, const BatchSlots& o) {
  Buffer<BatchStep> steps;
  std::vector<char> met(static_cast<std::size_t>(plan.n), 0);  // by unknown: a row scatters to it
  for (std::size_t l = plan.level.size(); l-- > 1;)
    for (Index end = plan.level[l]; end > plan.level[l - 1];) {
      const auto meets = [&](Index k) {
        return std::any_of(plan.index.begin() + plan.start[k], plan.index.begin() + plan.end(k),
                           [&](Index j) { return met[j] != 0; });
      };
      const Index least = std::max(plan.level[l - 1], end - o.slots);
      Index k = end;
      do {
        --k;
        for (Index p = plan.start[k]; p < plan.end(k); ++p) met[plan.index[p]] = 1;
      } while (k > least && plan.start[end] - plan.start[k - 1] <= o.most_entries && !meets(k - 1));
      const Index rows = choose_step_rows(end - k, true, o, [&](Index r) {
        return plan.end(end - 1 - r) - plan.start[end - 1 - r];
      });
      for (Index p = plan.start[k]; p < plan.start[end]; ++p) met[plan.index[p]] = 0;
      const int bits = std::bit_width(static_cast<unsigned>(team_of(rows, true, o))) - 1;
      end -= rows;
      steps.push_back({end, rows, bits, plan.start[end]});
    }
  return steps;
}

// Systems per thread block: as many as let several blocks share the shared memory of a
// multiprocessor, fewer if that leaves too few blocks.
inline Index choose_batch_width(Index n, Offset number_bytes, Offset shared) {
  Index width = 8;
  while (width > 1 && Offset{n} * width * number_bytes > shared / 4) width /= 2;
  return width;
}

}  // namespace echelon
